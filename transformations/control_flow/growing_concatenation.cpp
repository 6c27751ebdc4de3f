#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/scan.hpp"
#include "ops/concat.hpp"
#include "ops/loop.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// A dimension of an input of a loop.
struct OuterDimension {
  std::size_t input = 0;
  std::int64_t axis = 0;
};

/// Elements that a loop puts side by side along a new axis 0, and that a Reshape then joins along `axis` of theirs.
struct JoinedElements {
  std::size_t map = 0;  ///< place of the output's map
  Value element;        ///< in the body
  Node reshape;
  std::int64_t axis = 0;
};

/// Whether `shape_of` is read for nothing but the target of `reshape`.
bool only_shapes(const Node& shape_of, const Node& reshape) {
  constexpr std::size_t kMostNodes = 64;
  std::unordered_set<NodeId> seen;
  std::vector<Node> open = {shape_of};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!seen.insert(node.id()).second) continue;
    if (seen.size() > kMostNodes || node.is<Result>()) return false;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) {
        if (reader.node() == reshape && reader.index() == 1) continue;
        if (reader.node() == reshape) return false;
        open.push_back(reader.node());
      }
  }
  return true;
}

/// The only reader of a tensor but for those of its shape, which `only_shapes` has to look at.
Node data_reader(const Value& value, std::vector<Node>& shapes) {
  Node found;
  for (const InPort& reader : value.get_destinations()) {
    if (reader.node().is<ops::ShapeOf>())
      shapes.push_back(reader.node());
    else if (found || reader.index() != 0)
      return {};
    else
      found = reader.node();
  }
  return found;
}

/// The place to which an order moves axis 0 while the others keep theirs.
std::optional<std::int64_t> place_of_first(const std::vector<std::int64_t>& order) {
  const auto zero = std::find(order.begin(), order.end(), 0);
  for (auto at = order.begin(); at != order.end(); ++at)
    if (const auto rank_before = at - order.begin(); at != zero && *at != rank_before + (at < zero ? 1 : 0))
      return std::nullopt;
  return zero == order.end() ? std::nullopt : std::optional<std::int64_t>(zero - order.begin());
}

/// Whether `joined` is `apart` with dimensions `axis` and `axis` + 1 in one.
bool is_joined(const PartialShape& apart, const PartialShape& joined, std::size_t axis) {
  if (!apart.has_rank() || !joined.has_rank() || joined.size() + 1 != apart.size() || axis + 1 >= apart.size())
    return false;
  for (std::size_t i = 0; i < joined.size(); ++i)
    if (i != axis && !joined[i].same_value(apart[i < axis ? i : i + 1])) return false;
  return true;
}

/// The dimension of an input that is certainly as long as `length` of the body: one of what enters the loop and stays
/// the same, or that is sliced along another axis.
std::optional<OuterDimension> outer_dimension(const LoopParts& parts, const Dimension& length) {
  const std::vector<Node> parameters = parts.body->parameters();
  const std::vector<LoopArgument> arguments = loop_arguments(parts);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const PartialShape& shape = parameters[i].output_type().shape;
    if (!shape.has_rank() || (!arguments[i].is_fixed() && !arguments[i].is_sliced())) continue;
    const auto found =
        std::find_if(shape.begin(), shape.end(), [&](const Dimension& d) { return d.same_value(length); });
    if (found == shape.end()) continue;
    const std::int64_t axis = found - shape.begin();
    const ops::InputMap& map = *arguments[i].map;
    if (!map.axis || normalize_axis(*map.axis, static_cast<std::int64_t>(shape.size())) != axis)
      return OuterDimension{static_cast<std::size_t>(map.input), axis};
  }
  return std::nullopt;
}

/// Whether a length is equal in all iterations.
bool is_fixed_length(const LoopParts& parts, const Dimension& length) {
  return length.is_known() || outer_dimension(parts, length);
}

/// What output map `place` of a loop has to do with this pass.
std::optional<JoinedElements> joined_elements(const Node& loop, const LoopParts& parts, std::size_t place) {
  const ops::OutputMap& map = (*parts.outputs)[place];
  if (map.output < 0 || map.axis != 0 || map.stride != 1 || map.part_size != 1) return std::nullopt;
  const auto reads_result = [&](const auto& other) { return other.result == map.result; };
  if (std::count_if(parts.outputs->begin(), parts.outputs->end(), reads_result) != 1 ||
      std::any_of(parts.back_edges->begin(), parts.back_edges->end(), reads_result))
    return std::nullopt;
  const Node unsqueeze = parts.body->results()[static_cast<std::size_t>(map.result)].input(0).node();
  if (!unsqueeze.is<ops::Unsqueeze>() || integers_of(unsqueeze.input(1)) != std::vector<std::int64_t>{0})
    return std::nullopt;
  JoinedElements found{.map = place, .element = unsqueeze.input(0)};
  std::vector<Node> shapes;
  Node reader = data_reader(loop.output(static_cast<std::size_t>(map.output)), shapes);
  if (reader && reader.is<ops::Transpose>()) {
    const auto order = integers_of(reader.input(1));
    const auto axis = order ? place_of_first(*order) : std::nullopt;
    if (!axis) return std::nullopt;
    found.axis = *axis;
    reader = data_reader(reader.output(), shapes);
  }
  if (!reader || !reader.is<ops::Reshape>()) return std::nullopt;
  found.reshape = reader;
  const auto axis = static_cast<std::size_t>(found.axis);
  if (!is_joined(reader.input_type(0).shape, reader.output_type().shape, axis)) return std::nullopt;
  if (!std::all_of(shapes.begin(), shapes.end(), [&](const Node& shape) { return only_shapes(shape, reader); }))
    return std::nullopt;
  const PartialShape& shape = type_of(found.element).shape;
  if (!shape.has_rank() || axis >= shape.size() || is_fixed_length(parts, shape[axis])) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i != axis && !is_fixed_length(parts, shape[i])) return std::nullopt;  // nothing to begin with
  return found;
}

std::optional<JoinedElements> first_joined(const Node& loop) {
  const auto parts = loop_parts(loop);
  for (std::size_t i = 0; parts && i < parts->outputs->size(); ++i)
    if (auto joined = joined_elements(loop, *parts, i)) return joined;
  return std::nullopt;
}

/// The loop carries what was joined so far. It begins with one element of length 1, which is cut off after the loop:
/// tensors without elements are more than some runtimes can do. Gives the new loop.
Expected<Node> carry(Rewriter& rw, const Node& node, const JoinedElements& joined) {
  const auto axis = static_cast<std::size_t>(joined.axis);
  TensorType type = type_of(joined.element);
  type.shape[axis] = Dimension(1);
  auto zeros = from_reals(type.element_type, {}, {0});
  if (!zeros) return std::move(zeros).error();
  std::vector<Value> inputs;
  for (const InPort& port : node.in_ports()) inputs.push_back(port.get_source());
  const auto parts = loop_parts(node);
  std::vector<Value> lengths;
  for (const Dimension& d : type.shape) {
    const auto outer = outer_dimension(*parts, d);
    lengths.push_back(d.is_known() || !outer ? rw.integers({d.value()})
                                             : build::length_along(rw, inputs[outer->input], outer->axis));
  }
  inputs.push_back(rw.create(ops::Broadcast{}, rw.constant(*std::move(zeros)), build::join(rw, lengths)));

  Op taken = node.take_op();
  auto op = std::move(*static_cast<ops::Loop*>(taken.payload()));
  Graph& body = op.body.graph();
  type.shape[axis] = Dimension();
  const auto place = static_cast<std::int64_t>(body.parameters().size());
  const Node before = body.create_parameter(type, std::string(node.name()) + "/joined");
  ops::OutputMap& map = op.output_map[joined.map];
  const std::int64_t output = map.output;
  const auto last = static_cast<std::int64_t>(node.out_port_count()) - 1;
  Rewriter inner(body);
  const Node result = body.results()[static_cast<std::size_t>(map.result)];
  inner.set_input(result, 0, inner.create(ops::Concat{.axis = joined.axis}, before.output(), joined.element));
  if (inner.error()) return *inner.error();
  op.input_map.push_back(build::whole_input(static_cast<std::int64_t>(inputs.size()) - 1, place));
  op.back_edges.push_back({.result = map.result, .parameter = place});
  for (ops::OutputMap& other : op.output_map)
    if (other.output > output) --other.output;
  map = build::last_output(last, map.result);

  const Node made = rw.create_node(std::move(op), inputs, node.out_port_count());
  const Value whole = made.output(static_cast<std::size_t>(last));
  const Value rows =
      rw.create(ops::Slice{}, whole, rw.integers({1}), rw.integers({std::numeric_limits<std::int64_t>::max()}),
                rw.integers({1}), rw.integers({joined.axis}));
  rw.replace(joined.reshape, {rows});
  Outputs outputs(node.out_port_count());
  for (std::int64_t i = 0; i <= last; ++i)
    if (i != output)
      outputs[static_cast<std::size_t>(i)] = made.output(static_cast<std::size_t>(i < output ? i : i - 1));
  const std::string name(node.name());
  rw.replace(node, outputs);
  if (made.name() != name) rw.rename(made, name);
  return made;
}

Expected<bool> carry_joined_elements(Graph& graph, PassContext&) {
  Rewriter rw(graph);
  std::vector<Node> loops;
  for (const Node node : graph.nodes())
    if (node.is<ops::Loop>()) loops.push_back(node);
  for (Node loop : loops)
    while (const auto joined = first_joined(loop)) {
      MO_ASSIGN(loop, carry(rw, loop, *joined));
      if (rw.error()) return *rw.error();
    }
  return rw.has_changed();
}

}  // namespace

/// Loop -> [n, length, …] -> Reshape [n * length, …], where the length differs between iterations, or nothing says that
/// it does not: the loop carries a tensor that grows by Concat. (TensorArrayConcat, TensorListConcat,
/// ConcatFromSequence after loops.)
void register_growing_concatenation(PassRegistry& passes) {
  passes.add(graph_pass("GrowingConcatenation")
                 .looks_for<ops::Loop>()
                 .run_before({"KnownLengths", "ReshapePatternFolding"})
                 .run(carry_joined_elements));
}

}  // namespace mo::transformations
