#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/op_rules.hpp"
#include "transformations/support/same_cell.hpp"

namespace mo::transformations {
namespace {

/// Where the parts of a loop over one cell are.
struct CellLoop {
  Node cell;
  const ops::InputMap* slices = nullptr;
  std::int64_t axis = 0;  ///< of the steps: 0 or 1
  std::vector<const ops::InputMap*> states;
  std::vector<std::pair<std::size_t, std::size_t>> last;  ///< output of the loop, state
  std::vector<std::size_t> all;                           ///< outputs of the loop: all steps
};

/// The dimensions of `larger` without the one of size 1 at `axis` are certainly those of `smaller`: then a Reshape
/// between them adds or drops that dimension, whatever numbers it says this with.
bool differ_by_step(const PartialShape& larger, const PartialShape& smaller, std::int64_t axis) {
  if (!larger.has_rank() || !smaller.has_rank() || larger.size() != smaller.size() + 1) return false;
  const auto step = static_cast<std::size_t>(axis);
  if (larger[step] != Dimension(1)) return false;
  for (std::size_t i = 0; i < smaller.size(); ++i)
    if (!smaller[i].same_value(larger[i < step ? i : i + 1])) return false;
  return true;
}

/// A Reshape to a batch of 1 and a computed width, of a tensor whose batch is unknown: it only fits a batch of 1, and
/// so says that it is 1.
bool says_batch_of_one(const Node& reshape, std::size_t batch, const PartialShape& given, std::size_t given_batch) {
  const auto shape = constant_integers_of(reshape.input(1));
  return shape && (*shape)[batch] == 1 && shape->back() == -1 && given[given_batch].compatible(Dimension(1));
}

/// `x` under the shape that Squeeze or Unsqueeze at `axis` gives a tensor of rank 3.
bool drops_step(const Node& node, std::int64_t axis) {
  if (node.is<ops::Squeeze>()) {
    const auto axes = known_axes(node.input(1), 3);
    return axes && *axes == std::vector<std::int64_t>{axis};
  }
  const PartialShape& slice = type_of(node.input(0)).shape;
  const PartialShape& step = node.output_type().shape;
  if (!node.is<ops::Reshape>() || slice.rank() != 3 || step.rank() != 2) return false;
  return differ_by_step(slice, step, axis) || says_batch_of_one(node, 0, slice, static_cast<std::size_t>(1 - axis));
}

bool adds_step(const Node& node, std::int64_t axis) {
  if (node.is<ops::Unsqueeze>()) {
    const auto axes = known_axes(node.input(1), 3);
    return axes && *axes == std::vector<std::int64_t>{axis};
  }
  const PartialShape& state = type_of(node.input(0)).shape;
  const PartialShape& slice = node.output_type().shape;
  if (!node.is<ops::Reshape>() || state.rank() != 2 || slice.rank() != 3 ||
      slice[static_cast<std::size_t>(axis)] != Dimension(1))
    return false;
  return differ_by_step(slice, state, axis) || says_batch_of_one(node, static_cast<std::size_t>(1 - axis), state, 0);
}

/// One step at a time, from one end to the other.
bool runs_over_all(std::int64_t start, std::int64_t end, std::int64_t stride, std::int64_t part_size,
                   std::int64_t length) {
  const auto place = [&](std::int64_t i) { return i < 0 ? i + length : i; };
  if (part_size != 1) return false;
  if (stride == 1) return place(start) == 0 && place(end) == length - 1;
  return stride == -1 && place(start) == length - 1 && place(end) == 0;
}

class CellLoopReader {
 public:
  CellLoopReader(const Node& node, const LoopParts& parts)
      : node_(node),
        parts_(parts),
        arguments_(loop_arguments(parts)),
        parameters_(parts.body->parameters()),
        results_(parts.body->results()) {}

  template <OpLike Cell>
  std::optional<CellLoop> read(std::size_t states) {
    for (const Node node : parts_.body->nodes()) {
      if (!node.is<Cell>()) continue;
      if (found_.cell) return std::nullopt;
      found_.cell = node;
    }
    if (!found_.cell || !read_slices() || !read_states(states)) return std::nullopt;
    for (const ops::OutputMap& map : *parts_.outputs)
      if (!read_output(map, states)) return std::nullopt;
    return std::move(found_);
  }

 private:
  std::optional<std::size_t> parameter_of(const Value& value) const {
    const auto at = std::find(parameters_.begin(), parameters_.end(), value.node());
    return at == parameters_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - parameters_.begin()));
  }
  Value result(std::int64_t i) const { return results_[static_cast<std::size_t>(i)].input(0); }
  std::int64_t length() const {
    const PartialShape& data = node_.input_type(static_cast<std::size_t>(found_.slices->input)).shape;
    return data[static_cast<std::size_t>(found_.axis)].value();
  }

  bool read_slices() {
    const Node step = found_.cell.input(0).node();
    const auto parameter = step.in_port_count() > 0 && step.input(0) ? parameter_of(step.input(0)) : std::nullopt;
    if (!parameter || !arguments_[*parameter].is_sliced()) return false;
    const ops::InputMap& map = *arguments_[*parameter].map;
    const PartialShape& data = node_.input_type(static_cast<std::size_t>(map.input)).shape;
    if (!data.has_rank() || data.size() != 3 || *map.axis < 0 || *map.axis > 1 ||
        !data[static_cast<std::size_t>(*map.axis)].is_known())
      return false;
    found_.slices = &map;
    found_.axis = *map.axis;
    return drops_step(step, found_.axis) && runs_over_all(map.start, map.end, map.stride, map.part_size, length());
  }

  bool read_states(std::size_t states) {
    for (std::size_t i = 0; i < states; ++i) {
      const auto parameter = parameter_of(found_.cell.input(1 + i));
      if (!parameter || !arguments_[*parameter].is_state() ||
          result(arguments_[*parameter].back_edge->result) != found_.cell.output(i))
        return false;
      found_.states.push_back(arguments_[*parameter].map);
    }
    for (std::size_t i = 1 + states; i < found_.cell.in_port_count(); ++i)
      if (!found_.cell.input(i) || !found_.cell.input(i).node().is<Const>()) return false;
    return true;
  }

  bool read_output(const ops::OutputMap& map, std::size_t states) {
    const Value value = result(map.result);
    const auto output = static_cast<std::size_t>(map.output);
    for (std::size_t i = 0; i < states && !map.axis; ++i) {
      if (value != found_.cell.output(i)) continue;
      found_.last.emplace_back(output, i);
      return true;
    }
    if (map.axis != found_.axis || map.stride != found_.slices->stride || value.node().in_port_count() == 0 ||
        value.node().input(0) != found_.cell.output(0) || !adds_step(value.node(), found_.axis))
      return false;
    found_.all.push_back(output);
    return runs_over_all(map.start, map.end, map.stride, map.part_size, length());
  }

  Node node_;
  const LoopParts& parts_;
  std::vector<LoopArgument> arguments_;
  std::vector<Node> parameters_;
  std::vector<Node> results_;
  CellLoop found_;
};

/// i32 [batch]: the number of steps, once for each sequence.
Value full_lengths(Rewriter& rw, const Value& data, std::int64_t axis, std::int64_t steps) {
  const Value batch = rw.create(ops::v7::Gather{}, rw.create(ops::v3::ShapeOf{}, data), rw.integers({1 - axis}),
                                rw.scalar<std::int64_t>(0));
  return rw.create(ops::v3::Broadcast{}, rw.scalar(static_cast<std::int32_t>(steps)), batch);
}

template <OpLike Sequence, OpLike Cell>
Replacement as_sequence(const Node& node, const CellLoop& loop, Rewriter& rw) {
  const auto outer = [&](const ops::InputMap& map) { return node.input(static_cast<std::size_t>(map.input)); };
  const Value data = outer(*loop.slices);
  const Value axis = rw.integers({1});
  std::vector<Value> inputs{loop.axis == 1 ? data : transposed_by(rw, data, {1, 0, 2})};
  for (const ops::InputMap* state : loop.states) inputs.push_back(rw.create(ops::Unsqueeze{}, outer(*state), axis));
  inputs.push_back(full_lengths(rw, data, loop.axis, data.type().shape[static_cast<std::size_t>(loop.axis)].value()));
  for (std::size_t i = 1 + loop.states.size(); i < loop.cell.in_port_count(); ++i)
    inputs.push_back(
        rw.fold(ops::Unsqueeze{}, rw.constant(loop.cell.input(i).node().as<Const>()->value), rw.integers({0})));
  auto op = same_cell<Sequence>(*loop.cell.as<Cell>());
  op.direction = loop.slices->stride > 0 ? ops::RecurrentDirection::forward : ops::RecurrentDirection::reverse;
  const Node sequence = rw.create_node(std::move(op), inputs, loop.states.size() + 1);
  const auto without_direction = [&](std::size_t output) {
    return rw.create(ops::Squeeze{}, sequence.output(output), axis);
  };
  Outputs outputs(node.out_port_count());
  for (const std::size_t output : loop.all) {
    const Value steps = without_direction(0);
    outputs[output] = loop.axis == 1 ? steps : transposed_by(rw, steps, {1, 0, 2});
  }
  for (const auto& [output, state] : loop.last) outputs[output] = without_direction(1 + state);
  return outputs;
}

template <OpLike Sequence, OpLike Cell>
void register_sequence(PassRegistry& passes, const std::string& name, std::size_t states) {
  passes.offer(rewrite(name)
                   .described("TensorIterator over " + std::string(Cell::id.type), std::string(Sequence::id.type),
                              "slices of one step along dimension 0 or 1 of known size, from one end to the other; the "
                              "body is Squeeze, the cell, "
                              "Unsqueeze (or Reshapes that do the same), with constant weights")
                   .match(pattern::op<ops::TensorIterator>())
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.root().node();
                     const auto parts = loop_parts(node);
                     if (!parts) return declined("the maps do not fit the body");
                     const auto loop = CellLoopReader(node, *parts).read<Cell>(states);
                     if (!loop) return declined("does more than one cell over all steps");
                     return as_sequence<Sequence, Cell>(node, *loop, rw);
                   }));
}

}  // namespace

void register_convert_tensor_iterator_to_sequence(PassRegistry& passes) {
  register_sequence<ops::v5::LSTMSequence, ops::v4::LSTMCell>(passes, "ConvertTensorIteratorToLSTMSequence", 2);
  register_sequence<ops::RNNSequence, ops::RNNCell>(passes, "ConvertTensorIteratorToRNNSequence", 1);
  register_sequence<ops::GRUSequence, ops::GRUCell>(passes, "ConvertTensorIteratorToGRUSequence", 1);
  passes.offer(pipeline("ConvertTensorIteratorToSequence")
                   .described("TensorIterator over a cell", "LSTMSequence, RNNSequence, GRUSequence")
                   .group("ConvertTensorIteratorToSequence",
                          {"ConvertTensorIteratorToLSTMSequence", "ConvertTensorIteratorToRNNSequence",
                           "ConvertTensorIteratorToGRUSequence"}));
}

}  // namespace mo::transformations
