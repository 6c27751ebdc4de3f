#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/reduce.hpp"

namespace mo::back {
namespace {

/// Reduction over an empty list of axes -> its data, by definition of the op for all kinds.
Replacement data_of_reduction(const Node& node, Rewriter&) {
  if (node.input_type(1).shape.element_count() != 0) return Replacement::declined();
  return node.input(0);
}

template <ops::ReduceKind... kinds>
GraphRewriteBuilder with_rules(GraphRewriteBuilder pass) {
  ((pass = std::move(pass).add(lowering<ops::Reduction<kinds>>(std::string(ops::Reduction<kinds>::id.type) + "OverNoAxes", data_of_reduction))), ...);
  return pass;
}

}  // namespace

void register_reduction_over_no_axes(PassRegistry& passes) {
  using enum ops::ReduceKind;
  passes.add(with_rules<sum, mean, max, min, prod, l1, l2, logical_and, logical_or>(
      avoid_fault("ReductionOverNoAxes", {.form = "reduction over an empty list of axes",
                                          .symptom = "the model is not compiled",
                                          .first = "2021.4",
                                          .last = "latest",
                                          .replacement = "the data"})));
}

}  // namespace mo::back
