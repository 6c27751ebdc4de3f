#include "core/graph/copying.hpp"
#include "core/graph/graph.hpp"

namespace mo {

std::unique_ptr<Graph> Graph::clone() const { return copy_of(nodes()); }

std::unique_ptr<Graph> Graph::clone(std::span<const Node> order) const { return copy_of(order); }

template <class Nodes>
std::unique_ptr<Graph> Graph::copy_of(const Nodes& order) const {
  auto copy = std::make_unique<Graph>();
  copy->name = name;
  copy->has_types_ = has_types_;
  copy->symbols_ = symbols_;
  copy->properties = properties;
  std::vector<Node> made(nodes_.size());
  // Nodes first, then edges: a graph under construction may read nodes of a later id.
  for (const Node node : order) {
    const Node twin = copy_unconnected(node, *copy, node.name());
    twin.add_sources_of(node);
    copy_facts(node, twin);
    copy_tensor_names(node, twin);
    if (node.rt_info()) copy->rt_info_[twin.id()] = *node.rt_info();
    if (const std::string& editor = editor_of(node); !editor.empty()) copy->by_hand().editors[twin.id()] = editor;
    made[node.id().index] = twin;
  }
  for (const Node node : order) {
    const Node twin = made[node.id().index];
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i))
        copy->link(twin.in_port(i).id(), made[source.node().id().index].out_port(source.index()).id());
    for (const Node& before : node.control_inputs()) twin.add_control_input(made[before.id().index]);
  }
  const auto translate = [&](const std::vector<Node>& own, std::vector<NodeId>& to) {
    to.clear();
    for (const Node& node : own) to.push_back(made[node.id().index].id());
  };
  translate(parameters(), copy->parameters_);
  translate(results(), copy->results_);
  return copy;
}

}  // namespace mo
