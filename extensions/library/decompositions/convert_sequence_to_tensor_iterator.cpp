#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "extensions/library/support/same_cell.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/term.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/squeeze.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::library::decompositions {
namespace {

/// All sequences are certainly `length` long: known numbers, or one constant stretched over the batch.
bool are_all(Value lengths, std::int64_t length) {
  if (!integers_of(lengths) && (lengths.node().is<ops::v3::Broadcast>() || lengths.node().is<ops::v1::Broadcast>()))
    lengths = lengths.node().input(0);
  const auto numbers = integers_of(lengths);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [=](std::int64_t n) { return n == length; });
}

/// Builds the TensorIterator of one sequence op. Its Parameters: a slice of x, the states, the lengths; where sequences may end early the number
/// of the step, from 1; weights that are no constants.
class SequenceLoop {
 public:
  SequenceLoop(const Node& sequence, std::size_t states, Rewriter& rw)
      : sequence_(sequence), states_(states), rw_(rw), inner_(iterator_.body.graph()), lengths_(sequence.input(states + 1)) {
    length_ = sequence.input_type(0).shape[1].value();
    masked_ = !are_all(lengths_, length_);
  }

  Outputs make(Op cell, bool reverse) {
    // Of sequences that end early, only the elements up to the end change their places.
    const bool exchanges = reverse && masked_;
    add_data(exchanges ? reversed(sequence_.input(0)) : sequence_.input(0), reverse && !masked_);
    for (std::size_t i = 0; i < states_; ++i) arguments_.push_back(add_whole(without(sequence_.input(1 + i), 1)));
    const Value lengths = add_whole(lengths_);
    const Value step = masked_ ? add_whole(first_step()) : Value();
    make_body(std::move(cell), lengths, step);
    const Node made = rw_.create_node(std::move(iterator_), inputs_, states_ + 1);
    Outputs outputs{unsqueezed(exchanges ? reversed(made.output(0)) : made.output(0))};
    for (std::size_t i = 0; i < states_; ++i) outputs.push_back(unsqueezed(made.output(1 + i)));
    return outputs;
  }

 private:
  Value reversed(const Value& x) { return rw_.create(ops::ReverseSequence{.batch_axis = 0, .seq_axis = 1}, x, lengths_); }
  Value outer_axis() { return axis_ ? axis_ : axis_ = rw_.integers({1}); }
  Value unsqueezed(const Value& x) { return rw_.create(ops::Unsqueeze{}, x, outer_axis()); }
  Value without(const Value& x, std::int64_t axis) { return rw_.fold(ops::Squeeze{}, x, axis == 1 ? outer_axis() : rw_.integers({axis})); }
  Value first_step() {
    auto one = from_integers(lengths_.type().element_type, {1}, {1});
    return one ? rw_.constant(*std::move(one)) : rw_.integers({1});
  }

  Value add_parameter(const TensorType& type, ops::InputMap map) {
    map.input = map.parameter = static_cast<std::int64_t>(iterator_.input_map.size());
    iterator_.input_map.push_back(map);
    return iterator_.body.graph().create_parameter(type).output();
  }
  Value add_whole(const Value& outer) {
    inputs_.push_back(outer);
    return add_parameter(outer.type(), {});
  }
  void add_data(const Value& outer, bool backwards) {
    inputs_.push_back(outer);
    ops::InputMap map;
    map.axis = 1;
    if (backwards) std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
    TensorType slice = outer.type();
    slice.shape[1] = 1;
    arguments_.push_back(add_parameter(slice, map));
    ops::OutputMap all;
    all.axis = 1;
    std::tie(all.start, all.end, all.stride) = std::tuple(map.start, map.end, map.stride);
    iterator_.output_map.push_back(all);
  }
  /// Weights have one direction in front; constants live in the body.
  Value weight(std::size_t i) {
    const Value outer = without(sequence_.input(i), 0);
    const Const* const constant = outer.node().as<Const>();
    return constant ? inner_.constant(constant->value) : add_whole(outer);
  }

  void make_body(Op op, const Value& lengths, const Value& step) {
    const Value axis = inner_.integers({1});
    std::vector<Value> inputs = arguments_;
    inputs[0] = inner_.create(ops::Squeeze{}, arguments_[0], axis);
    for (std::size_t i = states_ + 2; i < sequence_.in_port_count(); ++i)
      if (sequence_.input(i)) inputs.push_back(weight(i));
    const Node cell = inner_.create_node(std::move(op), inputs, states_);
    const Value over = masked_ ? inner_.create(ops::Unsqueeze{}, inner_.create(ops::Less{}, lengths, step), axis) : Value();
    const auto choose = [&](const Value& early, const Value& now) { return masked_ ? inner_.create(ops::Select{}, over, early, now) : now; };
    const Value shown = masked_ ? choose(inner_.scalar_like(cell.output(0), 0), cell.output(0)) : cell.output(0);
    Graph& body = iterator_.body.graph();
    body.create_result(inner_.create(ops::Unsqueeze{}, shown, axis));
    for (std::size_t i = 0; i < states_; ++i) {
      const auto result = static_cast<std::int64_t>(i) + 1;
      body.create_result(choose(arguments_[1 + i], cell.output(i)));
      iterator_.output_map.push_back(build::last_output(result, result));
      iterator_.back_edges.push_back({.result = result, .parameter = result});
    }
    if (!masked_) return;
    body.create_result(build::term(inner_, step) + 1);
    const auto count = static_cast<std::int64_t>(states_);
    iterator_.back_edges.push_back({.result = count + 1, .parameter = count + 2});
  }

  Node sequence_;
  std::size_t states_;
  Rewriter& rw_;
  ops::TensorIterator iterator_;
  Rewriter inner_;
  Value lengths_;
  std::int64_t length_ = 0;
  bool masked_ = false;
  Value axis_;
  std::vector<Value> inputs_;     ///< of the TensorIterator
  std::vector<Value> arguments_;  ///< Parameters: the slice of x and the states
};

template <OpLike Sequence, OpLike Cell>
void register_loop(PassLibrary& library, const std::string& name, std::size_t states) {
  const std::string type(Sequence::id.type);
  library.add(rewrite(name)
                  .described(type, "TensorIterator over " + std::string(Cell::id.type) + "; with a mask where sequences may end early",
                             "one direction; the number of steps is known")
                  .match(pattern::op<Sequence>())
                  .replace(of_op<Sequence>([=](const Node& node, const Sequence& op, Rewriter& rw) -> Replacement {
                    if (op.direction == ops::RecurrentDirection::bidirectional) return declined("both directions");
                    const PartialShape& data = node.input_type(0).shape;
                    if (!data.has_rank() || data.size() != 3 || !data[1].is_known()) return declined("the number of steps is unknown");
                    return SequenceLoop(node, states, rw).make(same_cell<Cell>(op), op.direction == ops::RecurrentDirection::reverse);
                  })));
}

}  // namespace

void register_convert_sequence_to_tensor_iterator(PassLibrary& library) {
  register_loop<ops::RNNSequence, ops::RNNCell>(library, "ConvertRNNSequenceToTensorIterator", 1);
  register_loop<ops::GRUSequence, ops::GRUCell>(library, "ConvertGRUSequenceToTensorIterator", 1);
  register_loop<ops::v5::LSTMSequence, ops::v4::LSTMCell>(library, "ConvertLSTMSequenceToTensorIterator", 2);
  library.add(pipeline("ConvertSequenceToTensorIterator")
                  .described("RNNSequence, GRUSequence, LSTMSequence", "TensorIterator over the cell")
                  .group("ConvertSequenceToTensorIterator",
                         {"ConvertRNNSequenceToTensorIterator", "ConvertGRUSequenceToTensorIterator", "ConvertLSTMSequenceToTensorIterator"}));
}

}  // namespace mo::library::decompositions
