#include "extensions/library/library.hpp"

#include "core/diagnostics/assert.hpp"

namespace mo::library {

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
