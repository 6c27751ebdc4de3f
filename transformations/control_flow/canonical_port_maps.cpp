#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// Port maps name axes from the front. True when one of them has changed.
template <class Op>
bool count_from_the_front(const Node& node, Op& op) {
  bool changed = false;
  const auto put = [&](std::optional<std::int64_t>& axis, const TensorType& type) {
    if (!axis || *axis >= 0 || !type.rank()) return;
    axis = normalize_axis(*axis, *type.rank()).value_or(*axis);
    changed = changed || *axis >= 0;
  };
  for (ops::InputMap& map : op.input_map)
    if (map.input >= 0) put(map.axis, node.input_type(static_cast<std::size_t>(map.input)));
  const std::vector<Node> results = op.body.graph().results();
  for (ops::OutputMap& map : op.output_map) put(map.axis, results[static_cast<std::size_t>(map.result)].input_type(0));
  return changed;
}

Expected<bool> port_maps(Graph& graph) {
  bool changed = false;
  for (const Node node : graph.nodes()) {
    if (auto* iterator = node.as<ops::TensorIterator>()) changed = count_from_the_front(node, *iterator) || changed;
    if (auto* loop = node.as<ops::Loop>()) changed = count_from_the_front(node, *loop) || changed;
  }
  return changed;
}

/// The reader of 2021.4 finds the Parameters of a body from its Results: a sliced one that only counts the steps
/// becomes an output.
Expected<bool> counters(Graph& graph) {
  bool changed = false;
  for (const Node node : graph.nodes()) {
    auto* const iterator = node.as<ops::TensorIterator>();
    if (!iterator) continue;
    Graph& body = iterator->body.graph();
    const std::vector<Node> parameters = body.parameters();
    for (const ops::InputMap& map : iterator->input_map) {
      const OutPort counter = parameters[static_cast<std::size_t>(map.parameter)].output();
      if (!map.axis || !counter.disconnected()) continue;
      const auto output = static_cast<std::int64_t>(node.out_port_count());
      iterator->output_map.push_back({.output = output, .result = static_cast<std::int64_t>(body.results().size())});
      body.create_result(counter);
      node.add_output_port(node.out_port_count());
      node.out_port(static_cast<std::size_t>(output)).data().set_type(counter.type());
      changed = true;
    }
  }
  return changed;
}

}  // namespace

/// Port maps of loops as the runtimes' readers want them.
void register_canonical_port_maps(PassRegistry& passes) {
  passes.add(graph_pass("CanonicalPortMaps")
                 .phase(Phase::back)
                 .run_after({"CanonicalAxes"})
                 .run([](Graph& graph, PassContext&) { return port_maps(graph); }));
  passes.add(graph_pass("CountingParameters")
                 .phase(Phase::back)
                 .run_after({"CanonicalPortMaps", "NestedIterators"})
                 .when(is_for_v10)
                 .run([](Graph& graph, PassContext&) { return counters(graph); }));
}

}  // namespace mo::transformations
