#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// ConcatV2(a, b, …, axis) -> Concat(axis, a, b, …), which TensorFlow before 1.0 has.
void register_backport_concatv2(TransformRegistry& registry) {
  registry.register_transform("backport_concatv2",
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                GraphEditor editor(graph, context);
                                for (const Node node : graph.nodes()) {
                                  if (op_of(node) != "ConcatV2" || node.in_port_count() == 0) continue;
                                  std::vector<Value> sources;
                                  for (const InPort& port : node.in_ports()) sources.push_back(port.get_source());
                                  editor.set_op(node, "Concat");
                                  attributes_of(node).erase("Tidx");
                                  editor.set_input(node, 0, sources.back());
                                  for (std::size_t i = 1; i < sources.size(); ++i)
                                    editor.set_input(node, i, sources[i - 1]);
                                }
                                return {};
                              });
  registry.describe("backport_concatv2", {"Turns ConcatV2 into Concat", {}});
}

}  // namespace mo::graph_transforms
