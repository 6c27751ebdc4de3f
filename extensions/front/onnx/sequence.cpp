#include <algorithm>
#include <limits>

#include "extensions/support/front_shapes.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

/// The tensors of a sequence that is made of known pieces at known places; nothing otherwise.
std::optional<std::vector<Value>> elements_of(Value sequence) {
  // Down to where it begins, then the changes on the way, oldest first.
  std::vector<Node> changes;
  constexpr std::size_t kMostChanges = 10000;
  while (sequence && changes.size() < kMostChanges &&
         (sequence.node().is("OnnxSequenceInsert") || sequence.node().is("OnnxSequenceErase") || sequence.node().is("OnnxIdentity"))) {
    changes.push_back(sequence.node());
    sequence = sequence.node().input(0);
  }
  if (!sequence) return std::nullopt;
  std::vector<Value> elements;
  if (sequence.node().is("OnnxSequenceConstruct")) {
    for (const InPort& port : sequence.node().in_ports()) elements.push_back(port.get_source());
  } else if (!sequence.node().is("OnnxSequenceEmpty")) {
    return std::nullopt;
  }
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (change->is("OnnxIdentity")) continue;
    const bool insert = change->is("OnnxSequenceInsert");
    const auto size = static_cast<std::int64_t>(elements.size());
    std::int64_t place = insert ? size : size - 1;
    if (const Value position = change->input(insert ? 2 : 1)) {
      const auto known = known_integers(position);
      if (!known || known->size() != 1) return std::nullopt;
      place = known->front() < 0 ? known->front() + size : known->front();
    }
    if (place < 0 || place > size || (!insert && place == size)) return std::nullopt;
    if (insert)
      elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(place), change->input(1));
    else
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
  }
  if (std::any_of(elements.begin(), elements.end(), [](const Value& v) { return !v; })) return std::nullopt;
  return elements;
}

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

Diagnostic unknown_pieces(const Node& node) {
  return node.error("MO-ONNX-0238", "the sequence is not made of known tensors at known places")
      .hint("the IR has no sequences; cut the model before this node with --output, or export it without them");
}

/// SequenceAt(sequence, place) -> the tensor that was put there
Replacement replace_sequence_at(const Node& node, Rewriter& rw) {
  if (!node.input(0)) return missing_input(node);
  const auto place = known_integers(node.input(1));
  if (!place || place->size() != 1) return unknown_pieces(node);
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

Replacement replace_concat_from_sequence(const Node& node, Rewriter& rw) {
  const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(0);
  const bool new_axis = node.attr<bool>("new_axis").value_or(false);
  if (!node.input(0)) return missing_input(node);
  // What was cut along an axis and joined along the same one is the whole again.
  if (const Node split = node.input(0).node(); split.is("OnnxSplitToSequence") && split.input(0) && !new_axis &&
                                               split.attr<std::int64_t>("axis") == axis &&
                                               (split.input(1) || split.attr<bool>("keepdims").value_or(true)))
    return split.input(0);
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

}  // namespace

void register_sequence(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxSequenceAt").replace_op(replace_sequence_at));
  passes.add(front_replacement_op("OnnxConcatFromSequence").replace_op(replace_concat_from_sequence));
  passes.add(front_replacement_op("OnnxSequenceLength").replace_op(replace_sequence_length));
}

}  // namespace mo::front::onnx
