#include "ops/comparison.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// a > b -> b < a.
template <class Greater, class Less>
Replacement turned(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<Greater>();
  if (!is_real(node.input_type(0).element_type)) return declined("not floating-point");
  if (op.auto_broadcast != ops::AutoBroadcast::numpy) return declined("the second input is aligned with the first");
  return rw.create(Less{}, node.input(1), node.input(0));
}

}  // namespace

void register_comparison_with_nan(PassRegistry& passes) {
  passes.add(avoid_fault("ComparisonWithNan", {.form = "Greater and GreaterEqual of floating-point values",
                                               .symptom = "true when one of them is NaN",
                                               .first = "2021.4",
                                               .last = "latest",
                                               .replacement = "Less and LessEqual of the inputs in the other order"})
                 .add(lowering<ops::Greater>("Greater", turned<ops::Greater, ops::Less>))
                 .add(lowering<ops::GreaterEqual>("GreaterEqual", turned<ops::GreaterEqual, ops::LessEqual>)));
}

}  // namespace mo::transformations
