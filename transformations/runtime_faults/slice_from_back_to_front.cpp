#include <algorithm>
#include <limits>
#include <numeric>

#include "ops/gather.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

/// The bounds of a slice along some axes.
struct Bounds {
  Integers axes, starts, stops, steps;

  void add(const Bounds& from, std::size_t i) {
    axes.push_back(from.axes[i]);
    starts.push_back(from.starts[i]);
    stops.push_back(from.stops[i]);
    steps.push_back(from.steps[i]);
  }
};

/// x[-4:9] and x[9:-4:-1]: the start counts from the back and the stop from the front, or the reverse. A longer tensor
/// may have a shorter part.
bool shrinks(const Bounds& of, std::size_t i) {
  return of.steps[i] > 0
             ? of.starts[i] < 0 && of.stops[i] > 0 && of.stops[i] < std::numeric_limits<std::int32_t>::max()
             : of.starts[i] >= 0 && of.stops[i] < -1 && of.starts[i] < std::numeric_limits<std::int32_t>::max();
}

/// Those of `bounds` along unknown sizes of `x` that shrink, and the others.
std::pair<Bounds, Bounds> divided(const Bounds& bounds, const Value& x) {
  std::pair<Bounds, Bounds> made;
  for (std::size_t i = 0; i < bounds.axes.size(); ++i) {
    const bool has_known_size = x.type().shape[static_cast<std::size_t>(bounds.axes[i])].is_known();
    (!has_known_size && shrinks(bounds, i) ? made.first : made.second).add(bounds, i);
  }
  return made;
}

Value slice(Rewriter& rw, const Value& x, const Bounds& bounds, const Value& starts) {
  return rw.create(ops::Slice{}, x, starts, rw.integers(bounds.stops), rw.integers(bounds.steps),
                   rw.integers(bounds.axes));
}

/// Where the part starts, counted from the front: max(size + start, 0), backwards min(size - 1, start).
Value computed_starts(Rewriter& rw, const Value& x, const Bounds& bounds) {
  Integers offsets;
  Integers lowest;
  Integers highest;
  for (std::size_t i = 0; i < bounds.axes.size(); ++i) {
    const bool is_forward = bounds.steps[i] > 0;
    offsets.push_back(is_forward ? bounds.starts[i] : -1);
    lowest.push_back(is_forward ? 0 : std::numeric_limits<std::int32_t>::min());
    highest.push_back(is_forward ? std::numeric_limits<std::int32_t>::max() : bounds.starts[i]);
  }
  const auto is_forward = [](std::int64_t step) { return step > 0; };
  const Value shape = rw.create(ops::ShapeOf{.output_type = ElementType::i64}, x);
  const Value sizes = rw.create(ops::v1::Gather{}, shape, rw.integers(bounds.axes), rw.scalar<std::int64_t>(0));
  Value starts = rw.create(ops::Add{}, sizes, rw.integers(offsets));
  if (std::any_of(bounds.steps.begin(), bounds.steps.end(), is_forward))
    starts = rw.create(ops::Maximum{}, starts, rw.integers(lowest));
  if (!std::all_of(bounds.steps.begin(), bounds.steps.end(), is_forward))
    starts = rw.create(ops::Minimum{}, starts, rw.integers(highest));
  return starts;
}

/// The bounds of a Slice; nothing when some of them are computed.
std::optional<Bounds> bounds_of_slice(const Node& node, std::int64_t rank) {
  const auto starts = integers_of(node.input(1));
  const auto stops = integers_of(node.input(2));
  const auto steps = integers_of(node.input(3));
  if (!starts || !stops || !steps || stops->size() != starts->size() || steps->size() != starts->size())
    return std::nullopt;
  auto axes = node.input(4) ? integers_of(node.input(4)) : Integers(starts->size());
  if (!axes || axes->size() != starts->size()) return std::nullopt;
  if (!node.input(4)) std::iota(axes->begin(), axes->end(), 0);
  for (std::int64_t& axis : *axes) {
    const auto place = normalize_axis(axis, rank);
    if (!place) return std::nullopt;
    axis = *place;
  }
  return Bounds{.axes = *axes, .starts = *starts, .stops = *stops, .steps = *steps};
}

/// slice(x, bounds) -> slice(slice(x, the others), those that shrink, from computed places)
Replacement of_slice(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const auto rank = x.type().rank();
  const auto bounds = rank ? bounds_of_slice(node, *rank) : std::nullopt;
  if (!bounds) return declined("the rank or a bound is unknown");
  const auto [shrinking, others] = divided(*bounds, x);
  if (shrinking.axes.empty()) return declined("the sizes are known, or other bounds");
  const Value rest = others.axes.empty() ? x : slice(rw, x, others, rw.integers(others.starts));
  return slice(rw, rest, shrinking, computed_starts(rw, rest, shrinking));
}

bool is_set(const Integers& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }
bool is_any_set(const Integers& mask) {
  return std::any_of(mask.begin(), mask.end(), [](std::int64_t bit) { return bit != 0; });
}

/// The same for a StridedSlice, which applies the other bounds afterwards.
Replacement of_strided_slice(const Node& node, Rewriter& rw) {
  ops::StridedSlice op = *node.as<ops::StridedSlice>();
  const Value x = node.input(0);
  auto begin = integers_of(node.input(1));
  auto end = integers_of(node.input(2));
  auto strides = node.input(3) ? integers_of(node.input(3)) : Integers(begin ? begin->size() : 0, 1);
  const auto rank = x.type().rank();
  if (!rank || !begin || !end || !strides || end->size() != begin->size() || strides->size() != begin->size() ||
      begin->size() > static_cast<std::size_t>(*rank))
    return declined("the rank or a bound is unknown");
  if (is_any_set(op.new_axis_mask) || is_any_set(op.ellipsis_mask))
    return declined("bounds are not those of the dimensions in their order");
  Bounds bounds;
  for (std::size_t i = 0; i < begin->size(); ++i) {
    if (is_set(op.begin_mask, i) || is_set(op.end_mask, i) || is_set(op.shrink_axis_mask, i)) continue;
    const Bounds here{.axes = {static_cast<std::int64_t>(i)},
                      .starts = {(*begin)[i]},
                      .stops = {(*end)[i]},
                      .steps = {(*strides)[i]}};
    bounds.add(here, 0);
  }
  const Bounds shrinking = divided(bounds, x).first;
  if (shrinking.axes.empty()) return declined("the sizes are known, or other bounds");
  op.begin_mask.resize(begin->size(), 0);
  op.end_mask.resize(begin->size(), 0);
  for (const std::int64_t axis : shrinking.axes) {
    const auto i = static_cast<std::size_t>(axis);
    op.begin_mask[i] = op.end_mask[i] = (*strides)[i] = 1;
    (*begin)[i] = (*end)[i] = 0;
  }
  const Value part = slice(rw, x, shrinking, computed_starts(rw, x, shrinking));
  const auto takes_all = [&](std::size_t i) {
    return op.begin_mask[i] != 0 && op.end_mask[i] != 0 && (*strides)[i] == 1;
  };
  bool is_done = !is_any_set(op.shrink_axis_mask);
  for (std::size_t i = 0; i < begin->size(); ++i) is_done &= takes_all(i);
  if (is_done) return part;
  return rw.create(std::move(op), part, rw.integers(*begin), rw.integers(*end), rw.integers(*strides));
}

}  // namespace

void register_slice_from_back_to_front(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "SliceFromBackToFront",
          {.form = "Slice and StridedSlice of unknown size between a place counted from the back and one counted from "
                   "the front: x[-4:9], x[9:-4:-1]",
           .symptom = "not computed: the runtime expects sizes between those of the smallest and of the largest tensor",
           .first = "2022.1",
           .last = "latest",
           .replacement = "Slice from a computed place"})
          .add(lowering<ops::Slice>("SliceFromComputedPlace", of_slice))
          .add(lowering<ops::StridedSlice>("StridedSliceFromComputedPlace", of_strided_slice)));
}

}  // namespace mo::transformations
