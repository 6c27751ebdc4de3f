#pragma once

#include "driver/convert.hpp"
#include "driver/options.hpp"

namespace mo {

/// Returns true if the options ask for an ONNX model, and the model is an IR.
bool is_ir_for_onnx(const Options& options);

/// Refuses the options that only act while a model is converted to an IR: MO-CLI-0099, one for each of them, with the
/// command that does it.
Expected<void> check_options_for_ir(const Options& options);

/// Writes an IR as an ONNX model; --input and --input_shape reshape it. Errors: MO-CLI-0099, those of reading an IR,
/// and of `write_onnx`.
Expected<Report> convert_ir(const Options& options, DiagnosticSink& sink);

}  // namespace mo
