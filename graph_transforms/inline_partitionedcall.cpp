#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"

namespace mo::graph_transforms {
namespace {

Expected<void> inline_call(GraphEditor& editor, const Node& call) {
  const AttributeMap* const function = call.find_attribute("f") ? call.find_attribute("f")->map() : nullptr;
  const AttributeValue* const name = function ? function->find("function") : nullptr;
  const std::string* const text = name ? name->get_if<std::string>() : nullptr;
  if (!text) return call.error("MO-GTT-0026", "attribute f is missing, or names no function").hint("check how the model was made");
  std::vector<Value> arguments;
  for (const InPort& port : call.in_ports()) arguments.push_back(port.get_source());
  auto results = editor.context().services->put_function(editor.graph(), *text, std::string(call.name()) + "/", arguments);
  if (!results) return call.describe(std::move(results).error());
  for (const OutPort& port : call.out_ports()) {
    if (port.disconnected()) continue;
    if (port.index() >= results->size())
      return call.error("MO-GTT-0034", "output {} is read, function '{}' gives {}", port.index(), *text, results->size())
          .hint("the model is inconsistent");
    editor.redirect(port, (*results)[port.index()]);
  }
  if (!results->empty()) editor.redirect_control(call, results->front().node());
  editor.erase(call);
  return {};
}

}  // namespace

/// Nodes of a function take the place of the PartitionedCall that calls it, as "call/node". Calls inside of the function stay calls.
void register_inline_partitionedcall(TransformRegistry& registry) {
  registry.register_transform("inline_partitionedcall", Numbers::same, [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    MO_ASSERT(context.services != nullptr, "functions need somebody who reads them");
    GraphEditor editor(graph, context);
    std::vector<Node> calls;
    for (const Node node : graph.nodes())
      if (op_of(node) == "PartitionedCall") calls.push_back(node);
    for (const Node& call : calls) MO_TRY(inline_call(editor, call));
    return {};
  });
}

}  // namespace mo::graph_transforms
