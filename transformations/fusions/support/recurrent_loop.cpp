#include "transformations/fusions/support/recurrent_loop.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

bool is_cell(const Node& node) { return node.is<ops::LSTMCell>() || node.is<ops::GRUCell>(); }

/// Zeros, as a constant or stretched.
bool is_zeros(const Value& value) {
  constexpr std::int64_t kMost = 1 << 20;
  Node node = value.node();
  if (node.is<ops::Broadcast>() && node.input(0)) node = node.input(0).node();
  const Const* constant = node.as<Const>();
  if (!constant || constant->value.element_count() > kMost) return false;
  const auto numbers = to_reals(constant->value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double n) { return n == 0; });
}

/// Matrices with the same number of columns. Rows are the batch, in all tensors that loops over cells know.
bool is_as_wide(const Value& a, const Value& b) {
  const PartialShape& first = a.type().shape;
  const PartialShape& second = b.type().shape;
  return first.has_rank() && second.has_rank() && first.size() == 2 && second.size() == 2 &&
         first[1].same_value(second[1]);
}

/// Reads the body of a loop from its Results backwards.
class BodyReader {
 public:
  BodyReader(const Node& node, const LoopParts& parts)
      : node_(node),
        parts_(parts),
        arguments_(loop_arguments(parts)),
        parameters_(parts.body->parameters()),
        results_(parts.body->results()) {}

  std::optional<RecurrentLoop> read() {
    if (!runs_to_the_end() || !find_cells()) return std::nullopt;
    for (const ops::OutputMap& map : *parts_.outputs)
      if (map.output >= 0 && !node_.out_port(static_cast<std::size_t>(map.output)).disconnected() && !add_output(map))
        return std::nullopt;
    // A loop over slices in the opposite direction runs from the first step on, whatever the lengths are.
    if (found_.cells.empty() || (found_.reverse && lengths_)) return std::nullopt;
    if (lengths_) found_.lengths = node_.input(static_cast<std::size_t>(lengths_->input));
    return std::move(found_);
  }

 private:
  std::optional<std::size_t> parameter_of(const Value& value) const {
    if (!value || !value.node().is<Parameter>()) return std::nullopt;
    const auto at = std::find(parameters_.begin(), parameters_.end(), value.node());
    return at == parameters_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - parameters_.begin()));
  }
  Value result(std::int64_t i) const { return results_[static_cast<std::size_t>(i)].input(0); }

  /// A TensorIterator, or a Loop whose conditions are constantly true.
  bool runs_to_the_end() const {
    if (!parts_.has_trip_count) return true;
    const auto holds = [](const Value& condition) {
      return condition && condition.node().is<Const>() && number_of(condition) == 1;
    };
    return holds(node_.input(1)) &&
           std::all_of(parts_.outputs->begin(), parts_.outputs->end(),
                       [&](const ops::OutputMap& map) { return map.output != -1 || holds(result(map.result)); });
  }

  /// Each cell needs its x from outside or from a cell that was found before.
  bool find_cells() {
    std::vector<Node> open;
    for (const Node node : parts_.body->nodes())
      if (is_cell(node)) open.push_back(node);
    for (bool progress = true; progress && !open.empty();) {
      progress = false;
      for (Node& node : open) {
        auto cell = cell_of(node);
        if (!cell) continue;
        found_.cells.push_back(*std::move(cell));
        node = Node();
        progress = true;
      }
      std::erase(open, Node());
    }
    return open.empty();
  }

  std::optional<LoopedCell> cell_of(const Node& node) {
    LoopedCell cell{.cell = node};
    if (!read_x(node.input(0), cell)) return std::nullopt;
    const std::size_t states = node.is<ops::LSTMCell>() ? 2 : 1;
    for (std::size_t i = 0; i < states; ++i) {
      const auto parameter = parameter_of(node.input(1 + i));
      if (!parameter || !arguments_[*parameter].is_state()) return std::nullopt;
      const LoopArgument& argument = arguments_[*parameter];
      if (!is_next_state(result(argument.back_edge->result), node.output(i), node.input(1 + i))) return std::nullopt;
      cell.states.push_back(argument.map);
      cell.state_results.push_back(argument.back_edge->result);
    }
    for (std::size_t i = 1 + states; i < node.in_port_count(); ++i)
      if (!node.input(i) || (!node.input(i).node().is<Const>() && !fixed_input(parts_, node.input(i))))
        return std::nullopt;
    return cell;
  }

  bool read_x(const Value& x, LoopedCell& cell) {
    for (std::size_t i = 0; i < found_.cells.size(); ++i)
      if (found_.cells[i].cell.output(0) == x) {
        cell.below = i;
        return true;
      }
    // A slice without its dimension of 1.
    const Node squeeze = x.node();
    if (!is_squeeze(squeeze) || x.type().rank() != 2) return false;
    const auto parameter = parameter_of(squeeze.input(0));
    const auto axes = known_axes(squeeze.input(1), 3);
    if (!parameter || !arguments_[*parameter].is_sliced() || !axes || axes->size() != 1) return false;
    const ops::InputMap& map = *arguments_[*parameter].map;
    if (normalize_axis(*map.axis, 3) != axes->front() || axes->front() > 1 || map.part_size != 1) return false;
    const bool forward = map.stride == 1 && map.start == 0 && map.end == -1;
    const bool backward = map.stride == -1 && map.start == -1 && map.end == 0;
    if ((!forward && !backward) || (has_direction_ && found_.reverse != backward)) return false;
    has_direction_ = true;
    found_.reverse = backward;
    cell.slices = &map;
    return true;
  }

  /// The state that a cell makes; after the end of the sequence, it may be the previous state instead.
  bool is_next_state(const Value& next, const Value& made, const Value& before) {
    return next == made || is_limited(next, made, before);
  }

  /// Select(step < length, made, otherwise), in any spelling; `otherwise` empty: zeros.
  bool is_limited(const Value& value, const Value& made, const Value& otherwise) {
    const Node select = value.node();
    if (!select.is<ops::Select>() || select.as<ops::Select>()->auto_broadcast != ops::AutoBroadcast::numpy)
      return false;
    const bool goes_on = select.input(1) == made;
    const Value other = select.input(goes_on ? 2 : 1);
    if (!other || (!goes_on && select.input(2) != made) || !is_as_wide(value, made)) return false;
    if (otherwise ? other != otherwise : !is_nothing(other)) return false;
    return is_within_length(select.input(0), goes_on);
  }

  bool is_nothing(const Value& value) const {
    if (const ops::InputMap* map = fixed_input(parts_, value))
      return is_zeros(node_.input(static_cast<std::size_t>(map->input)));
    return is_zeros(value);
  }

  /// step < length [batch, 1] (`goes_on`), or step >= length.
  bool is_within_length(const Value& condition, bool goes_on) {
    const Value compared = without_column(condition);
    const Node node = compared.node();
    const bool step_first = goes_on ? node.is<ops::Less>() : node.is<ops::GreaterEqual>();
    const bool step_last = goes_on ? node.is<ops::Greater>() : node.is<ops::LessEqual>();
    if ((!step_first && !step_last) || !node.input(0) || !node.input(1) || !is_step(node.input(step_first ? 0 : 1)))
      return false;
    // One column in all: of the condition or of the lengths.
    const Value length = node.input(step_first ? 1 : 0);
    const Value plain = without_column(length);
    if ((compared == condition) == (plain == length)) return false;
    const ops::InputMap* map = fixed_input(parts_, plain);
    if (!map || plain.type().rank() != 1 || (lengths_ && lengths_->input != map->input)) return false;
    lengths_ = map;
    return true;
  }

  /// [batch, 1] -> [batch]; other tensors are given back.
  static Value without_column(const Value& value) {
    const Node node = value.node();
    if (!node.is<ops::Unsqueeze>() || !node.input(0) || value.type().rank() != 2) return value;
    const auto axes = known_axes(node.input(1), 2);
    return axes && *axes == std::vector<std::int64_t>{1} ? node.input(0) : value;
  }

  /// The number of the iteration: the loop's own, or a state that starts at 0 and grows by 1.
  bool is_step(const Value& value) const {
    const auto parameter = parameter_of(value.node().is<ops::Convert>() ? value.node().input(0) : value);
    if (!parameter || value.type().shape.element_count() != 1 || value.type().shape.size() > 1) return false;
    const LoopArgument& argument = arguments_[*parameter];
    if (!argument.map || argument.map->input < 0) return argument.map && argument.map->input == -1;
    if (!argument.is_state() || number_of(node_.input(static_cast<std::size_t>(argument.map->input))) != 0)
      return false;
    const Node next = result(argument.back_edge->result).node();
    const auto sum = next.is<ops::Add>() ? tensor_and_constant(next) : std::nullopt;
    return sum && parameter_of(sum->tensor) == parameter && number_of(sum->constant) == 1;
  }

  bool add_output(const ops::OutputMap& map) {
    const Value value = result(map.result);
    for (std::size_t i = 0; i < found_.cells.size(); ++i) {
      const LoopedCell& cell = found_.cells[i];
      for (std::size_t state = 0; state < cell.states.size(); ++state) {
        LoopedOutput output{static_cast<std::size_t>(map.output), i, state, std::nullopt};
        if (map.axis ? !is_steps(map, value, cell, state, output) : !is_last(map, value, cell, state)) continue;
        found_.outputs.push_back(output);
        return true;
      }
    }
    return false;
  }

  bool is_last(const ops::OutputMap& map, const Value& value, const LoopedCell& cell, std::size_t state) const {
    // After the end of a sequence only the carried state is the one of the last step that counts.
    return map.result == cell.state_results[state] || (!lengths_ && value == cell.cell.output(state)) ||
           value == result(cell.state_results[state]);
  }

  /// The states h of all steps, with zeros after the end of a sequence. The IR has no such output for c.
  bool is_steps(const ops::OutputMap& map, const Value& value, const LoopedCell& cell, std::size_t state,
                LoopedOutput& output) {
    const Node unsqueeze = value.node();
    if (state != 0 || !unsqueeze.is<ops::Unsqueeze>() || !unsqueeze.input(0) || value.type().rank() != 3) return false;
    const auto axes = known_axes(unsqueeze.input(1), 3);
    const auto axis = normalize_axis(*map.axis, 3);
    if (!axes || axes->size() != 1 || !axis || *axis != axes->front() || *axis > 1 || map.part_size != 1) return false;
    const bool in_place = found_.reverse ? map.stride == -1 && map.start == -1 && map.end == 0
                                         : map.stride == 1 && map.start == 0 && map.end == -1;
    const Value step = unsqueeze.input(0);
    const Value made = cell.cell.output(0);
    if (!in_place || !(lengths_ ? is_limited(step, made, {}) : step == made)) return false;
    output.axis = *axis;
    return true;
  }

  Node node_;
  const LoopParts& parts_;
  std::vector<LoopArgument> arguments_;
  std::vector<Node> parameters_;
  std::vector<Node> results_;
  RecurrentLoop found_;
  bool has_direction_ = false;
  const ops::InputMap* lengths_ = nullptr;
};

/// All carried states are limited by the lengths, or none.
bool is_uniform(const LoopParts& parts, const RecurrentLoop& loop) {
  const std::vector<Node> results = parts.body->results();
  for (const LoopedCell& cell : loop.cells)
    for (std::size_t i = 0; i < cell.state_results.size(); ++i) {
      const bool limited = results[static_cast<std::size_t>(cell.state_results[i])].input(0) != cell.cell.output(i);
      if (limited != static_cast<bool>(loop.lengths)) return false;
    }
  return true;
}

}  // namespace

const ops::InputMap* fixed_input(const LoopParts& parts, const Value& inner) {
  if (!inner.node().is<Parameter>()) return nullptr;
  const std::vector<Node> parameters = parts.body->parameters();
  const std::vector<LoopArgument> arguments = loop_arguments(parts);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i] == inner.node()) return arguments[i].is_fixed() ? arguments[i].map : nullptr;
  return nullptr;
}

std::optional<RecurrentLoop> recurrent_loop(const Node& node) {
  const auto parts = loop_parts(node);
  if (!parts) return std::nullopt;
  auto loop = BodyReader(node, *parts).read();
  return loop && is_uniform(*parts, *loop) ? std::move(loop) : std::nullopt;
}

}  // namespace mo::transformations
