#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/pass/library.hpp"
#include "driver/options.hpp"

namespace mo::tools {

/// One catalogue: the library of transformations, and whatever the framework and the plugins of the options registered.
/// Errors: of plugins, of what is registered wrongly; MO-PASS-0010 for a second pass of a name that is not one of
/// `twins`.
Expected<PassLibrary> library_for(const Options& options, const std::string& framework);
/// The names that still mean one pass in a conversion and another one in the library; here they mean the library's.
std::span<const std::string_view> twins();
/// Lets the run change the layout of models whose images are channels-last, as a conversion does (pass LayoutChange),
/// before the first transformation that takes channels-first ones only: all but those that a conversion runs before
/// that change.
void give_channels_first(LibraryRun& run, DiagnosticSink& sink);

}  // namespace mo::tools
