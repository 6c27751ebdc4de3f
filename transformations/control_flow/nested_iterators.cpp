#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/loop.hpp"
#include "ops/shape_of.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::transformations {
namespace {

bool has_iterator(const Graph& body) {
  if (body.has_op("TensorIterator"))
    for (const Node node : body.nodes())
      if (node.is<ops::TensorIterator>()) return true;
  return false;
}

/// How many slices the first sliced input has; nothing when it is not cut from one end to the other.
Value step_count(const Node& node, const ops::TensorIterator& op, Rewriter& rw) {
  for (const ops::InputMap& map : op.input_map) {
    if (!map.axis) continue;
    const bool forward = map.start == 0 && map.end == -1 && map.stride == map.part_size;
    const bool backward = map.start == -1 && map.end == 0 && map.stride == -map.part_size;
    const Value data = node.input(static_cast<std::size_t>(map.input));
    const auto rank = data.type().rank();
    const auto axis = rank ? normalize_axis(*map.axis, *rank) : std::nullopt;
    if ((!forward && !backward) || !axis) return {};
    const Value size = rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{}, data), rw.scalar<std::int64_t>(*axis),
                                 rw.scalar<std::int64_t>(0));
    return map.part_size == 1 ? size : rw.create(ops::Divide{}, size, rw.scalar<std::int64_t>(map.part_size));
  }
  return {};
}

}  // namespace

/// A TensorIterator whose body has another one -> a Loop of as many steps, which goes on always: runtimes refuse nested
/// TensorIterators.
void register_nested_iterators(PassRegistry& passes) {
  const Pat root = pattern::op<ops::TensorIterator>();
  passes.add(rewrite("NestedIterators")
                 .phase(Phase::back)
                 .match(root)
                 .replace([](const Match& m, Rewriter& rw) -> Replacement {
                   const Node node = m.root().node();
                   auto& iterator = *node.as<ops::TensorIterator>();
                   if (!has_iterator(iterator.body.graph())) return Replacement::declined();
                   const Value steps = step_count(node, iterator, rw);
                   if (!steps) return Replacement::declined();
                   std::vector<Value> inputs = {steps, rw.scalar(true)};
                   for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
                   const std::size_t outputs = node.out_port_count();
                   ops::Loop loop{.body = iterator.body.clone(),
                                  .input_map = iterator.input_map,
                                  .output_map = iterator.output_map,
                                  .back_edges = iterator.back_edges};
                   for (ops::InputMap& map : loop.input_map) map.input += 2;
                   Graph& body = loop.body.graph();
                   Rewriter inner(body);
                   loop.output_map.push_back(
                       {.output = -1, .result = static_cast<std::int64_t>(body.results().size())});
                   body.create_result(inner.scalar(true));
                   const Node made = rw.create_node(std::move(loop), inputs, outputs);
                   Outputs values;
                   for (const OutPort& port : made.out_ports()) values.push_back(port);
                   return values;
                 }));
}

}  // namespace mo::transformations
