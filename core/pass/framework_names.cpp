#include "core/pass/framework_names.hpp"

namespace mo {

std::string_view without_domain(std::string_view name) {
  const std::size_t end = name.find_last_of(".:");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string_view framework_op_name(const Node& node) {
  if (const std::string_view type = node.type(); node.op_type().dynamic && type.find("::") != std::string_view::npos)
    return without_domain(type);
  const Origin origin = node.origin();
  return origin.derived ? std::string_view() : without_domain(origin.op);
}

std::vector<Node> op_nodes(const Graph& graph, std::string_view name) {
  std::vector<Node> found;
  for (const Node node : graph.nodes())
    if (node.is(name) || framework_op_name(node) == name) found.push_back(node);
  return found;
}

}  // namespace mo
