#include "ops/convert.hpp"
#include "ops/pooling.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement with_short_indices(const Node& node, Rewriter& rw) {
  ops::AdaptiveMaxPool op = *node.as<ops::AdaptiveMaxPool>();
  if (op.index_element_type != ElementType::i64) return Replacement::declined();
  op.index_element_type = ElementType::i32;
  const Node made = rw.create_node(std::move(op), {node.input(0), node.input(1)});
  if (node.output(1).disconnected()) return Outputs{made.output(0), Value()};
  return Outputs{made.output(0), rw.create(ops::Convert{.destination_type = ElementType::i64}, made.output(1))};
}

}  // namespace

void register_adaptive_max_pool_of_long_indices(PassRegistry& passes) {
  passes.add(avoid_fault("AdaptiveMaxPoolOfLongIndices",
                         {.form = "AdaptiveMaxPool with indices of i64",
                          .symptom = "not compiled; before 2023.3 only when the indices are not read",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "indices of i32, Convert"})
                 .add(lowering<ops::AdaptiveMaxPool>("ShortIndices", with_short_indices)));
}

}  // namespace mo::transformations
