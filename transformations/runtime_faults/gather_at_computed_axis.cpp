#include <numeric>

#include "ops/build/tensors.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kMostDimensions = 64;

/// first, first + 1 … last - 1.
Value counted(Rewriter& rw, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(last - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return rw.integers(numbers);
}

Value choose(Rewriter& rw, const Value& is_below, const Value& a, const Value& b) {
  return rw.create(ops::Select{}, is_below, a, b);
}

/// The places of the first `batch` dimensions, then `others`: an order of a Transpose.
Value order_of(Rewriter& rw, std::int64_t batch, std::vector<Value> others) {
  if (batch > 0) others.insert(others.begin(), counted(rw, 0, batch));
  return others.size() == 1 ? others.front() : rw.create(ops::Concat{.axis = 0}, others);
}

/// Gather(data, indices, axis) -> Transpose that puts the axis after the batch dimensions, Gather there, and a
/// Transpose that puts the dimensions of the indices where the axis was.
template <OpLike T>
Replacement between_transposes(const Node& node, Rewriter& rw) {
  if (integers_of(node.input(2))) return Replacement::declined();
  const auto rank = node.input_type(0).rank();
  const auto indices_rank = node.input_type(1).rank();
  if (!rank || !indices_rank || *rank + *indices_rank > kMostDimensions)
    return declined("the rank of the data or of the indices is unknown");
  T op = *node.as<T>();
  const std::int64_t batch = op.batch_dims < 0 ? op.batch_dims + *indices_rank : op.batch_dims;
  if (batch < 0 || batch >= *rank || batch > *indices_rank) return Replacement::declined();
  const Value place = rw.scalar<std::int64_t>(batch);
  if (batch + 1 == *rank) return rw.create(std::move(op), node.input(0), node.input(1), place);

  const Value given = rw.create(ops::Reshape{.special_zero = false},
                                build::as_type(rw, node.input(2), ElementType::i64), rw.integers({1}));
  const Value from_front = rw.create(ops::Add{}, given, rw.scalar<std::int64_t>(*rank));
  const Value axis = choose(rw, rw.create(ops::Less{}, given, rw.scalar<std::int64_t>(0)), from_front, given);
  const Value others = choose(rw, rw.create(ops::Less{}, counted(rw, batch, *rank - 1), axis),
                              counted(rw, batch, *rank - 1), counted(rw, batch + 1, *rank));
  const Value in_front = rw.create(ops::Transpose{}, node.input(0), order_of(rw, batch, {axis, others}));
  const Value gathered = rw.create(std::move(op), in_front, node.input(1), place);

  const std::int64_t count = *indices_rank - batch;
  if (count == 0) return gathered;
  const std::int64_t result_rank = *rank - 1 + count;
  const Value places = counted(rw, batch, result_rank);
  const Value of_indices = rw.create(ops::Subtract{}, counted(rw, 2 * batch, result_rank + batch), axis);
  const Value is_behind =
      rw.create(ops::Less{}, rw.create(ops::Add{}, axis, rw.scalar<std::int64_t>(count - 1)), places);
  const Value from_axis = choose(rw, is_behind, places, of_indices);
  const Value back =
      choose(rw, rw.create(ops::Less{}, places, axis), counted(rw, batch + count, result_rank + count), from_axis);
  return rw.create(ops::Transpose{}, gathered, order_of(rw, batch, {back}));
}

}  // namespace

void register_gather_at_computed_axis(PassRegistry& passes) {
  passes.add(avoid_fault("GatherAtComputedAxis", {.form = "Gather whose axis is computed",
                                                  .symptom = "not compiled, or a crash",
                                                  .first = "2022.1",
                                                  .last = "latest",
                                                  .replacement = "Transpose, Gather along a known axis, Transpose"})
                 .add(lowering<ops::v1::Gather>("ComputedAxisOfGather1", between_transposes<ops::v1::Gather>))
                 .add(lowering<ops::v7::Gather>("ComputedAxisOfGather7", between_transposes<ops::v7::Gather>))
                 .add(lowering<ops::v8::Gather>("ComputedAxisOfGather8", between_transposes<ops::v8::Gather>)));
}

}  // namespace mo::transformations
