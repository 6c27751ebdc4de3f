#pragma once

#include "core/pass/library.hpp"

namespace mo::library {

/// The transformations that no conversion runs by itself, under the names that nGraph's users know. Their pipelines run
/// passes of conversions, too: whoever calls this adds those.
void register_families(PassLibrary& library);

/// All transformations that come with mo: those, and what a conversion runs as well (the passes of the phases middle
/// and back that have a description). There is one pass for each name, whoever runs it.
void register_transformations(PassLibrary& library);

/// The same, checked and made once.
const PassLibrary& transformations();

}  // namespace mo::library
