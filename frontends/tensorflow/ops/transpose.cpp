#include "ops/transpose.hpp"
#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

void register_transpose(OperatorTable& table) {
  table.extract("Transpose", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexTranspose");
    return ops::Transpose{};
  });
  // The conjugate of a real number is the number.
  table.extract("ConjugateTranspose", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexTranspose", {{"conjugate", true}});
    return ops::Transpose{};
  });
  table.extract("InvertPermutation", [](const FrameworkNode& node) { return real_movement_op(node, "TfInvertPermutation"); });
}

}  // namespace mo::tensorflow
