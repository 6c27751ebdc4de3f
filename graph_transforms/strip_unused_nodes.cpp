#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/reachability.hpp"
#include "graph_transforms/support/type_names.hpp"

namespace mo::graph_transforms {
namespace {

struct PlaceholderType {
  AttributeValue type = ElementType::f32;
  PartialShape shape = PartialShape(Shape{});
};

/// Types and shapes of the Placeholders that may have to be made: defaults, and those that are given by name.
class PlaceholderTypes {
 public:
  static Expected<PlaceholderTypes> read(const TransformFuncContext& context) {
    PlaceholderTypes types;
    MO_ASSIGN(const std::string type, context.one_string("type", "float"));
    MO_ASSIGN(types.fallback_.type, type_named(type));
    if (context.count_parameters("shape") > 0) {
      MO_ASSIGN(const std::string shape, context.one_string("shape", ""));
      MO_ASSIGN(types.fallback_.shape, shape_named(shape));
    }
    const auto& names = context.parameters("name");
    const auto& named_types = context.parameters("type_for_name");
    const auto& named_shapes = context.parameters("shape_for_name");
    const auto wrong_count = [&](const auto& values) { return !values.empty() && values.size() != names.size(); };
    if (wrong_count(named_types) || wrong_count(named_shapes))
      return error("MO-GTT-0017", "there are {} name, {} type_for_name and {} shape_for_name arguments", names.size(),
                   named_types.size(), named_shapes.size())
          .hint("give each name its type and its shape: name=x, type_for_name=int32, shape_for_name=\"2,3\"");
    for (std::size_t i = 0; i < names.size(); ++i) {
      PlaceholderType own = types.fallback_;
      if (!named_types.empty()) { MO_ASSIGN(own.type, type_named(named_types[i])); }
      if (!named_shapes.empty()) { MO_ASSIGN(own.shape, shape_named(named_shapes[i])); }
      types.by_name_.insert_or_assign(names[i], std::move(own));
    }
    return types;
  }

  const PlaceholderType& of(std::string_view node) const {
    const auto found = by_name_.find(node);
    return found == by_name_.end() ? fallback_ : found->second;
  }

 private:
  PlaceholderType fallback_;
  std::map<std::string, PlaceholderType, std::less<>> by_name_;
};

/// A feed in the middle of the graph: what it was computed from is not needed any more.
void put_placeholder(GraphEditor& editor, const Node& node, const PlaceholderType& type) {
  const std::string name(node.name());
  const Node placeholder =
      editor.create("Placeholder", editor.free_name(name + "_fed"), {},
                    AttributeMap{{"dtype", type.type}, {"shape", type.shape}}, node.out_port_count());
  for (const OutPort& port : node.out_ports()) editor.redirect(port, placeholder.out_port(port.index()));
  editor.redirect_control(node, placeholder);
  editor.erase(node);
  editor.rename(placeholder, name);
}

Expected<void> strip_unused_nodes(Graph& graph, const TransformFuncContext& context) {
  MO_ASSIGN(const PlaceholderTypes types, PlaceholderTypes::read(context));
  GraphEditor editor(graph, context);
  MO_ASSIGN(const std::vector<bool> is_needed, reachable_nodes(editor));
  std::vector<Node> unneeded;
  std::vector<Node> fed;
  for (const Node node : graph.nodes()) {
    if (!is_needed[node.id().index])
      unneeded.push_back(node);
    else if (context.is_input(node.name()) && op_of(node) != "Placeholder")
      fed.push_back(node);
  }
  for (const Node& node : fed) put_placeholder(editor, node, types.of(node.name()));
  for (const Node& node : unneeded) editor.erase(node);
  return {};
}

}  // namespace

/// Only what --outputs need stays, and the feeds. What is fed in the middle of the graph becomes a Placeholder of
/// `type` and `shape`, or of those that `type_for_name` and `shape_for_name` give to `name`.
void register_strip_unused_nodes(TransformRegistry& registry) {
  registry.register_transform("strip_unused_nodes", Scope::any, Numbers::same, strip_unused_nodes);
  registry.describe("strip_unused_nodes",
                    {"Keeps what --outputs need; inputs inside of the graph become Placeholders",
                     {{"type", "text", "float", "type of new Placeholders"},
                      {"shape", "text", "scalar", "shape of new Placeholders: \"1,299,299,3\""},
                      {"name", "text", "", "a Placeholder to which the following belong; may be repeated"},
                      {"type_for_name", "text", "", "its type; may be repeated, once for each name"},
                      {"shape_for_name", "text", "", "its shape; may be repeated, once for each name"}}});
}

}  // namespace mo::graph_transforms
