#include <algorithm>
#include <limits>
#include <numeric>

#include "frontends/onnx/ops/support/sequences.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// A sequence or an optional value waits for the nodes that read it.
Replacement wait_for_readers(const FrameworkNode& node, Rewriter&) { return node.node().output(); }

/// Element `place` of SplitToSequence(x, lengths), where the lengths are known numbers or not given (1 each).
Value split_element(Rewriter& rw, const Node& split, std::int64_t place) {
  const Value x = split.input(0);
  const std::int64_t axis = split_axis(split);
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
  if (!x || place < -kFarthest || place > kFarthest) return {};
  if (!split.input(1)) {
    const Value element =
        slice_along(rw, x, axis, place, place == -1 ? std::numeric_limits<std::int64_t>::max() : place + 1);
    return keeps_split_axis(split) ? element : rw.create(ops::Squeeze{}, element, rw.integers({axis}));
  }
  const auto lengths = integers_of(split.input(1));
  if (!lengths || std::any_of(lengths->begin(), lengths->end(), [](std::int64_t l) { return l < 0 || l > kFarthest; }))
    return {};
  if (type_of(split.input(1)).rank() == 0)
    return place < 0 || place > (1 << 20)
               ? Value()
               : slice_along(rw, x, axis, place * lengths->front(), (place + 1) * lengths->front());
  const auto size = static_cast<std::int64_t>(lengths->size());
  if (place < 0) place += size;
  if (place < 0 || place >= size) return {};
  const std::int64_t begin = std::accumulate(lengths->begin(), lengths->begin() + place, std::int64_t{0});
  return slice_along(rw, x, axis, begin, begin + (*lengths)[static_cast<std::size_t>(place)]);
}

/// The same for a place that is only known when the model runs, of a split into slices of 1.
Value computed_element(Rewriter& rw, const Node& split, const Value& place) {
  const std::int64_t axis = split_axis(split);
  Value at = as_scalar(rw, as_i64(rw, place));
  const Value count = dimension_of(rw, split.input(0), axis);
  const Value negative = rw.create(ops::Less{}, at, rw.scalar<std::int64_t>(0));
  at = rw.create(ops::Select{}, negative, rw.create(ops::Add{}, at, count), at);
  if (keeps_split_axis(split)) at = as_length(rw, at);
  return rw.create(ops::Gather{}, split.input(0), at, rw.scalar(axis));
}

/// SequenceAt(sequence, place) -> the tensor that was put there
Replacement sequence_at(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value sequence = without_identity(node.input(0));
  const auto place = single_integer_of(node.input(1));
  if (!sequence) return unknown_pieces(node);
  if (!place)
    return is_slices(sequence) ? Replacement(computed_element(rw, sequence.node(), node.input(1)))
                               : unknown_pieces(node);
  if (sequence.node().is("onnx::SplitToSequence")) {
    const Value element = split_element(rw, sequence.node(), *place);
    return element ? Replacement(element) : unknown_pieces(node);
  }
  const auto elements = elements_of(sequence);
  if (!elements) return unknown_pieces(node);
  const auto size = static_cast<std::int64_t>(elements->size());
  const std::int64_t at = *place < 0 ? *place + size : *place;
  if (at < 0 || at >= size)
    return node.error("MO-ONNX-0236", "element {} of a sequence of {}", *place, size)
        .hint("check the position in the model");
  return (*elements)[static_cast<std::size_t>(at)];
}

/// x with its first dimension at place `to`; empty when that requires an unknown rank.
Value with_first_axis_at(Rewriter& rw, const Value& x, std::int64_t to) {
  constexpr std::int64_t kMostDimensions = 64;
  if (const auto rank = type_of(x).rank(); rank && to < 0) to += *rank;
  if (to == 0) return x;
  if (to < -1 || to > kMostDimensions) return {};
  if (to == -1) return rw.create(ops::Transpose{}, x, join(rw, {axes_from(rw, x, 1), rw.integers({0})}));
  std::vector<std::int64_t> order(static_cast<std::size_t>(to));
  std::iota(order.begin(), order.end(), 1);
  order.push_back(0);
  return rw.create(ops::Transpose{}, x, join(rw, {rw.integers(order), axes_from(rw, x, to + 1)}));
}

/// The slices of x along its first axis, put together along `axis` of theirs, or along a new one.
Value joined_slices(Rewriter& rw, const Value& x, std::int64_t axis, bool new_axis) {
  if (new_axis) return with_first_axis_at(rw, x, axis);
  if (const auto rank = type_of(x).rank(); rank && axis < 0) axis += *rank - 1;
  const Value moved = axis < 0 ? Value() : with_first_axis_at(rw, x, axis);
  if (!moved) return {};
  // The two dimensions at `axis`, the slice and its own, become one.
  const Value shape = shape_of(rw, moved);
  const Value behind = slice_along(rw, shape, 0, axis + 2, std::numeric_limits<std::int64_t>::max());
  return rw.create(ops::Reshape{}, moved, join(rw, {slice_along(rw, shape, 0, 0, axis), rw.integers({-1}), behind}));
}

Replacement concat_from_sequence(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto axis = node.required<std::int64_t>("axis");
  const bool new_axis = node.attr("new_axis", false);
  if (node.failure()) return *node.failure();
  const Value sequence = without_identity(node.input(0));
  if (!sequence) return unknown_pieces(node);
  const Node split = sequence.node();
  // What was cut along an axis and joined along the same one is the whole again.
  if (split.is("onnx::SplitToSequence") && split.input(0) && !new_axis && split_axis(split) == axis &&
      (split.input(1) || keeps_split_axis(split)))
    return split.input(0);
  if (is_slices(sequence) && !keeps_split_axis(split) && split_axis(split) == 0) {
    const Value joined = joined_slices(rw, split.input(0), axis, new_axis);
    return joined ? Replacement(joined) : unknown_pieces(node);
  }
  auto elements = elements_of(sequence);
  if (!elements || elements->empty()) return unknown_pieces(node);
  if (new_axis)
    for (Value& element : *elements) element = rw.create(ops::Unsqueeze{}, element, rw.integers({axis}));
  return rw.create(ops::Concat{.axis = axis}, *elements);
}

/// How many parts SplitToSequence makes; an empty value when that depends on what is not known.
Value part_count(Rewriter& rw, const Node& split) {
  if (!split.input(0)) return {};
  const Value whole = as_scalar(rw, length_along(rw, split.input(0), split_axis(split)));
  if (!split.input(1)) return whole;
  const auto rank = type_of(split.input(1)).rank();
  if (rank == 1) return as_scalar(rw, shape_of(rw, split.input(1)));
  if (rank != 0) return {};
  // ceil(whole / part)
  const Value part = as_i64(rw, split.input(1));
  const Value padded = rw.create(ops::Subtract{}, rw.create(ops::Add{}, whole, part), rw.scalar<std::int64_t>(1));
  return rw.create(ops::Divide{.m_pythondiv = false}, padded, part);
}

Replacement sequence_length(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value sequence = without_identity(node.input(0));
  if (!sequence) return unknown_pieces(node);
  if (sequence.node().is("onnx::SplitToSequence")) {
    const Value count = part_count(rw, sequence.node());
    return count ? Replacement(count) : unknown_pieces(node);
  }
  const auto elements = elements_of(sequence);
  if (!elements) return unknown_pieces(node);
  return rw.scalar(static_cast<std::int64_t>(elements->size()));
}

/// Returns the value that the optional holds. Any other input is not an optional (allowed since opset 18).
Replacement optional_get_element(const FrameworkNode& node, Rewriter&) {
  MO_TRY(node.expect_inputs(1));
  const Value optional = without_identity(node.input(0));
  if (!is_optional(optional)) return optional;
  if (!optional.node().input(0))
    return node.error("MO-ONNX-0409", "the optional value is empty")
        .hint("the model fails at this node; export it again with a value, or without the optional");
  return optional.node().input(0);
}

Replacement optional_has_element(const FrameworkNode& node, Rewriter& rw) {
  const Value optional = without_identity(node.input(0));
  const bool holds = optional && (!is_optional(optional) || optional.node().input(0));
  return rw.scalar(holds);
}

}  // namespace

/// The IR has no sequences of tensors and no optional values. What is put into one and taken out again at known places
/// needs none: the nodes that take tensors out connect the ends; whatever is left is reported as not supported.
void register_sequence(OperatorTable& table) {
  for (const std::string_view name : {"SequenceConstruct", "SequenceInsert", "SequenceErase"})
    table.translate(std::string(name), since(11), wait_for_readers);
  table.translate("SequenceEmpty", since(11), [](const FrameworkNode& node, Rewriter& rw) {
    node.ignore({"dtype"}, "the type of an empty sequence; what is put into it has a type");
    return wait_for_readers(node, rw);
  });
  table.translate("SplitToSequence", since(11), [](const FrameworkNode& node, Rewriter& rw) {
    node.ignore({"axis", "keepdims"}, "read by the translators of the nodes that take tensors out of the sequence");
    return wait_for_readers(node, rw);
  });
  table.translate("SequenceAt", since(11), sequence_at);
  table.translate("SequenceLength", since(11), sequence_length);
  table.translate("ConcatFromSequence", since(11), concat_from_sequence);
  // Optional values: `type` only tells what an empty one would hold. Opset 18 lets tensors stand for optional values
  // that hold them.
  table.translate("Optional", since(15), [](const FrameworkNode& node, Rewriter& rw) {
    node.ignore({"type"}, "the type of an empty value, which has no tensor");
    return wait_for_readers(node, rw);
  });
  for (const VersionRange range : {versions(15, 17), since(18)}) {
    table.translate("OptionalGetElement", range, optional_get_element);
    table.translate("OptionalHasElement", range, optional_has_element);
  }
}

}  // namespace mo::onnx
