#include <numeric>

#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/strided_slice.hpp"

namespace mo::transformations {
namespace {

/// A bound is 0 and the other one counts from the back: x[0:-2] or x[-1:0:-1].
bool is_between_ends(std::int64_t start, std::int64_t stop, std::int64_t step) {
  return step > 0 ? start == 0 && stop < 0 : start < 0 && stop == 0;
}

Replacement strided_between_ends(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  const auto starts = integers_of(node.input(1));
  const auto stops = integers_of(node.input(2));
  const auto steps = integers_of(node.input(3));
  if (!rank || !starts || !stops || !steps || starts->size() != stops->size() || starts->size() != steps->size())
    return declined("the rank, bounds or steps are unknown");
  auto axes = node.input(4) ? integers_of(node.input(4)) : std::vector<std::int64_t>(starts->size());
  if (!axes || axes->size() != starts->size()) return declined("the axes are computed");
  if (!node.input(4)) std::iota(axes->begin(), axes->end(), 0);
  bool is_faulty = false;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis = normalize_axis((*axes)[i], *rank);
    if (!axis) return Replacement::declined();
    const bool has_known_size = node.input_type(0).shape[static_cast<std::size_t>(*axis)].is_known();
    is_faulty |= !has_known_size && is_between_ends((*starts)[i], (*stops)[i], (*steps)[i]);
  }
  if (!is_faulty) return declined("the sizes are known, or other bounds");
  const Value made = as_strided_slice(node, rw);
  return made ? Replacement(made) : Replacement::declined();
}

}  // namespace

void register_slice_between_ends(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "SliceBetweenEnds",
          {.form = "Slice of unknown size from 0 to a place counted from the back, or the reverse: x[0:-2], x[-1:0:-1]",
           .symptom = "not compiled: the runtime takes a huge number for the largest size of the result",
           .first = "2022.1",
           .last = "2022.3",
           .replacement = "StridedSlice"})
          .add(lowering<ops::Slice>("BetweenEnds", strided_between_ends)));
}

}  // namespace mo::transformations
