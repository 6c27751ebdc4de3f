#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "extensions/support/front_shapes.hpp"
#include "extensions/support/sequences.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

/// Element `place` of SplitToSequence(x, lengths), where the lengths are known numbers or not given (1 each).
Value split_element(Rewriter& rw, const Node& split, std::int64_t place) {
  const Value x = split.input(0);
  const std::int64_t axis = split.attr<std::int64_t>("axis").value_or(0);
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
  if (!x || place < -kFarthest || place > kFarthest) return {};
  if (!split.input(1)) {
    const Value element = slice_along(rw, x, axis, place, place == -1 ? std::numeric_limits<std::int64_t>::max() : place + 1);
    return split.attr<bool>("keepdims").value_or(true) ? element : rw.create(ops::Squeeze{}, element, rw.integers({axis}));
  }
  const auto lengths = known_integers(split.input(1));
  if (!lengths || std::any_of(lengths->begin(), lengths->end(), [](std::int64_t l) { return l < 0 || l > kFarthest; })) return {};
  if (known_type(split.input(1)).rank() == 0)
    return place < 0 || place > (1 << 20) ? Value() : slice_along(rw, x, axis, place * lengths->front(), (place + 1) * lengths->front());
  const auto size = static_cast<std::int64_t>(lengths->size());
  if (place < 0) place += size;
  if (place < 0 || place >= size) return {};
  std::int64_t begin = 0;
  for (std::int64_t i = 0; i < place; ++i) begin += (*lengths)[static_cast<std::size_t>(i)];
  return slice_along(rw, x, axis, begin, begin + (*lengths)[static_cast<std::size_t>(place)]);
}

/// The same for a place that is only known when the model runs, of a split into slices of 1.
Value computed_element(Rewriter& rw, const Node& split, const Value& place) {
  const std::int64_t axis = split.attr<std::int64_t>("axis").value_or(0);
  Value at = as_scalar(rw, as_i64(rw, place));
  const Value count = dimension_of(rw, split.input(0), axis);
  const Value negative = rw.create(ops::Less{}, at, rw.scalar<std::int64_t>(0));
  at = rw.create(ops::Select{}, negative, rw.create(ops::Add{}, at, count), at);
  if (split.attr<bool>("keepdims").value_or(true)) at = as_length(rw, at);
  return rw.create(ops::Gather{}, split.input(0), at, rw.scalar(axis));
}

/// SequenceAt(sequence, place) -> the tensor that was put there
Replacement replace_sequence_at(const Node& node, Rewriter& rw) {
  if (!node.input(0)) return missing_input(node);
  const auto place = known_integers(node.input(1));
  if (!place || place->size() != 1) {
    if (!node.input(1) || !is_slices(node.input(0))) return unknown_pieces(node);
    return computed_element(rw, node.input(0).node(), node.input(1));
  }
  if (node.input(0).node().is("OnnxSplitToSequence")) {
    const Value element = split_element(rw, node.input(0).node(), place->front());
    if (!element) return unknown_pieces(node);
    return element;
  }
  const auto elements = elements_of(node.input(0));
  if (!elements) return unknown_pieces(node);
  const auto size = static_cast<std::int64_t>(elements->size());
  const std::int64_t at = place->front() < 0 ? place->front() + size : place->front();
  if (at < 0 || at >= size)
    return node.error("MO-ONNX-0236", "element {} of a sequence of {}", place->front(), size).hint("check the position in the model");
  return (*elements)[static_cast<std::size_t>(at)];
}

/// x with its first dimension at place `to`; empty when that takes a rank that nobody knows.
Value with_first_axis_at(Rewriter& rw, const Value& x, std::int64_t to) {
  constexpr std::int64_t kMostDimensions = 64;
  if (const auto rank = known_shape(x).rank(); rank && to < 0) to += *rank;
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
  if (const auto rank = known_shape(x).rank(); rank && axis < 0) axis += *rank - 1;
  const Value moved = axis < 0 ? Value() : with_first_axis_at(rw, x, axis);
  if (!moved) return {};
  // The two dimensions at `axis`, the slice and its own, become one.
  const Value shape = shape_of(rw, moved);
  const Value behind = slice_along(rw, shape, 0, axis + 2, std::numeric_limits<std::int64_t>::max());
  return rw.create(ops::Reshape{}, moved, join(rw, {slice_along(rw, shape, 0, 0, axis), rw.integers({-1}), behind}));
}

Replacement replace_concat_from_sequence(const Node& node, Rewriter& rw) {
  const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(0);
  const bool new_axis = node.attr<bool>("new_axis").value_or(false);
  if (!node.input(0)) return missing_input(node);
  // What was cut along an axis and joined along the same one is the whole again.
  if (const Node split = node.input(0).node(); split.is("OnnxSplitToSequence") && split.input(0) && !new_axis &&
                                               split.attr<std::int64_t>("axis") == axis &&
                                               (split.input(1) || split.attr<bool>("keepdims").value_or(true)))
    return split.input(0);
  if (is_slices(node.input(0)) && !node.input(0).node().attr<bool>("keepdims").value_or(true) &&
      node.input(0).node().attr<std::int64_t>("axis").value_or(0) == 0) {
    const Value joined = joined_slices(rw, node.input(0).node().input(0), axis, new_axis);
    if (!joined) return unknown_pieces(node);
    return joined;
  }
  auto elements = elements_of(node.input(0));
  if (!elements || elements->empty()) return unknown_pieces(node);
  if (new_axis)
    for (Value& element : *elements) element = rw.create(ops::Unsqueeze{}, element, rw.integers({axis}));
  return rw.create(ops::Concat{.axis = axis}, *elements);
}

/// How many parts SplitToSequence makes; an empty value when that depends on what is not known.
Value part_count(Rewriter& rw, const Node& split) {
  if (!split.input(0)) return {};
  const Value whole = as_scalar(rw, length_along(rw, split.input(0), split.attr<std::int64_t>("axis").value_or(0)));
  if (!split.input(1)) return whole;
  const auto rank = known_type(split.input(1)).rank();
  if (rank == 1) return as_scalar(rw, shape_of(rw, split.input(1)));
  if (rank != 0) return {};
  // ceil(whole / part)
  const Value part = as_i64(rw, split.input(1));
  const Value padded = rw.create(ops::Subtract{}, rw.create(ops::Add{}, whole, part), rw.scalar<std::int64_t>(1));
  return rw.create(ops::Divide{.m_pythondiv = false}, padded, part);
}

Replacement replace_sequence_length(const Node& node, Rewriter& rw) {
  if (!node.input(0)) return missing_input(node);
  if (const Node split = node.input(0).node(); split.is("OnnxSplitToSequence")) {
    const Value count = part_count(rw, split);
    if (!count) return unknown_pieces(node);
    return count;
  }
  const auto elements = elements_of(node.input(0));
  if (!elements) return unknown_pieces(node);
  return rw.scalar(static_cast<std::int64_t>(elements->size()));
}

// -- optional values ---------------------------------------------------------------------------------------------------------------

/// An optional value that holds something is that something; whatever else ends up here was no optional to begin with (since opset 18).
Replacement replace_optional_get_element(const Node& node, Rewriter&) {
  const Value optional = without_identity(node.input(0));
  if (!optional) return missing_input(node);
  if (!optional.node().is("OnnxOptional")) return optional;
  if (!optional.node().input(0)) return node.error("MO-ONNX-0409", "the optional value is empty").hint("the model fails here; check how it was made");
  return optional.node().input(0);
}

Replacement replace_optional_has_element(const Node& node, Rewriter& rw) {
  const Value optional = without_identity(node.input(0));
  const bool holds = optional && (!optional.node().is("OnnxOptional") || optional.node().input(0));
  return rw.scalar(holds);
}

/// What is still a sequence or an optional value by now cannot be a tensor of the IR: error MO-ONNX-0408 says who reads it.
Expected<bool> report_left_sequences(Graph& graph, PassContext&) {
  constexpr std::array<std::string_view, 6> kMakers = {"OnnxSequenceConstruct", "OnnxSequenceEmpty",   "OnnxSequenceInsert",
                                                       "OnnxSequenceErase",     "OnnxSplitToSequence", "OnnxOptional"};
  if (std::none_of(kMakers.begin(), kMakers.end(), [&](std::string_view maker) { return graph.has_op(maker); })) return false;
  for (const Node node : graph.nodes()) {
    if (std::find(kMakers.begin(), kMakers.end(), node.type()) == kMakers.end() || node.output().disconnected()) continue;
    const Node reader = node.output().get_destinations().front().node();
    if (std::find(kMakers.begin(), kMakers.end(), reader.type()) != kMakers.end()) continue;  // that one is reported
    const std::string_view kind = node.is("OnnxOptional") ? "an optional value" : "a sequence";
    if (reader.is<Result>())
      return node.error("MO-ONNX-0408", "output '{}' is {}, and an IR has only tensors as results", reader.name(), kind)
          .hint("choose tensors as outputs of the model with --output");
    return node.error("MO-ONNX-0408", "{} '{}' reads {}, and an IR hands on only tensors", reader.type(), reader.name(), kind)
        .hint("cut the model before it with --output, or export it without sequences and optional values");
  }
  return false;
}

}  // namespace

void register_sequence(PassRegistry& passes) {
  const std::vector<std::string> readers = {"OnnxSequenceAt", "OnnxConcatFromSequence", "OnnxSequenceLength"};
  std::vector<std::string> after_optional = readers;
  after_optional.insert(after_optional.end(), {"OnnxSequenceMap", "OnnxSequenceLoop", "OnnxSequenceCapture"});
  passes.add(front_replacement_op("OnnxOptionalGetElement")
                 .run_after({"OnnxSequenceIf"})
                 .run_before(after_optional)
                 .replace_op(replace_optional_get_element));
  passes.add(front_replacement_op("OnnxOptionalHasElement")
                 .run_after({"OnnxSequenceIf"})
                 .run_before(after_optional)
                 .replace_op(replace_optional_has_element));
  std::vector<std::string> before_report = readers;
  before_report.push_back("OnnxIdentity");
  passes.add(graph_pass("OnnxSequencesLeft").phase(Phase::front).run_after(before_report).run(report_left_sequences));
  passes.add(front_replacement_op("OnnxSequenceAt").replace_op(replace_sequence_at));
  passes.add(front_replacement_op("OnnxConcatFromSequence").replace_op(replace_concat_from_sequence));
  passes.add(front_replacement_op("OnnxSequenceLength").replace_op(replace_sequence_length));
}

}  // namespace mo::front::onnx
