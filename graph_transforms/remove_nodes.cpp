#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {
namespace {

/// Readers of output 0 and those that wait for the node take its first input.
Expected<bool> bypass(const NodeMatch& match, GraphEditor& editor) {
  const Node node = match.node;
  const TransformFuncContext& context = editor.context();
  if (context.is_input(node.name()) || context.is_output(node.name())) return false;
  // Nothing could take the place of its other outputs.
  for (std::size_t i = 1; i < node.out_port_count(); ++i)
    if (!node.out_port(i).disconnected()) return false;
  const Value source = node.input(0);
  editor.redirect(node.output(), source);
  editor.redirect_control(node, source.node());
  editor.erase(node);
  return true;
}

Expected<void> remove_nodes(Graph& graph, const TransformFuncContext& context) {
  const std::vector<std::string>& ops = context.parameters("op");
  if (ops.empty())
    return error("MO-GTT-0013", "the argument op is missing")
        .hint("specify which nodes to remove: remove_nodes(op=Identity, op=CheckNumerics)");
  MO_ASSIGN(const std::int32_t max_inputs, context.one_int32("max_inputs", 1));
  warn_of_unknown_ops(graph, context, "op");
  GraphEditor editor(graph, context);
  for (const std::string& op : ops)
    for (std::int32_t inputs = 1; inputs <= max_inputs; ++inputs) {
      const OpTypePattern pattern{op,
                                  std::vector<OpTypePattern>(static_cast<std::size_t>(inputs), OpTypePattern{"*", {}})};
      MO_TRY(replace_all_matching_op_types(editor, pattern, bypass, {.allow_inconsistencies = true}));
    }
  return {};
}

}  // namespace

/// op(x) -> x for the ops `op` with at most `max_inputs` tensors; feeds and fetches stay.
void register_remove_nodes(TransformRegistry& registry) {
  registry.register_transform("remove_nodes", Scope::any, Numbers::same, remove_nodes);
  registry.describe("remove_nodes", {"Removes nodes; their readers take the first input of the node instead",
                                     {{"op", "text", "", "operators to remove; may be repeated; required"},
                                      {"max_inputs", "integer", "1", "nodes with more inputs stay"}}});
}

}  // namespace mo::graph_transforms
