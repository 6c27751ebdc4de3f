#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo {

/// `to` gets the tensor names of `from`, which has none then.
inline void move_tensor_names(const Value& from, const Value& to) {
  to.data().add_tensor_names_of(from.data());
  from.data().clear_tensor_names();
}

/// `to` gets the tensor names of `from`, and its node the name of that of `from` when this one makes nothing else:
/// programs that ask for a tensor by name get `to`.
inline void move_names(const Value& from, const Value& to) {
  move_tensor_names(from, to);
  const Node node = from.node();
  if (node.out_port_count() != 1 || node.name().empty()) return;
  const std::string name(node.name());
  node.set_name("");
  to.node().set_name(name);
}

}  // namespace mo
