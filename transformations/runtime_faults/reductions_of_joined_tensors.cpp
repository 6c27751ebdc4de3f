#include <algorithm>

#include "ops/concat.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Each input of the Concat has one element along its axis: what the runtimes make of them, the larger one of both, is
/// right.
bool joins_single_elements(const Node& concat, std::int64_t axis) {
  for (std::size_t i = 0; i < concat.in_port_count(); ++i) {
    const PartialShape& shape = concat.input_type(i).shape;
    if (!shape.has_rank()) return false;
    const auto place = normalize_axis(axis, static_cast<std::int64_t>(shape.size()));
    if (!place || shape[static_cast<std::size_t>(*place)] != Dimension(1)) return false;
  }
  return true;
}

/// reduce(concat(a, b), axis of the concat) -> the reduction of one dimension more, which is 1, along that and the
/// axis.
template <class T>
Replacement of_one_more_dimension(const Node& node, Rewriter& rw) {
  const Node joined = node.input(0).node();
  const auto* concat = joined.as<ops::Concat>();
  if (!concat || joined.in_port_count() != 2) return declined("no Concat of two inputs");
  const auto axes = integers_of(node.input(1));
  if (!axes || axes->size() != 1) return declined("not one known axis");
  const std::int64_t axis = axes->front();
  const auto rank = node.input_type(0).rank();
  const bool is_same = rank ? normalize_axis(axis, *rank) == normalize_axis(concat->axis, *rank) : axis == concat->axis;
  if (!is_same) return declined("along another axis");
  if (joins_single_elements(joined, axis)) return declined("one element of each");
  const Value whole = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({0}));
  const Value reduced = rw.create(*node.as<T>(), whole, rw.integers({0, axis < 0 ? axis : axis + 1}));
  return node.as<T>()->keep_dims ? rw.create(ops::Squeeze{}, reduced, rw.integers({0})) : reduced;
}

}  // namespace

void register_reductions_of_joined_tensors(PassRegistry& passes) {
  passes.add(avoid_fault(
                 "ReductionsOfJoinedTensors",
                 {.form = "ReduceMax or ReduceMin of a Concat of two tensors along its axis",
                  .symptom = "not compiled, or not reduced: the inputs are treated as tensors of size 1 along the axis",
                  .first = "2022.1",
                  .last = "2025.4",
                  .replacement = "Unsqueeze, and the reduction along the new dimension as well"})
                 .add(lowering<ops::ReduceMax>("ReduceMax", of_one_more_dimension<ops::ReduceMax>))
                 .add(lowering<ops::ReduceMin>("ReduceMin", of_one_more_dimension<ops::ReduceMin>)));
}

}  // namespace mo::transformations
