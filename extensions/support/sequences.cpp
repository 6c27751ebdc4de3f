#include "extensions/support/sequences.hpp"

#include <algorithm>

#include "extensions/support/front.hpp"

namespace mo::front {

Value without_identity(Value value) {
  constexpr int kMostSteps = 64;  // a cycle, which only a broken model has, ends the search
  for (int step = 0; step < kMostSteps && value && value.node().is("OnnxIdentity"); ++step) value = value.node().input(0);
  return value;
}

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

Value sequence_of(Rewriter& rw, const std::vector<Value>& elements) {
  return rw.create_node(front_op(elements.empty() ? "OnnxSequenceEmpty" : "OnnxSequenceConstruct"), elements, 1).output();
}

bool is_slices(const Value& sequence) {
  return sequence && sequence.node().is("OnnxSplitToSequence") && sequence.node().input(0) && !sequence.node().input(1);
}

Value slices_of(Rewriter& rw, const Value& x) {
  return rw.create_node(front_op("OnnxSplitToSequence", {{"axis", std::int64_t{0}}, {"keepdims", false}}), {x}, 1).output();
}

Diagnostic unknown_pieces(const Node& node) {
  return node.error("MO-ONNX-0238", "the sequence is not made of known tensors at known places")
      .hint("the IR has no sequences; cut the model before this node with --output, or export it without them");
}

}  // namespace mo::front
