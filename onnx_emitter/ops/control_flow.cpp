#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/inner_graph.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/if.hpp"
#include "ops/loop.hpp"
#include "ops/support/iterate.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::onnx_emitter {
namespace {

constexpr std::int64_t kNoTripLimit = std::numeric_limits<std::int64_t>::max();
/// The places of the elements of a slice are a constant of so many numbers at most.
constexpr std::int64_t kMostInSlice = 65536;

std::size_t as_index(std::int64_t place) { return static_cast<std::size_t>(place); }

/// A tensor of one element as a scalar.
Value as_scalar(Translation& t, const Value& value, const TensorType& type) {
  return type.rank() == 0 ? value : t.op("Reshape", {value, t.integers({})});
}

Value scalar_i64(Translation& t, std::int64_t number) {
  return t.constant(*from_integers(ElementType::i64, {}, {number}));
}

// -- If ---------------------------------------------------------------------------------------------------------------

constexpr std::size_t kNoResult = std::numeric_limits<std::size_t>::max();

struct IfBranch {
  const Graph& body;
  const std::vector<ops::InputMap>& inputs;
  const std::vector<ops::OutputMap>& outputs;

  std::size_t result_of(std::size_t output) const {
    const auto map = std::find_if(outputs.begin(), outputs.end(), [&](const ops::OutputMap& m) {
      return m.output == static_cast<std::int64_t>(output);
    });
    return map == outputs.end() ? kNoResult : as_index(map->result);
  }
};

IfBranch branch_of(const ops::If& op, bool condition) {
  if (condition) return {op.then_body.graph(), op.then_input_map, op.then_output_map};
  return {op.else_body.graph(), op.else_input_map, op.else_output_map};
}

/// The tensors for the outputs of the node, computed by operators of `t`. `input` gives the tensor there for an input
/// of the node.
Expected<Outputs> branch_outputs(Translation& t, const IfBranch& branch,
                                 const std::function<Value(std::size_t)>& input) {
  Outputs parameters(branch.body.parameters().size());
  for (const ops::InputMap& map : branch.inputs) parameters[as_index(map.parameter)] = input(as_index(map.input));
  if (std::any_of(parameters.begin(), parameters.end(), [](const Value& value) { return !value; }))
    return t.refused("an input that its body reads is missing");
  MO_ASSIGN(const Outputs results, t.inlined(branch.body, parameters));
  Outputs outputs;
  for (std::size_t i = 0; i < t.node.out_port_count(); ++i) {
    const std::size_t result = branch.result_of(i);
    if (result >= results.size() || !results[result]) return t.refused("a branch gives no tensor for an output");
    outputs.push_back(results[result]);
  }
  return outputs;
}

/// Where the condition is known, only the branch that it takes has types: its operators come without an If.
Expected<Outputs> translate_if(Translation& t) {
  const auto& op = *t.node.as<ops::If>();
  if (const auto condition = whole_number_of(t.node.input(0)))
    return branch_outputs(t, branch_of(op, *condition != 0), [&](std::size_t i) { return t.input(i); });
  if (t.node.out_port_count() == 0) return t.refused("it has no outputs");
  InnerGraph then_graph(t);
  InnerGraph else_graph(t);
  for (const bool condition : {true, false}) {
    InnerGraph& graph = condition ? then_graph : else_graph;
    const IfBranch branch = branch_of(op, condition);
    MO_ASSIGN(const Outputs outputs,
              branch_outputs(graph.operators(), branch, [&](std::size_t i) { return graph.captured(t.input(i)); }));
    const std::vector<Node> results = branch.body.results();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const TensorType& type = results[branch.result_of(i)].input_type(0);
      if (type.element_type == ElementType::dynamic) return t.refused("the type of an output is unknown");
      graph.add_output(outputs[i], type);
    }
  }
  return InnerGraph::create(t, "If", {t.input(0)}, t.node.out_port_count(),
                            {{"then_branch", &then_graph}, {"else_branch", &else_graph}});
}

// -- Loop and TensorIterator ------------------------------------------------------------------------------------------

/// Translates into Loop of ONNX. Its body takes the number of the iteration, the condition and the states; it gives the
/// condition, the next states, and parts that are stacked along a new first axis.
class LoopTranslation {
 public:
  LoopTranslation(Translation& t, const ops::Iteration& loop)
      : t_(t), loop_(loop), inner_(t), parameters_(loop.body.parameters()), result_nodes_(loop.body.results()) {
    for (const ops::OutputMap& map : loop.outputs)
      if (map.output == -1) condition_result_ = as_index(map.result);
  }

  /// `trips` and `enter`: scalars; no trip count when there is no limit.
  Expected<Outputs> run(const Value& trips, const Value& enter) {
    const Value iteration = inner_.add_input({ElementType::i64, PartialShape(Shape{})}, "iteration");
    condition_ = inner_.add_input({ElementType::boolean, PartialShape(Shape{})}, "condition");
    Outputs arguments(parameters_.size());
    for (const ops::InputMap& map : loop_.inputs) {
      MO_ASSIGN(arguments[as_index(map.parameter)], argument(map, iteration));
    }
    MO_ASSIGN(results_, in().inlined(loop_.body, arguments));
    MO_TRY(add_last_values());
    inner_.add_output(next_condition(), {ElementType::boolean, PartialShape(Shape{})});
    for (const State& state : states_) MO_TRY(add_result(state.result));
    for (const ops::OutputMap& map : loop_.outputs)
      if (map.axis && is_read(map)) MO_TRY(add_scan(map));
    if (states_.empty() && scans_.empty()) return t_.refused("nothing reads what it computes");
    std::vector<Value> inputs{trips, enter};
    for (const State& state : states_) inputs.push_back(state.initial);
    const Outputs made =
        InnerGraph::create(t_, "Loop", std::move(inputs), states_.size() + scans_.size(), {{"body", &inner_}});

    Outputs outputs(t_.node.out_port_count());
    for (const ops::OutputMap& map : loop_.outputs)
      if (!map.axis && is_read(map)) outputs[as_index(map.output)] = made[*state_of(as_index(map.result))];
    for (std::size_t i = 0; i < scans_.size(); ++i)
      outputs[as_index(scans_[i].map->output)] = joined(made[states_.size() + i], scans_[i]);
    return outputs;
  }

 private:
  /// A tensor that goes from one iteration to the next, and comes out in the end.
  struct State {
    Value initial;
    std::size_t result;
  };
  /// A Result of which the parts of all iterations are joined.
  struct Scan {
    const ops::OutputMap* map;
    std::int64_t axis;  ///< from the front
    std::int64_t rank;  ///< of a part
    bool is_single;     ///< a part has one element along the axis, which is dropped before parts are stacked
  };

  Translation& in() { return inner_.operators(); }

  bool is_read(const ops::OutputMap& map) const {
    return map.output >= 0 && as_index(map.output) < t_.node.out_port_count() &&
           !t_.node.out_port(as_index(map.output)).disconnected();
  }

  std::optional<std::size_t> state_of(std::size_t result) const {
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i].result == result) return i;
    return std::nullopt;
  }

  // -- what goes in ---------------------------------------------------------------------------------------------------

  /// The tensor for a Parameter of the body.
  Expected<Value> argument(const ops::InputMap& map, const Value& iteration) {
    const Node& parameter = parameters_[as_index(map.parameter)];
    if (map.input == -1) return counter(parameter, iteration);
    const Value given = t_.input(as_index(map.input));
    if (!given) return t_.refused("an input that its body reads is missing");
    if (map.axis) return slice_of_iteration(map, inner_.captured(given), iteration);
    const auto edge = std::find_if(loop_.back_edges.begin(), loop_.back_edges.end(),
                                   [&](const ops::BackEdge& e) { return e.parameter == map.parameter; });
    if (edge == loop_.back_edges.end()) return inner_.captured(given);
    if (is_condition(map, as_index(edge->result))) return condition_;
    states_.push_back({given, as_index(edge->result)});
    return inner_.add_input(parameter.output_type(), parameter.name());
  }

  /// Whether a Parameter of a Loop is what the body of ONNX gets as condition.
  bool is_condition(const ops::InputMap& map, std::size_t result) const {
    return map.input == 1 && condition_result_ == result &&
           parameters_[as_index(map.parameter)].output_type().rank() == 0 &&
           std::none_of(loop_.outputs.begin(), loop_.outputs.end(),
                        [&](const ops::OutputMap& m) { return m.output >= 0 && as_index(m.result) == result; });
  }

  /// The number of the iteration is i64 or i32, and may have dimensions of 1.
  Value counter(const Node& parameter, const Value& iteration) {
    const auto& declared = *parameter.as<Parameter>();
    Value number = iteration;
    if (declared.element_type == ElementType::i32) number = in().cast(number, ElementType::i32);
    if (declared.shape.element_count() == 1 && declared.shape.size() > 0)
      number = in().op("Reshape", {number, in().integers(*declared.shape.to_shape())});
    return number;
  }

  /// The elements of one iteration; places count from the back where `start` does.
  Expected<Value> slice_of_iteration(const ops::InputMap& map, const Value& data, const Value& iteration) {
    if (map.part_size > kMostInSlice) return t_.refused("slices of many elements");
    std::vector<std::int64_t> places(as_index(map.part_size));
    std::iota(places.begin(), places.end(), map.stride > 0 ? map.start : map.start + 1 - map.part_size);
    const std::int64_t step = map.stride > 0 ? map.part_size : -map.part_size;
    const Value moved = step == 1 ? iteration : in().op("Mul", {iteration, scalar_i64(in(), step)});
    return in().op("Gather", {data, in().op("Add", {in().integers(places), moved})}, {{"axis", *map.axis}});
  }

  // -- what comes out -------------------------------------------------------------------------------------------------

  /// What the last iteration gives is a state as well, which no iteration reads.
  Expected<void> add_last_values() {
    for (const ops::OutputMap& map : loop_.outputs) {
      const std::size_t result = map.axis || !is_read(map) ? result_nodes_.size() : as_index(map.result);
      if (result == result_nodes_.size() || state_of(result)) continue;
      const TensorType& type = result_nodes_[result].input_type(0);
      const std::size_t width = bit_width(type.element_type);
      if (!type.shape.has_rank() || width == 0 || width % 8 != 0)
        return t_.refused("an output of the last iteration whose rank or type is unknown");
      std::vector<std::int64_t> sizes;
      for (const Dimension& d : type.shape) sizes.push_back(d.is_known() ? d.value() : 0);
      MO_ASSIGN(Tensor zero, from_integers(type.element_type, {1}, {0}));
      inner_.add_input({type.element_type, PartialShape()}, "last");
      states_.push_back({t_.op("ConstantOfShape", {t_.integers(sizes)}, {{"value", std::move(zero)}}), result});
    }
    return {};
  }

  /// Goes on as the body says; a TensorIterator always does.
  Value next_condition() {
    if (!condition_result_) return condition_;
    return as_scalar(in(), results_[*condition_result_], result_nodes_[*condition_result_].input_type(0));
  }

  Expected<TensorType> type_of_result(std::size_t result) const {
    const TensorType& type = result_nodes_[result].input_type(0);
    if (type.element_type == ElementType::dynamic) return t_.refused("the type of a result of its body is unknown");
    return type;
  }

  Expected<void> add_result(std::size_t result) {
    MO_ASSIGN(const TensorType type, type_of_result(result));
    inner_.add_output(results_[result], type);
    return {};
  }

  Expected<void> add_scan(const ops::OutputMap& map) {
    const std::size_t result = as_index(map.result);
    MO_ASSIGN(TensorType type, type_of_result(result));
    const auto rank = type.rank();
    const auto axis = rank ? normalize_axis(*map.axis, *rank) : std::nullopt;
    if (!axis) return t_.refused("parts of unknown rank that are joined");
    const Dimension& length = type.shape[as_index(*axis)];
    Scan scan{&map, *axis, *rank, length.is_known() ? length.value() == 1 : map.part_size == 1};
    Value part = results_[result];
    if (scan.is_single) {
      part = in().with_axes("Squeeze", part, {scan.axis});
      type.shape.dims().erase(type.shape.dims().begin() + static_cast<std::ptrdiff_t>(scan.axis));
    }
    inner_.add_output(part, type);
    scans_.push_back(scan);
    return {};
  }

  Value reordered(const Value& value, const std::vector<std::int64_t>& order) {
    return std::is_sorted(order.begin(), order.end()) ? value : t_.transposed(value, order);
  }

  /// Parts that are stacked along axis 0 -> parts side by side along the axis of the map.
  Value joined(Value parts, const Scan& scan) {
    if (scan.map->stride < 0)  // the last iteration comes first
      parts = t_.op("Slice", {parts, t_.integers({-1}), t_.integers({std::numeric_limits<std::int64_t>::min()}),
                              t_.integers({0}), t_.integers({-1})});
    std::vector<std::int64_t> order;
    if (scan.is_single) {
      for (std::int64_t i = 0; i < scan.rank; ++i) order.push_back(i < scan.axis ? i + 1 : i == scan.axis ? 0 : i);
      return reordered(parts, order);
    }
    // The two dimensions go to the end, where they become one.
    std::vector<std::int64_t> sizes(as_index(scan.rank), 0);
    sizes.back() = -1;
    for (std::int64_t i = 0; i < scan.rank; ++i)
      if (i != scan.axis) order.push_back(i + 1);
    order.push_back(0);
    order.push_back(scan.axis + 1);
    const Value whole = t_.op("Reshape", {reordered(parts, order), t_.integers(sizes)});
    order.clear();
    for (std::int64_t i = 0; i < scan.rank; ++i)
      order.push_back(i < scan.axis ? i : i == scan.axis ? scan.rank - 1 : i - 1);
    return reordered(whole, order);
  }

  Translation& t_;
  const ops::Iteration& loop_;
  InnerGraph inner_;
  std::vector<Node> parameters_;
  std::vector<Node> result_nodes_;
  std::optional<std::size_t> condition_result_;  ///< of a Loop
  Value condition_;                              ///< what the body gets
  Outputs results_;                              ///< tensors of ONNX for the Results
  std::vector<State> states_;
  std::vector<Scan> scans_;
};

/// The trip count of a Loop as a scalar; none when there is no limit, which is a negative number in the IR.
Value trip_limit(Translation& t) {
  if (const auto known = whole_number_of(t.node.input(0))) return *known < 0 ? Value() : scalar_i64(t, *known);
  const Value count = as_scalar(t, t.input_i64(0), t.node.input_type(0));
  return t.op("Where", {t.op("Less", {count, scalar_i64(t, 0)}), scalar_i64(t, kNoTripLimit), count});
}

Expected<Outputs> translate_loop(Translation& t) {
  const auto& op = *t.node.as<ops::Loop>();
  if (!t.input(0) || !t.input(1)) return t.refused("its trip count or condition is missing");
  const ops::Iteration loop{op.body.graph(), op.input_map, op.output_map, op.back_edges, {}};
  const Value trips = trip_limit(t);
  const Value enter = as_scalar(t, t.input(1), t.node.input_type(1));
  return LoopTranslation(t, loop).run(trips, enter);
}

/// The dimension that the map slices.
Dimension sliced_length(const Translation& t, const ops::InputMap& map) {
  const PartialShape& shape = t.node.input_type(as_index(map.input)).shape;
  const auto axis = shape.has_rank() ? normalize_axis(*map.axis, *shape.rank()) : std::nullopt;
  return axis ? shape[as_index(*axis)] : Dimension();
}

/// How many slices an input has: (last - first + 1) / part_size, where negative places count from the back.
Expected<Value> number_of_slices(Translation& t, const ops::InputMap& map) {
  const std::int64_t first = map.stride > 0 ? map.start : map.end;
  const std::int64_t last = map.stride > 0 ? map.end : map.start;
  const std::int64_t lengths = (last < 0 ? 1 : 0) - (first < 0 ? 1 : 0);  // how often the length is added
  const Dimension length = sliced_length(t, map);
  if (length.is_known()) {
    const std::int64_t range = length.value() == 0 ? 0 : last - first + 1 + lengths * length.value();
    return scalar_i64(t, range / map.part_size);
  }
  if (lengths == 0) return scalar_i64(t, (last - first + 1) / map.part_size);
  if (lengths < 0) return t.refused("a range of slices from the back to the front of an unknown length");
  const Value shape = t.op("Shape", {t.input(as_index(map.input))});
  Value range = t.op("Gather", {shape, scalar_i64(t, *map.axis)}, {{"axis", 0}});
  if (last - first + 1 != 0) range = t.op("Add", {range, scalar_i64(t, last - first + 1)});
  return map.part_size == 1 ? range : t.op("Div", {range, scalar_i64(t, map.part_size)});
}

/// Runs once for each slice; all sliced inputs have equally many.
Expected<Outputs> translate_tensor_iterator(Translation& t) {
  const auto& op = *t.node.as<ops::TensorIterator>();
  const ops::InputMap* counted = nullptr;
  for (const ops::InputMap& map : op.input_map)
    if (map.axis && (!counted || (!sliced_length(t, *counted).is_known() && sliced_length(t, map).is_known())))
      counted = &map;
  if (!counted || !t.input(as_index(counted->input))) return t.refused("no input is sliced");
  MO_ASSIGN(const Value trips, number_of_slices(t, *counted));
  const ops::Iteration loop{op.body.graph(), op.input_map, op.output_map, op.back_edges, {}};
  return LoopTranslation(t, loop).run(trips, t.scalar(ElementType::boolean, 1));
}

}  // namespace

void register_control_flow(OnnxForms& table) {
  table.add<ops::If>(translate_if);
  table.add<ops::Loop>(translate_loop);
  table.add<ops::TensorIterator>(translate_tensor_iterator);
}

}  // namespace mo::onnx_emitter
