#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/convolved.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// ReduceL1(x) -> ReduceSum(Abs(x)), ReduceL2(x) -> Sqrt(ReduceSum(x * x)), when the channels are reduced as well.
template <class T>
Replacement as_sum(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!leaves_room_behind_channels(x.type()))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  const auto axes = integers_of(node.input(1));
  const std::int64_t rank = *x.type().rank();
  const auto is_channels = [rank](std::int64_t axis) { return normalize_axis(axis, rank) == 1; };
  if (axes && std::none_of(axes->begin(), axes->end(), is_channels)) return declined("not over the channels");
  const ops::ReduceSum sum{.keep_dims = node.as<T>()->keep_dims};
  if constexpr (std::is_same_v<T, ops::ReduceL1>) return rw.create(sum, rw.create(ops::Abs{}, x), node.input(1));
  return rw.create(ops::Sqrt{}, rw.create(sum, rw.create(ops::Multiply{}, x, x), node.input(1)));
}

}  // namespace

void register_norms_of_channels(PassRegistry& passes) {
  passes.add(
      avoid_fault("NormsOfChannels",
                  {.form = "ReduceL1 and ReduceL2 over the channels, with channels that are not a multiple of 16",
                   .symptom = "wrong numbers between convolutions: what is in the memory after the channels counts",
                   .first = "2021.4",
                   .last = "2021.4",
                   .replacement = "ReduceSum of Abs; Sqrt of ReduceSum of squares"})
          .add(lowering<ops::ReduceL1>("NormOfChannels1", as_sum<ops::ReduceL1>))
          .add(lowering<ops::ReduceL2>("NormOfChannels2", as_sum<ops::ReduceL2>)));
}

}  // namespace mo::transformations
