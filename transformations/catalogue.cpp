#include "transformations/catalogue.hpp"

#include "core/diagnostics/assert.hpp"

namespace mo::transformations {

void add_catalogue(PassLibrary& library) {
  PassRegistry registry;
  register_all(registry);
  for (Pass& pass : registry.take_offers()) library.add(std::move(pass));
  for (Pass& pass : registry.take())
    if (!pass.description.after.empty() && !pass.fault) library.add(std::move(pass));
}

const PassLibrary& catalogue() {
  static const PassLibrary kLibrary = [] {
    PassLibrary library;
    add_catalogue(library);
    const auto sound = library.check();
    const std::string why = sound ? std::string() : sound.error().first().message;
    MO_ASSERT(sound.has_value(), why.c_str());
    return library;
  }();
  return kLibrary;
}

}  // namespace mo::transformations
