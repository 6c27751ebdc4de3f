// Descriptions of custom operations, on a small model. Two files: the descriptions and, when there is one, the model in
// ONNX text.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {
namespace {

constexpr std::string_view kFancyModel = R"(
ir_version: 8 opset_import { version: 13 } opset_import { domain: "com.acme" version: 1 } graph { name: "g"
  node { op_type: "FancyNorm" domain: "com.acme" name: "norm" input: "x" input: "w" output: "n"
         attribute { name: "epsilon" type: FLOAT f: 0.5 } attribute { name: "axes" type: INTS ints: 1 ints: 2 } }
  node { op_type: "Relu" name: "relu" input: "n" output: "y" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } dim { dim_param: "n" } } } } }
  input { name: "w" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } } }
)";

}  // namespace

void run_custom_ops(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input, 2);
  Options options = options_for("onnx", "model.onnxtxt", parts[1].empty() ? kFancyModel : parts[1]);
  options.custom_ops = {Scratch::instance().write("ops.json", parts[0])};
  converted(std::move(options));
}

}  // namespace mo::fuzz
