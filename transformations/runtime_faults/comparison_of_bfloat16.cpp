#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement comparison_in_f32(const Node& node, Rewriter& rw) {
  if (node.input_type(0).element_type != ElementType::bf16) return declined("not bf16");
  const ops::Convert widen{.destination_type = ElementType::f32};
  return rw.copy_with_new_inputs(node, {rw.fold(widen, node.input(0)), rw.fold(widen, node.input(1))}).output();
}

}  // namespace

void register_comparison_of_bfloat16(PassRegistry& passes) {
  passes.add(
      avoid_fault("ComparisonOfBfloat16", {.form = "comparison of bf16",
                                           .symptom = "not compiled where shapes and constants determine the result",
                                           .first = "2021.4",
                                           .last = "2021.4",
                                           .replacement = "the comparison of f32"})
          .run_after({"MaximaOfInfinities"})  // which looks for the reduction above the comparison
          .add(lowering<ops::Equal>("Equal", comparison_in_f32))
          .add(lowering<ops::NotEqual>("NotEqual", comparison_in_f32))
          .add(lowering<ops::Less>("Less", comparison_in_f32))
          .add(lowering<ops::LessEqual>("LessEqual", comparison_in_f32))
          .add(lowering<ops::Greater>("Greater", comparison_in_f32))
          .add(lowering<ops::GreaterEqual>("GreaterEqual", comparison_in_f32)));
}

}  // namespace mo::transformations
