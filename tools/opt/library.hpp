#pragma once

#include <string>

#include "core/pass/library.hpp"
#include "driver/options.hpp"

namespace mo::tools {

/// One catalogue: the library of transformations, and whatever the framework and the plugins of the options registered.
/// Errors: of plugins, of what is registered wrongly; MO-PASS-0010 for a second pass of a name.
Expected<PassLibrary> library_for(const Options& options, const std::string& framework);
/// Lets the run change the layout of models whose images are channels-last, as a conversion does (pass LayoutChange),
/// before the first transformation that takes channels-first ones only: all but those that a conversion runs before
/// that change.
void give_channels_first(LibraryRun& run, DiagnosticSink& sink);

}  // namespace mo::tools
