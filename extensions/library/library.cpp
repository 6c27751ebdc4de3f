#include "extensions/library/library.hpp"

#include "core/diagnostics/assert.hpp"
#include "core/registry/pass_registry.hpp"

namespace mo::middle {
void register_all(PassRegistry& registry);
}
namespace mo::back {
void register_all(PassRegistry& registry);
}

namespace mo::library {

void register_transformations(PassLibrary& library) {
  register_families(library);
  PassRegistry conversion;
  middle::register_all(conversion);
  back::register_all(conversion);
  for (Pass& pass : conversion.take())
    if (!pass.description.after.empty()) library.add(std::move(pass));
}

const PassLibrary& transformations() {
  static const PassLibrary kLibrary = [] {
    PassLibrary library;
    register_transformations(library);
    const auto sound = library.check();
    const std::string why = sound ? std::string() : sound.error().first().message;
    MO_ASSERT(sound.has_value(), why.c_str());
    return library;
  }();
  return kLibrary;
}

}  // namespace mo::library
