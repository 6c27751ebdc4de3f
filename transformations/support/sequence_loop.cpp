#include "transformations/support/sequence_loop.hpp"

#include <array>

#include "core/graph/runtime_info.hpp"
#include "core/graph/values.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/term.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// Builds the TensorIterator. Its Parameters: a slice of the data, the states; where sequences may end early their
/// lengths and the number of the step, from 1 up or from the number of steps down; weights that are not constants.
class SequenceLoop {
 public:
  SequenceLoop(SequenceLoopPlan plan, Rewriter& rw)
      : plan_(std::move(plan)),
        rw_(rw),
        inner_(iterator_.body.graph()),
        lengths_(plan_.sequence.input(plan_.states + 1)) {}

  Outputs make() {
    add_data();
    for (std::size_t i = 0; i < plan_.states; ++i)
      arguments_.push_back(add_whole(one_direction(plan_.sequence.input(1 + i), 1)));
    const Value lengths = plan_.ends_early || plan_.keeps_lengths ? lengths_in_body() : Value();
    const auto place_of_step = static_cast<std::int64_t>(inputs_.size());
    const Value step = plan_.ends_early ? add_whole(first_step()) : Value();
    make_body(lengths, step, place_of_step);
    // What is noted of the sequence holds for each of its steps.
    for (const Node node : iterator_.body.graph().nodes())
      if (!node.is<Parameter>() && !node.is<Result>() && !node.is<Const>())
        copy_runtime_info(std::array{plan_.sequence}, node);
    const Node made = rw_.create_node(std::move(iterator_), inputs_, plan_.states + 1);
    Outputs outputs;
    for (std::size_t i = 0; i <= plan_.states; ++i) outputs.push_back(made.output(i));
    return outputs;
  }

 private:
  /// States and weights without their dimension of directions.
  Value one_direction(const Value& x, std::int64_t axis) {
    if (plan_.place)
      return rw_.fold(ops::v1::Gather{}, x, rw_.scalar<std::int64_t>(*plan_.place), rw_.scalar<std::int64_t>(axis));
    return rw_.fold(ops::Squeeze{}, x, rw_.integers({axis}));
  }
  /// A vector of one element, of the type of the lengths.
  Value first_step() {
    const ElementType type = lengths_.type().element_type;
    const Dimension steps = plan_.data.type().shape[1];
    if (plan_.reverse && !steps.is_known()) {
      const ElementType counted = type == ElementType::i32 ? type : ElementType::i64;
      const Value sizes = rw_.create(ops::v3::ShapeOf{.output_type = counted}, plan_.data);
      const Value count = rw_.create(ops::v1::Gather{}, sizes, rw_.integers({1}), rw_.scalar<std::int64_t>(0));
      return counted == type ? count : rw_.create(ops::Convert{.destination_type = type}, count);
    }
    const std::int64_t first = plan_.reverse ? steps.value() : 1;
    auto number = from_integers(type, {1}, {first});
    return number ? rw_.constant(*std::move(number)) : rw_.integers({first});
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
  void add_data() {
    inputs_.push_back(plan_.data);
    ops::InputMap map;
    map.axis = 1;
    if (plan_.reverse) std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
    TensorType slice = plan_.data.type();
    slice.shape[1] = 1;
    arguments_.push_back(add_parameter(slice, map));
    ops::OutputMap all;
    all.axis = 1;
    std::tie(all.start, all.end, all.stride) = std::tuple(map.start, map.end, map.stride);
    iterator_.output_map.push_back(all);
  }
  /// [batch, input]
  Value data_of_step(const Value& slice, const Value& axis) {
    if (!plan_.batch) return inner_.create(ops::Squeeze{}, slice, axis);
    const Dimension input = slice.type().shape[2];
    return inner_.create(ops::Reshape{.special_zero = false}, slice,
                         inner_.integers({*plan_.batch, input.is_known() ? input.value() : -1}));
  }
  /// The loops of two directions share no constant, which crashes the newest runtime.
  Value lengths_in_body() {
    const Const* const constant = plan_.place ? lengths_.node().as<Const>() : nullptr;
    return constant ? inner_.constant(constant->value) : add_whole(lengths_);
  }
  /// Constants live in the body.
  Value weight(std::size_t i) {
    const Value outer = one_direction(plan_.sequence.input(i), 0);
    const Const* const constant = outer.node().as<Const>();
    return constant ? inner_.constant(constant->value) : add_whole(outer);
  }

  void make_body(const Value& lengths, const Value& step, std::int64_t place_of_step) {
    const std::size_t states = plan_.states;
    const bool masked = plan_.ends_early;
    const Value axis = inner_.integers({1});
    std::vector<Value> inputs = arguments_;
    inputs[0] = data_of_step(arguments_[0], axis);
    for (std::size_t i = states + 2; i < plan_.sequence.in_port_count(); ++i)
      if (plan_.sequence.input(i)) inputs.push_back(weight(i));
    const Node cell = inner_.create_node(std::move(plan_.cell), inputs, states);
    const Value over =
        masked ? inner_.create(ops::Unsqueeze{}, inner_.create(ops::Less{}, lengths, step), axis) : Value();
    const auto choose = [&](const Value& early, const Value& now) {
      return masked ? inner_.create(ops::Select{}, over, early, now) : now;
    };
    const Value shown = masked ? choose(inner_.scalar_like(arguments_[1], 0), cell.output(0)) : cell.output(0);
    Graph& body = iterator_.body.graph();
    body.create_result(inner_.create(ops::Unsqueeze{}, shown, axis));
    for (std::size_t i = 0; i < states; ++i) {
      const auto result = static_cast<std::int64_t>(i) + 1;
      body.create_result(choose(arguments_[1 + i], cell.output(i)));
      iterator_.output_map.push_back(build::last_output(result, result));
      iterator_.back_edges.push_back({.result = result, .parameter = result});
    }
    if (!masked) return;
    body.create_result(build::term(inner_, step) + (plan_.reverse ? -1 : 1));
    iterator_.back_edges.push_back({.result = static_cast<std::int64_t>(states) + 1, .parameter = place_of_step});
  }

  SequenceLoopPlan plan_;
  Rewriter& rw_;
  ops::TensorIterator iterator_;
  Rewriter inner_;
  Value lengths_;
  std::vector<Value> inputs_;     ///< of the TensorIterator
  std::vector<Value> arguments_;  ///< Parameters: the slice of the data and the states
};

}  // namespace

Outputs make_sequence_loop(SequenceLoopPlan plan, Rewriter& rw) { return SequenceLoop(std::move(plan), rw).make(); }

}  // namespace mo::transformations
