#pragma once

#include <string>

#include "core/pass/settings.hpp"
#include "driver/options.hpp"
#include "ir_emitter/emitter.hpp"

namespace mo {

/// Returns how the emitter writes a graph that was made for `settings`: the one place that derives the format of the
/// files from a target. The version is that of the settings. Two elements of 4 bits are packed as the release reads
/// them.
ir_emitter::EmitOptions emit_options(const Settings& settings, const std::string& xml_path);

/// Returns `options` with the target of an IR that was read, for tools that write it again: its version, and the
/// --target_runtime that it was converted with, as far as the user asks for no target. Options of other graphs are
/// returned unchanged.
Options with_target_of_ir(const Options& options, const Graph& graph);

/// Notes in the graph how an IR that is made of it came about: the versions, and the options without any path. It says
/// so from then on wherever it is written, and in the text form.
void note_conversion(Graph& graph, const Options& options, const std::string& framework);

/// Returns the framework of a graph that is on its way through a conversion (`note_conversion`); empty for others.
std::string framework_of_conversion(const Graph& graph);

/// Returns the conversion metadata of an IR that is written with `options`, in the form of EmitOptions::rt_info: of a
/// graph with that note, what it says; otherwise what an IR that was read says of its own, and the target.
AttributeMap conversion_metadata(const Graph& graph, const Options& options);

}  // namespace mo
