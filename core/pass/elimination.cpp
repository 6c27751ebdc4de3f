#include "core/pass/elimination.hpp"

#include <string>

#include "core/graph/builtin_ops.hpp"
#include "core/graph/model_ends.hpp"

namespace mo {
Replacement bypass(const Node& node, const Value& by) {
  if (!by) return declined("the input is missing");
  if (node.out_port_count() != 1) return declined("the node has several outputs");
  if (is_model_output(node.output())) {
    const Node producer = by.node();
    if (producer.is<Parameter>()) return declined("an input of the model would be its output");
    if (producer.out_port_count() != 1 || is_model_output(by)) return declined("the result cannot keep its name");
    producer.set_name(std::string(node.name()));  // which `node` gives up at once
  }
  return by;
}

Replacement changed_in_place(const Node& node) { return node.out_ports(); }

}  // namespace mo
