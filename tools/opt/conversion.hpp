#pragma once

#include <span>

#include "core/pass/library.hpp"
#include "driver/model_graph.hpp"
#include "tools/opt/reproducer.hpp"
#include "tools/opt/steps.hpp"

namespace mo::tools {

/// The name of the pipeline that is a whole conversion.
inline constexpr std::string_view kConvert = "convert";

/// Adds what a conversion with `manager` runs to the catalogue: the steps of its phases by their names, and all of it
/// as the pipeline `convert`. Errors: of the order of the passes.
Expected<void> add_conversion(PassLibrary& library, const PassManager& manager);

/// Whether the steps want a model as it was read: `convert`, or a pass that runs before types are known, is among them.
bool want_model_as_read(std::span<const ListedStep> steps, const PassManager& manager);

/// The steps with the passes of `convert` in its place.
Expected<std::vector<ListedStep>> with_passes_of_convert(std::span<const ListedStep> steps, const PassManager& manager);

/// Runs steps on a model that is on its way through a conversion: its passes as the conversion runs them, everything
/// else as `run` does. `convert` is not among them. Errors: of both runners; MO-PASS-0022 for settings that a pass does
/// not have.
Expected<void> run_conversion(std::span<const ListedStep> steps, ModelGraph& model, LibraryRun& run,
                              Reproducer& reproducer, DiagnosticSink& sink);

}  // namespace mo::tools
