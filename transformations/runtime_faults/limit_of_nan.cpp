#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// min(x, limit) -> min(limit, x).
template <class T>
Replacement limit_first(const Node& node, Rewriter& rw) {
  if (!is_real(node.input_type(0).element_type)) return declined("not floating-point");
  if (node.as<T>()->auto_broadcast != ops::AutoBroadcast::numpy)
    return declined("the second input is aligned with the first");
  if (!node.input(1).node().template is<Const>() || node.input(0).node().template is<Const>())
    return declined("the second input is not a constant");
  return rw.create(T{}, node.input(1), node.input(0));
}

}  // namespace

void register_limit_of_nan(PassRegistry& passes) {
  passes.add(
      avoid_fault("LimitOfNan",
                  {.form = "Minimum and Maximum of floating-point values, the second input of which is a constant",
                   .symptom = "NaN becomes the constant",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "the constant as the first input"})
          .add(lowering<ops::Minimum>("Minimum", limit_first<ops::Minimum>))
          .add(lowering<ops::Maximum>("Maximum", limit_first<ops::Maximum>)));
}

}  // namespace mo::transformations
