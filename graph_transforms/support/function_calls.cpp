#include "graph_transforms/support/function_calls.hpp"

#include "graph_transforms/engine/services.hpp"

namespace mo::graph_transforms {
namespace {

/// What is fetched by the name of the call is found by it.
void keep_name(GraphEditor& editor, const Node& call, const std::vector<Value>& results) {
  const AttributeValue types = call.attribute("Tout");
  const AttributeList* const listed = types.get_if<AttributeList>();
  const bool is_one = results.size() == 1 && listed && listed->size() == 1;
  const std::string name(call.name());
  AttributeMap attributes;
  if (listed) attributes.set("T", is_one ? listed->front() : types);
  const Node kept = editor.create(is_one ? "Identity" : "IdentityN", editor.free_name(name + "_results"), results,
                                  std::move(attributes), results.size());
  for (const OutPort& port : call.out_ports())
    if (port.index() < results.size()) editor.redirect(port, kept.out_port(port.index()));
  editor.redirect_control(call, kept);
  editor.erase(call);
  editor.rename(kept, name);
}

}  // namespace

Expected<void> inline_call(GraphEditor& editor, const Node& call) {
  MO_ASSERT(editor.context().services != nullptr, "the caller does not support reading functions");
  const AttributeValue function = call.attribute("f");
  const AttributeValue* const name = function.map() ? function.map()->find("function") : nullptr;
  const std::string* const text = name ? name->get_if<std::string>() : nullptr;
  if (!text)
    return call.error("MO-GTT-0026", "attribute f is missing, or does not name a function")
        .hint("export the model again with a newer exporter");
  std::vector<Value> arguments;
  for (const InPort& port : call.in_ports()) arguments.push_back(port.get_source());
  auto results =
      editor.context().services->put_function(editor.graph(), *text, std::string(call.name()) + "/", arguments);
  if (!results) return call.describe(std::move(results).error());
  for (const OutPort& port : call.out_ports())
    if (!port.disconnected() && port.index() >= results->size())
      return call
          .error("MO-GTT-0034", "output {} is read, function '{}' gives {}", port.index(), *text, results->size())
          .hint("the model is inconsistent");
  if (!results->empty() && editor.context().is_output(call.name())) {
    keep_name(editor, call, *results);
    return {};
  }
  for (const OutPort& port : call.out_ports())
    if (!port.disconnected()) editor.redirect(port, (*results)[port.index()]);
  if (!results->empty()) editor.redirect_control(call, results->front().node());
  editor.erase(call);
  return {};
}

}  // namespace mo::graph_transforms
