// The part of ChangedSizes that is about constant tensors with the batch of the exported model.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "phases/front/framework_op.hpp"
#include "phases/partial_inference/changed_sizes.hpp"
#include "phases/partial_inference/size_rewrites.hpp"

namespace mo::phases {
namespace {

/// A recurrent layer of a framework: an initial state has the batch of the data.
struct RecurrentLayer {
  std::string_view op;
  std::size_t data = 0;
  std::int64_t data_axis = 0;
  std::size_t state = 0;
  std::int64_t state_axis = 0;
};
constexpr std::array<RecurrentLayer, 11> kRecurrentLayers = {{
    {"LSTM", 0, 1, 5, 1},  // ONNX, layout 0
    {"LSTM", 0, 1, 6, 1},
    {"GRU", 0, 1, 5, 1},
    {"RNN", 0, 1, 5, 1},
    {"BlockLSTM", 1, 1, 2, 0},  // TensorFlow
    {"BlockLSTM", 1, 1, 3, 0},
    {"BlockLSTMV2", 1, 1, 2, 0},
    {"BlockLSTMV2", 1, 1, 3, 0},
    {"LSTMBlockCell", 0, 0, 1, 0},
    {"LSTMBlockCell", 0, 0, 2, 0},
    {"GRUBlockCell", 0, 0, 1, 0},
}};

bool has_size(const Node& node, std::size_t i, std::size_t axis, std::int64_t size) {
  const PartialShape& shape = node.input_type(i).shape;
  return shape.has_rank() && axis < shape.size() && shape[axis] == Dimension(size);
}

/// Inputs of a loop that each iteration gives to the next one.
template <class L>
std::vector<std::size_t> carried_by(const L& loop) {
  std::vector<std::size_t> inputs;
  for (const ops::InputMap& map : loop.input_map)
    if (!map.axis && map.input >= 0 &&
        std::any_of(loop.back_edges.begin(), loop.back_edges.end(),
                    [&](const ops::BackEdge& edge) { return edge.parameter == map.parameter; }))
      inputs.push_back(static_cast<std::size_t>(map.input));
  return inputs;
}

std::vector<std::size_t> carried_inputs(const Node& node, std::string_view framework) {
  if (const auto* loop = node.as<ops::Loop>()) return carried_by(*loop);
  if (const auto* iterator = node.as<ops::TensorIterator>()) return carried_by(*iterator);
  // ONNX: Loop has the count and the condition before the states, Scan the tensors to be scanned after them.
  const auto op = framework == "onnx" ? framework_op(node.op_type(), framework) : std::nullopt;
  std::size_t first = op == "Loop" ? 2 : 0;
  const auto scanned = static_cast<std::size_t>(std::max<std::int64_t>(
      0, op == "Scan" ? node.attr<std::int64_t>("num_scan_inputs").value_or(0) : std::int64_t{0}));
  std::vector<std::size_t> inputs;
  if (op == "Loop" || op == "Scan")
    for (; first + scanned < node.in_port_count(); ++first) inputs.push_back(first);
  return inputs;
}

struct ChangedDimension {
  std::size_t input = 0;
  std::int64_t axis = 0;
  std::int64_t exported = 0;
};

/// A dimension of another input that was changed, and whose exported size the state has once.
std::optional<ChangedDimension> changed_dimension(const Node& node, std::size_t state, const ExportedInputs& before) {
  const PartialShape& shape = node.input_type(state).shape;
  for (std::size_t i = 0; i < before.shapes.size(); ++i)
    for (std::size_t axis = 0; i != state && axis < before.shapes[i].dims().size(); ++axis)
      if (const auto size = before.changed_size(node, i, axis);
          size && std::count(shape.begin(), shape.end(), Dimension(*size)) == 1)
        return ChangedDimension{i, static_cast<std::int64_t>(axis), *size};
  return std::nullopt;
}

}  // namespace

void ChangedSizes::repair_concat(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  const auto* concat = node.as<ops::Concat>();
  const std::size_t count = concat ? node.in_port_count() : node.in_port_count() - 1;
  const auto at = concat ? std::optional(concat->axis) : single_integer_of(node.input(count));
  const auto rank = node.input_type(0).rank();
  const auto own_axis = at && rank ? normalize_axis(*at, *rank) : std::nullopt;
  if (!own_axis) return;
  for (std::int64_t axis = 0; axis < *rank; ++axis) {
    if (axis == *own_axis) continue;
    const auto at_axis = static_cast<std::size_t>(axis);
    for (std::size_t like = 0; like < count; ++like) {
      const auto size = before.changed_size(node, like, at_axis);
      if (!size) continue;
      for (std::size_t i = 0; i < count; ++i)
        if (has_size(node, i, at_axis, *size)) stretch(rewriter, node, i, axis, like, axis);
      break;
    }
  }
}

void ChangedSizes::repair_loop(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  for (const std::size_t state : carried_inputs(node, framework_)) {
    if (!node.input(state) || !node.input(state).node().is<Const>()) continue;
    const PartialShape& shape = node.input_type(state).shape;
    // Counters and conditions have one dimension at most.
    if (!shape.has_rank() || shape.size() < 2) continue;
    if (const auto found = changed_dimension(node, state, before)) {
      const auto place = std::find(shape.begin(), shape.end(), Dimension(found->exported)) - shape.begin();
      stretch(rewriter, node, state, place, found->input, found->axis);
    }
  }
}

void ChangedSizes::repair_states(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  const std::string_view op = framework_op(node.op_type(), framework_).value_or("");
  for (const RecurrentLayer& layer : kRecurrentLayers) {
    if (op != layer.op || layer.state >= node.in_port_count() || !node.input(layer.state)) continue;
    const bool batch_first = node.attr<std::int64_t>("layout").value_or(0) == 1;  // ONNX
    const std::int64_t data_axis = batch_first ? 0 : layer.data_axis;
    const std::int64_t state_axis = batch_first ? 0 : layer.state_axis;
    const auto size = before.changed_size(node, layer.data, static_cast<std::size_t>(data_axis));
    if (size && has_size(node, layer.state, static_cast<std::size_t>(state_axis), *size))
      stretch(rewriter, node, layer.state, state_axis, layer.data, data_axis);
  }
}

void ChangedSizes::stretch(Rewriter& rewriter, const Node& node, std::size_t i, std::int64_t axis, std::size_t like,
                           std::int64_t like_axis) {
  if (const Value made = stretched(rewriter, node.input(i), axis, node.input(like), like_axis))
    set_input(rewriter, node, i, made);
  else
    keep(node, i, fmt::format("its rows along dimension {} differ", axis));
}

}  // namespace mo::phases
