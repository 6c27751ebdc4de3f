#pragma once

#include "core/pass/library.hpp"

namespace mo::library {

/// All transformations that come with mo and are not part of every conversion, under the names that nGraph's users know.
void register_transformations(PassLibrary& library);

/// The same, checked and made once.
const PassLibrary& transformations();

}  // namespace mo::library
