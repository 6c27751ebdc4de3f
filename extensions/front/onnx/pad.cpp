#include <algorithm>

#include "core/tensor/convert.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/range.hpp"
#include "ops/scatter.hpp"
#include "ops/split.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// Numbers for some axes as numbers for all: zero where an axis is not named. Axes may count from the back.
Value for_all_axes(Rewriter& rw, const Value& x, const Value& numbers, const Value& axes) {
  const Value rank = rank_length(rw, x);
  const auto known = known_integers(axes);
  const bool positive = known && std::all_of(known->begin(), known->end(), [](std::int64_t a) { return a >= 0; });
  const Value places = positive ? rw.integers(*known) : rw.create(ops::FloorMod{}, as_i64(rw, axes), rank);
  return rw.create(ops::v3::ScatterElementsUpdate{}, repeat(rw, rw.scalar<std::int64_t>(0), rank), places, numbers, rw.scalar<std::int64_t>(0));
}

/// What is added in front of and behind each dimension.
struct Padding {
  Value begin;
  Value end;
};

/// The halves of one list: all begins, then all ends.
Padding halves(Rewriter& rw, const Value& pads) {
  if (const auto numbers = known_integers(pads); numbers && numbers->size() % 2 == 0) {
    const auto middle = numbers->begin() + static_cast<std::ptrdiff_t>(numbers->size() / 2);
    return {rw.integers(Integers(numbers->begin(), middle)), rw.integers(Integers(middle, numbers->end()))};
  }
  const Node split = rw.create_node(ops::Split{.num_splits = 2}, {pads, rw.scalar<std::int64_t>(0)}, 2);
  return {split.output(0), split.output(1)};
}

/// ONNX Pad-19, wrap: the data repeats itself. Element i of a padded dimension is element (i - begin) mod length.
Replacement pad_by_wrapping(const Node& node, Rewriter& rw) {
  const auto pads = known_integers(node.input(1));
  std::optional<Integers> axes;
  if (node.input(3)) axes = known_integers(node.input(3));
  if (!pads || pads->size() % 2 != 0 || (node.input(3) && (!axes || axes->size() != pads->size() / 2)))
    return node.error("MO-ONNX-0225", "the mode wrap needs known pads and axes").hint("make them constants in the model");
  const std::size_t count = pads->size() / 2;
  Value x = node.input(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = (*pads)[i];
    const std::int64_t end = (*pads)[count + i];
    if (begin == 0 && end == 0) continue;
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    if (begin < -kLargest || begin > kLargest || end < -kLargest || end > kLargest)
      return node.error("MO-ONNX-0212", "{} and {} are no lengths of padding", begin, end).hint("check the input pads");
    const std::int64_t axis = axes ? (*axes)[i] : static_cast<std::int64_t>(i);
    const Value length = as_scalar(rw, length_along(rw, x, axis));
    const Value stop = rw.create(ops::Add{}, length, rw.scalar(end));
    const Value places = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar(-begin), stop, rw.scalar<std::int64_t>(1));
    x = rw.create(ops::Gather{}, x, rw.create(ops::FloorMod{}, places, length), rw.scalar(axis));
  }
  return x;
}

/// Inputs from opset 11 on: data, pads, value, axes; before, pads and value are attributes.
Replacement replace_pad(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const std::string mode = node.attr<std::string>("mode").value_or("constant");
  const auto attribute = node.attr<Integers>("pads");
  if (!attribute && !node.input(1)) return node.error("MO-ONNX-0223", "pads are missing").hint("Pad-11 needs them as an input");
  if (mode == "wrap" && !attribute) return pad_by_wrapping(node, rw);
  Op op = ops::Pad{};
  if (mode != "constant" && mode != "reflect" && mode != "edge")
    return node.error("MO-ONNX-0226", "mode is \"{}\"", mode).hint("mode is constant, reflect or edge, and from opset 19 on wrap");
  if (auto set = op.set_attribute("pad_mode", mode); !set) return std::move(set).error();

  Padding padding = halves(rw, attribute ? rw.integers(*attribute) : node.input(1));
  if (node.input(3)) padding = {for_all_axes(rw, x, padding.begin, node.input(3)), for_all_axes(rw, x, padding.end, node.input(3))};
  if (mode != "constant") return rw.create(std::move(op), x, padding.begin, padding.end);
  const Value value = attribute       ? number_like(rw, x, node.attr<double>("value").value_or(0))
                      : node.input(2) ? as_scalar(rw, node.input(2))
                                      : number_like(rw, x, 0);
  return rw.create(std::move(op), x, padding.begin, padding.end, value);
}

/// CenterCropPad-18 -> Pad with what is missing on each side, negative where the data is larger. The odd element is at the end.
Replacement replace_center_crop_pad(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x || !node.input(1)) return missing_input(node);
  const auto axes = node.attr<Integers>("axes");
  Value lengths = shape_of(rw, x);
  if (axes) lengths = rw.create(ops::Gather{}, lengths, rw.integers(*axes), rw.scalar<std::int64_t>(0));
  const Value missing = rw.create(ops::Subtract{}, as_i64(rw, node.input(1)), lengths);
  // Towards zero: cropping 3 elements takes 1 in front and 2 behind.
  Value begin = rw.create(ops::Divide{.m_pythondiv = false}, missing, rw.scalar<std::int64_t>(2));
  Value end = rw.create(ops::Subtract{}, missing, begin);
  if (axes) {
    begin = for_all_axes(rw, x, begin, rw.integers(*axes));
    end = for_all_axes(rw, x, end, rw.integers(*axes));
  }
  return rw.create(ops::Pad{}, x, begin, end, number_like(rw, x, 0));
}

}  // namespace

void register_pad(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxPad").replace_op(replace_pad));
  passes.add(front_replacement_op("OnnxCenterCropPad").replace_op(replace_center_crop_pad));
}

}  // namespace mo::front::onnx
