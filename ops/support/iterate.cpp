#include "ops/support/iterate.hpp"

#include <algorithm>

#include "core/graph/builtin_ops.hpp"
#include "core/graph/graph.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// How often types are widened dimension by dimension before the rank is given up.
constexpr int kPatience = 3;
/// Bodies inside of so many others start with the widest types: trying costs rounds to the power of the depth.
constexpr int kDeep = 3;

/// How many iterations are being inferred inside of each other on this thread.
class DepthGuard {
 public:
  DepthGuard() { ++depth_; }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  static int depth() { return depth_; }

 private:
  static thread_local int depth_;
};
thread_local int DepthGuard::depth_ = 0;

/// The Parameter that takes the iteration's number keeps its declared i32 or i64, and its declared one-element shape.
TensorType counter_type(const Node& parameter) {
  const auto* declared = parameter.as<Parameter>();
  TensorType type{ElementType::i64, PartialShape(Shape{})};
  if (declared->element_type == ElementType::i32) type.element_type = ElementType::i32;
  if (declared->shape.element_count() == 1) type.shape = declared->shape;
  return type;
}

/// The types of the Parameters in the first iteration; the number of slices is merged into `count`.
Expected<std::vector<TensorFact>> first_facts(const InferContext& ctx, const Iteration& iteration,
                                              std::optional<Dimension>& count) {
  const std::vector<Node> parameters = iteration.body.parameters();
  std::vector<TensorFact> facts(parameters.size());
  for (const InputMap& map : iteration.inputs) {
    TensorFact& fact = facts[static_cast<std::size_t>(map.parameter)];
    if (map.input == -1) {
      fact.type = counter_type(parameters[static_cast<std::size_t>(map.parameter)]);
      continue;
    }
    fact.type = ctx.input(static_cast<std::size_t>(map.input));
    if (!map.axis) continue;
    Dimension slices;
    const std::size_t width = bit_width(fact.type.element_type);
    if (fact.type.element_type != ElementType::dynamic && (width == 0 || width % 8 != 0))
      return ctx
          .error("MO-OPS-0006", "input {} is {}, which cannot be sliced", map.input, to_string(fact.type.element_type))
          .hint("convert it to a type of at least 8 bits");
    if (const auto rank = fact.type.rank()) {
      MO_ASSIGN(const std::int64_t axis, normalize_axis(ctx, *map.axis, *rank));
      Dimension& sliced = fact.type.shape[static_cast<std::size_t>(axis)];
      MO_ASSIGN(slices, slice_count(ctx, map, sliced));
      sliced = Dimension(map.part_size);
    } else {
      MO_TRY(slice_count(ctx, map, Dimension()));  // the map itself may be wrong
    }
    const auto merged = count ? count->merge(slices) : slices;
    if (!merged)
      return ctx.error("MO-OPS-0417", "inputs have {} and {} slices", count->to_string(), slices.to_string())
          .hint("all sliced inputs have the same number of slices");
    count = *merged;
  }
  return facts;
}

/// Whether the body says itself that it goes on; nothing when that depends on values.
std::optional<bool> known_condition(const Iteration& iteration, const std::vector<TensorFact>& results) {
  for (const OutputMap& map : iteration.outputs) {
    if (map.output != -1) continue;
    const Tensor& value = results[static_cast<std::size_t>(map.result)].value;
    if (value.empty() || value.element_count() != 1) return std::nullopt;
    const auto numbers = to_integers(value);
    return numbers ? std::optional(numbers->front() != 0) : std::nullopt;
  }
  return true;
}

/// How often the body runs.
Dimension iteration_count(const Iteration& iteration, const std::vector<TensorFact>& results) {
  const Iteration::Limits& limits = *iteration.limits;
  if (limits.enter == false) return 0;
  const auto goes_on = known_condition(iteration, results);
  const std::int64_t least = limits.enter == true && limits.trips.min() > 0 ? 1 : 0;
  if (goes_on == false) return {least, std::min<std::int64_t>(limits.trips.max(), 1)};
  if (goes_on == true && limits.enter == true) return limits.trips;
  return {least, limits.trips.max()};
}

Expected<void> write_outputs(InferContext& ctx, const Iteration& iteration, const std::vector<TensorFact>& facts,
                             const std::vector<TensorFact>& results, const Dimension& count) {
  for (const OutputMap& map : iteration.outputs) {
    if (map.output < 0) continue;
    TensorType type = results[static_cast<std::size_t>(map.result)].type;
    if (map.axis) {
      if (const auto rank = type.rank()) {
        MO_ASSIGN(const std::int64_t axis, normalize_axis(ctx, *map.axis, *rank));
        Dimension& d = type.shape[static_cast<std::size_t>(axis)];
        d = count * d;
      }
    } else if (count.min() == 0) {
      // Without an iteration the carried value comes out as it went in.
      for (const BackEdge& edge : iteration.back_edges)
        if (edge.result == map.result) {
          MO_ASSIGN(type, widen(ctx, facts[static_cast<std::size_t>(edge.parameter)].type, type));
        }
    }
    ctx.output(static_cast<std::size_t>(map.output), std::move(type));
  }
  return {};
}

Expected<Tensor> counter(const Node& parameter, std::int64_t number) {
  const TensorType type = counter_type(parameter);
  return from_integers(type.element_type, *type.shape.to_shape(), {number});
}

}  // namespace

Expected<void> infer_iteration(InferContext& ctx, const Iteration& iteration) {
  const DepthGuard depth;
  const MapRules rules{.loop = iteration.limits.has_value(), .sliced = true};
  MO_TRY(check_port_maps(ctx, iteration.body, iteration.inputs, iteration.outputs, rules));
  MO_TRY(check_back_edges(ctx, iteration.body, iteration.inputs, iteration.back_edges));
  if (rules.loop && std::none_of(iteration.outputs.begin(), iteration.outputs.end(),
                                 [](const OutputMap& m) { return m.output == -1; }))
    return ctx.error("MO-OPS-0418", "no Result of the body is the loop condition")
        .hint("map a boolean Result to output -1");
  std::optional<Dimension> slices;
  MO_ASSIGN(std::vector<TensorFact> facts, first_facts(ctx, iteration, slices));
  if (!rules.loop && !slices)
    return ctx.error("MO-OPS-0417", "no input is sliced, so the number of iterations is unknown")
        .hint("give one port map of an input an axis");

  if (DepthGuard::depth() > kDeep)
    for (const BackEdge& edge : iteration.back_edges)
      facts[static_cast<std::size_t>(edge.parameter)].type.shape = PartialShape::unknown_rank();
  std::vector<TensorFact> results;
  for (int round = 0;; ++round) {
    MO_ASSIGN(results, ctx.infer_body(iteration.body, facts, /*repeats=*/true));
    bool stable = true;
    for (const BackEdge& edge : iteration.back_edges) {
      TensorType& carried = facts[static_cast<std::size_t>(edge.parameter)].type;
      MO_ASSIGN(TensorType wide, widen(ctx, carried, results[static_cast<std::size_t>(edge.result)].type));
      if (round >= kPatience) wide.shape = PartialShape::unknown_rank();
      // Symbols are not compared: they do not hold for the other iterations.
      bool same = wide.element_type == carried.element_type && wide.shape.has_rank() == carried.shape.has_rank();
      if (same && wide.shape.has_rank())
        for (std::size_t i = 0; i < wide.shape.size(); ++i)
          same = same && wide.shape[i].max() == carried.shape[i].max() && wide.shape[i].min() == carried.shape[i].min();
      if (!same) carried = std::move(wide);
      stable = stable && same;
    }
    if (stable) break;
  }
  return write_outputs(ctx, iteration, facts, results,
                       iteration.limits ? iteration_count(iteration, results) : *slices);
}

namespace {

/// Whether the body says after each iteration that there is another one.
bool always_goes_on(const Iteration& iteration) {
  const std::vector<Node> results = iteration.body.results();
  return std::any_of(iteration.outputs.begin(), iteration.outputs.end(), [&](const OutputMap& map) {
    return map.output == -1 && results[static_cast<std::size_t>(map.result)].input(0).node().is<Const>();
  });
}

}  // namespace

Expected<void> run_iteration(EvalContext& ctx, const Iteration& iteration, std::int64_t trips, bool enter) {
  const std::vector<Node> parameters = iteration.body.parameters();
  std::vector<Tensor> arguments(parameters.size());
  for (const InputMap& map : iteration.inputs) {
    if (map.input < 0) continue;
    const auto input = static_cast<std::size_t>(map.input);
    if (!ctx.has_input(input))
      return ctx.error("MO-OPS-0001", "input {} is missing, the body reads it", map.input)
          .hint("check the node in the model");
    if (!map.axis) arguments[static_cast<std::size_t>(map.parameter)] = ctx.input(input);
  }
  // Slices bound the iterations of a Loop, too: there is nothing to read after the last one.
  std::int64_t slices = Dimension::kNoLimit;
  for (const InputMap& map : iteration.inputs)
    if (map.input >= 0 && map.axis) {
      const Shape& shape = ctx.input(static_cast<std::size_t>(map.input)).shape();
      const std::int64_t length =
          shape[static_cast<std::size_t>(*mo::normalize_axis(*map.axis, static_cast<std::int64_t>(shape.size())))];
      const auto from_front = [&](std::int64_t place) { return place < 0 ? place + length : place; };
      const std::int64_t way =
          map.stride > 0 ? from_front(map.end) - from_front(map.start) : from_front(map.start) - from_front(map.end);
      slices = std::min(slices, length == 0 ? 0 : (way + 1) / map.part_size);
    }
  const std::int64_t limit = iteration.limits ? (trips < 0 ? Dimension::kNoLimit : trips) : slices;

  std::vector<std::vector<Tensor>> all(iteration.outputs.size());
  std::vector<Tensor> results;
  bool go_on = enter;
  const bool never_ends = std::min(limit, slices) > kMostIterations && always_goes_on(iteration);
  for (std::int64_t i = 0; i < limit && go_on; ++i) {
    if (i == kMostIterations || (i == 1 && never_ends))
      return ctx.error("MO-OPS-0419", "the loop does not end after {} iterations", kMostIterations)
          .hint("check the condition and the trip count of the loop");
    if (i >= slices)
      return ctx.error("MO-OPS-0413", "iteration {} reads a slice, and inputs have only {}", i, slices)
          .hint("check the trip count of the loop");
    for (const InputMap& map : iteration.inputs) {
      Tensor& argument = arguments[static_cast<std::size_t>(map.parameter)];
      if (map.input == -1) {
        MO_ASSIGN(argument, counter(parameters[static_cast<std::size_t>(map.parameter)], i));
      } else if (map.axis) {
        MO_ASSIGN(argument, take_slice(ctx.input(static_cast<std::size_t>(map.input)), map, i));
      }
    }
    MO_ASSIGN(results, ctx.run_body(iteration.body, arguments));
    for (const BackEdge& edge : iteration.back_edges)
      arguments[static_cast<std::size_t>(edge.parameter)] = results[static_cast<std::size_t>(edge.result)];
    for (std::size_t k = 0; k < iteration.outputs.size(); ++k) {
      const OutputMap& map = iteration.outputs[k];
      const Tensor& result = results[static_cast<std::size_t>(map.result)];
      if (map.output == -1) {
        MO_ASSIGN(const std::vector<std::int64_t> condition, to_integers(result));
        go_on = !condition.empty() && condition.front() != 0;
      } else if (map.axis) {
        all[k].push_back(result);
      }
    }
  }
  for (std::size_t k = 0; k < iteration.outputs.size(); ++k) {
    const OutputMap& map = iteration.outputs[k];
    const auto output = static_cast<std::size_t>(map.output);
    if (map.output < 0 || !ctx.has_output(output)) continue;
    if (map.axis && !all[k].empty()) {
      MO_ASSIGN(Tensor whole, concatenate_iterations(ctx, all[k], *map.axis, map.stride < 0));
      ctx.set_output(output, std::move(whole));
    } else if (map.axis) {
      // No iteration ran: empty along the axis. What else is not known is empty as well.
      const TensorType& type = ctx.output_type(output);
      // Inference of the body has given no more than this, and no round has made a tensor to look at.
      if (!type.shape.has_rank() || bit_width(type.element_type) == 0)
        return ctx.error("MO-OPS-0408", "no iteration ran, and the type of output {} is not known", output)
            .hint("give the loop's body known shapes");
      Shape shape;
      for (const Dimension& d : type.shape) shape.push_back(d.min());
      shape[static_cast<std::size_t>(*mo::normalize_axis(*map.axis, static_cast<std::int64_t>(shape.size())))] = 0;
      MO_ASSIGN(Tensor nothing, Tensor::allocate(type.element_type, shape));
      ctx.set_output(output, std::move(nothing));
    } else if (!results.empty()) {
      ctx.set_output(output, results[static_cast<std::size_t>(map.result)]);
    } else {
      const auto edge = std::find_if(iteration.back_edges.begin(), iteration.back_edges.end(),
                                     [&](const BackEdge& e) { return e.result == map.result; });
      if (edge == iteration.back_edges.end())
        return ctx.error("MO-OPS-0408", "no iteration ran, so output {} has no value", output)
            .hint("only carried values have one without an iteration");
      ctx.set_output(output, arguments[static_cast<std::size_t>(edge->parameter)]);
    }
  }
  return {};
}

}  // namespace mo::ops
