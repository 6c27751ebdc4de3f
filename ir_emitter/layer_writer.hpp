#pragma once

#include <unordered_map>

#include "ir_emitter/plan.hpp"
#include "ir_emitter/xml_stream.hpp"

namespace mo::ir_emitter {

/// Writes <layers> and <edges> of a plan, one layer at a time.
class LayerWriter {
 public:
  LayerWriter(XmlStream& xml, const EmitOptions& options) : xml_(xml), options_(options) {}
  ~LayerWriter();
  LayerWriter(const LayerWriter&) = delete;
  LayerWriter& operator=(const LayerWriter&) = delete;

  /// Errors: MO-CORE-0012 (a value that has no text in an IR), MO-EMIT-0008 (port maps that do not fit), MO-EMIT-0001 (writing).
  Expected<void> write_graph(const Plan& plan, unsigned depth);

 private:
  Expected<void> write_layer(const Plan& plan, std::uint32_t id, unsigned depth);
  Expected<void> write_owner(const Plan& plan, std::uint32_t id, pugi::xml_node layer, unsigned depth);
  Expected<void> add_data(pugi::xml_node layer, const Node& node);
  void add_const_data(pugi::xml_node layer, const Node& node, const Blob& blob);
  Expected<void> add_runtime_info(pugi::xml_node layer, const Node& node);
  void add_ports(pugi::xml_node layer, const Node& node);
  void add_port(pugi::xml_node ports, std::size_t id, const OutPort& source, bool input);
  void write_edges(const Plan& plan, unsigned depth);
  /// The value of an attribute in an op that nobody touched.
  AttributeValue default_value(const OpType& type, const AttributeInfo& info);

  XmlStream& xml_;
  const EmitOptions& options_;
  std::unordered_map<const OpType*, void*> defaults_;
  std::unordered_map<const Plan*, std::size_t> next_blob_;
};

/// Appends <port_map>, <back_edges> (with the prefixes of the op: then_, else_) of a node that owns bodies. Error MO-EMIT-0008.
Expected<void> add_port_maps(pugi::xml_node layer, const Plan& plan, std::uint32_t id);

/// The names of the body attributes of an op in declaration order ("body"; "then_body", "else_body").
std::vector<std::string_view> body_attributes(const OpType& type);

}  // namespace mo::ir_emitter
