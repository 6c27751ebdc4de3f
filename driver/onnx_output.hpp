#pragma once

#include <string>

#include "core/files/input_files.hpp"
#include "driver/convert.hpp"
#include "driver/options.hpp"

namespace mo {

class Graph;
class OnnxForms;
class OpRegistry;
struct Conversion;

/// What `--list-ops onnx-output` prints: each op of the IR, and whether it has a form in ONNX: "TopK-11  written".
/// Error: the program was built without ONNX.
Expected<std::string> describe_onnx_output(const OpRegistry& ops);

/// What the plugins of a conversion say of ops; null when nothing is registered for it.
const OnnxForms* onnx_forms_of(const Conversion& conversion);

/// Writes a graph that went through the phases of a conversion, without those for a version of the IR, as NAME.onnx.
/// What its known shapes tell becomes constant before. The file replaces an earlier one when it is complete. Note
/// MO-EMIT-0043: its op set is newer than the usual one. Errors: those of onnx_emitter::to_onnx, of writing an ONNX
/// model, and of OutputSet.
/// `forms`: what plugins say of ops (Registry::onnx_forms); may be null.
Expected<Report> write_onnx(const Options& options, Graph& graph, const OnnxForms* forms, const InputFiles& inputs,
                            DiagnosticSink& sink);
/// The same at a path: of a graph that has types and ops of the IR, such as one that was read from an IR.
/// `needs_ranks`: onnx_emitter::EmitOptions::needs_ranks.
Expected<Report> write_onnx_file(const std::string& path, const Options& options, Graph& graph, const OnnxForms* forms,
                                 const InputFiles& inputs, DiagnosticSink& sink, bool needs_ranks = true);

}  // namespace mo
