#include "core/op/carried_op.hpp"
#include "frontends/ir/graph_builder.hpp"

namespace mo::ir {
namespace {

/// The Parameters and Results of a body by layer id.
using Ends = std::unordered_map<std::int64_t, AttributeMap>;

Ends ends_of(const BuiltGraph& built, const Graph& body) {
  std::unordered_map<NodeId, AttributeMap> by_node;
  std::int64_t index = 0;
  for (const Node& parameter : body.parameters()) by_node[parameter.id()].set(kCarriedParameter, index++);
  index = 0;
  for (const Node& result : body.results()) by_node[result.id()].set(kCarriedResult, index++);
  Ends ends;
  for (const auto& [id, node] : built.node_of)
    if (const auto end = by_node.find(node); end != by_node.end()) ends.emplace(id, end->second);
  return ends;
}

bool names_layer(std::string_view attribute) {
  return attribute == "internal_layer_id" || attribute == "from-layer" || attribute == "to-layer";
}

/// Ports are numbered anew when they are written: a number that is the id of one becomes its position.
std::string port_number(const Layer& layer, std::string_view text) {
  const auto id = parse_integer(text);
  if (!id || layer.unusual_ids.empty()) return std::string(text);
  if (const auto input = layer.input_at(*id)) return std::to_string(*input);
  if (const auto output = layer.output_at(*id)) return std::to_string(layer.sources.size() + *output);
  return std::string(text);
}

}  // namespace

Diagnostic too_many_attributes() {
  return error("MO-IR-0017", "an element of an unknown operation has more than {} attributes", kMostCarriedAttributes)
      .hint("the file is corrupt: compare its checksum, and copy or download it again");
}

Expected<AttributeList> carried_records(const Layer& layer, const std::string& list, const BuiltGraph& built,
                                        const Graph& body) {
  MO_ASSIGN(const pugi::xml_node elements, only_child(layer.xml, list.c_str()));
  AttributeList records;
  if (!elements) return records;
  const Ends ends = ends_of(built, body);
  for (const pugi::xml_node& element : elements.children()) {
    if (element.type() != pugi::node_element) continue;
    MO_TRY(check_attributes(element));
    AttributeMap record;
    record.set(kCarriedElement, std::string(element.name()));
    for (const pugi::xml_attribute& attribute : element.attributes()) {
      const std::string_view name = attribute.name();
      if (record.size() > kMostCarriedAttributes) return too_many_attributes();
      if (!names_layer(name)) {
        record.set(name, name == "external_port_id" ? port_number(layer, attribute.value()) : attribute.value());
        continue;
      }
      MO_ASSIGN(const std::int64_t id, required_integer(element, attribute.name()));
      const auto end = ends.find(id);
      if (end == ends.end())
        return error("MO-IR-0011", "<{}>: layer {} of the body is neither a Parameter nor a Result", shortened(list),
                     id)
            .hint("the file is corrupt or was edited: convert the original model again");
      record.set(name, end->second);
    }
    records.emplace_back(std::move(record));
  }
  return records;
}

}  // namespace mo::ir
