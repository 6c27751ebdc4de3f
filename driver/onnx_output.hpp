#pragma once

#include "core/files/input_files.hpp"
#include "driver/convert.hpp"
#include "driver/options.hpp"

namespace mo {

class Graph;

/// Writes a graph that went through the phases of a conversion, without those for a version of the IR, as NAME.onnx.
/// The file replaces an earlier one when it is complete. Errors: those of onnx_emitter::to_onnx, of writing an ONNX
/// model, and of OutputSet.
Expected<Report> write_onnx(const Options& options, const Graph& graph, const InputFiles& inputs);

}  // namespace mo
