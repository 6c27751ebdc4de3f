#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/logical.hpp"
#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// any(x) -> sum(x) > 0; all(x) -> sum(not x) == 0: right for no elements as well, where a maximum or minimum of
/// integers is not.
template <class T>
Replacement counted(const Node& node, Rewriter& rw) {
  if (!node.input(1) || integers_of(node.input(1))) return declined("the axes are constant");
  constexpr bool any = std::is_same_v<T, ops::ReduceLogicalOr>;
  const Value marked = any ? node.input(0) : rw.create(ops::LogicalNot{}, node.input(0));
  const Value numbers = rw.create(ops::Convert{.destination_type = ElementType::i32}, marked);
  const Value count = rw.create(ops::ReduceSum{.keep_dims = node.as<T>()->keep_dims}, numbers, node.input(1));
  const Value zero = rw.scalar<std::int32_t>(0);
  return any ? rw.create(ops::Greater{}, count, zero) : rw.create(ops::Equal{}, count, zero);
}

}  // namespace

void register_logical_reduction_of_computed_axes(PassRegistry& passes) {
  passes.add(avoid_fault("LogicalReductionOfComputedAxes",
                         {.form = "ReduceLogicalOr and ReduceLogicalAnd with computed axes",
                          .symptom = "not compiled",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "ReduceSum of the elements that are (not) true, compared with 0"})
                 .add(lowering<ops::ReduceLogicalOr>("ReduceLogicalOr", counted<ops::ReduceLogicalOr>))
                 .add(lowering<ops::ReduceLogicalAnd>("ReduceLogicalAnd", counted<ops::ReduceLogicalAnd>)));
}

}  // namespace mo::transformations
