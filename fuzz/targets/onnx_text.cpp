// ONNX in protobuf text.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_onnx_text(std::string_view input) { converted(options_for("onnx", "model.onnxtxt", input)); }

}  // namespace mo::fuzz
