#include "frontends/onnx/ops/support/pad.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/range.hpp"
#include "ops/scatter.hpp"
#include "ops/split.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// What is added at both ends of each dimension.
struct Padding {
  Value begin;
  Value end;
};

/// The halves of one list: all begins, then all ends.
Padding halves(Rewriter& rw, const Value& pads) {
  if (const auto numbers = integers_of(pads); numbers && numbers->size() % 2 == 0) {
    const auto middle = numbers->begin() + static_cast<std::ptrdiff_t>(numbers->size() / 2);
    return {rw.integers(Integers(numbers->begin(), middle)), rw.integers(Integers(middle, numbers->end()))};
  }
  const Node split = rw.create_node(ops::Split{.num_splits = 2}, {pads, rw.scalar<std::int64_t>(0)}, 2);
  return {split.output(0), split.output(1)};
}

/// ONNX Pad-19, wrap: the data repeats itself. Element i of a padded dimension is element (i - begin) mod length.
Replacement pad_by_wrapping(const FrameworkNode& node, Rewriter& rw, Value x, const Value& all_pads,
                            const Value& all_axes) {
  const auto pads = integers_of(all_pads);
  const auto axes = integers_of(all_axes);
  // Numbers may be computed, but how many there are, and the axes of the Gathers, belong to the graph.
  const auto entries = type_of(all_pads).shape.element_count();
  if (!entries || *entries % 2 != 0 || (all_axes && (!axes || static_cast<std::int64_t>(axes->size()) != *entries / 2)))
    return node.error("MO-ONNX-0225", "the mode wrap needs a known number of pads, and known axes")
        .hint("make them constants in the model");
  const std::int64_t count = *entries / 2;
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  for (std::int64_t i = 0; i < count; ++i) {
    if (pads) {
      const std::int64_t begin = (*pads)[static_cast<std::size_t>(i)];
      const std::int64_t end = (*pads)[static_cast<std::size_t>(count + i)];
      if (begin == 0 && end == 0) continue;
      if (begin < -kLargest || begin > kLargest || end < -kLargest || end > kLargest)
        return node.error("MO-ONNX-0212", "{} and {} are not valid pad lengths", begin, end)
            .hint("check the input pads");
    }
    const std::int64_t axis = axes ? (*axes)[static_cast<std::size_t>(i)] : i;
    const Value length = as_scalar(rw, length_along(rw, x, axis));
    const Term begin(rw, integer_at(rw, all_pads, i), ElementType::i64);
    const Value stop = rw.create(ops::Add{}, length, integer_at(rw, all_pads, count + i));
    const Value places = rw.create(ops::Range{.output_type = ElementType::i64}, begin.apply(ops::Negative{}).value(),
                                   stop, rw.scalar<std::int64_t>(1));
    x = rw.create(ops::Gather{}, x, rw.create(ops::FloorMod{}, places, length), rw.scalar(axis));
  }
  return x;
}

}  // namespace

Value for_all_axes(Rewriter& rw, const Value& x, const Value& numbers, const Value& axes) {
  const Value rank = rank_length(rw, x);
  const auto known = integers_of(axes);
  const Value places = none_negative(known) ? rw.integers(*known) : rw.create(ops::FloorMod{}, as_i64(rw, axes), rank);
  return rw.create(ops::v3::ScatterElementsUpdate{}, repeat(rw, rw.scalar<std::int64_t>(0), rank), places, numbers,
                   rw.scalar<std::int64_t>(0));
}

Replacement pad_tensor(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& pads, const Value& value,
                       const Value& axes, const std::string& mode) {
  if (mode == "wrap") return pad_by_wrapping(node, rw, x, pads, axes);
  Op op = ops::Pad{};
  if (mode != "constant" && mode != "reflect" && mode != "edge")
    return node.error("MO-ONNX-0226", "mode is \"{}\"", mode)
        .hint("mode is constant, reflect or edge, and from opset 19 on wrap");
  MO_TRY(op.set_attribute("pad_mode", mode));
  Padding padding = halves(rw, pads);
  if (axes) padding = {for_all_axes(rw, x, padding.begin, axes), for_all_axes(rw, x, padding.end, axes)};
  if (mode != "constant") return rw.create(std::move(op), x, padding.begin, padding.end);
  return rw.create(std::move(op), x, padding.begin, padding.end, value ? as_scalar(rw, value) : number_like(rw, x, 0));
}

}  // namespace mo::onnx
