#include "core/graph/copying.hpp"

#include <fmt/format.h>

namespace mo {
Op copy_op(const Node& node) { return {node.op_type(), node.op_type().clone(node.payload())}; }

Node copy_node(const Node& node, Graph& to, std::span<const Value> inputs, std::string_view name) {
  const Node made = to.create_node(copy_op(node), inputs, node.out_port_count(), name);
  made.set_origin(node.origin());
  return made;
}

Node copy_unconnected(const Node& node, Graph& to, std::string_view name) {
  const std::vector<Value> none(node.in_port_count());
  return copy_node(node, to, none, name);
}

void copy_facts(const Node& from, const Node& to) {
  for (std::size_t i = 0; i < from.out_port_count(); ++i) {
    const PortData known = from.out_port(i).data();
    const PortData made = to.out_port(i).data();
    made.set_type(known.type());
    if (known.value()) made.set_value(*known.value());
    if (known.partial_value()) made.set_partial_value(*known.partial_value());
  }
}

void copy_tensor_names(const Node& from, const Node& to, std::string_view prefix) {
  for (std::size_t i = 0; i < from.out_port_count(); ++i)
    for (const std::string_view name : from.out_port(i).data().tensor_names())
      to.out_port(i).data().add_tensor_name(fmt::format("{}{}", prefix, name));
}

}  // namespace mo
