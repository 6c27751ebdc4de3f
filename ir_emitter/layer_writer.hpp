#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/graph/runtime_info.hpp"
#include "ir_emitter/plan.hpp"
#include "ir_emitter/xml_stream.hpp"
#include "ir_emitter/xml_text.hpp"

namespace mo::ir_emitter {

/// Writes <layers> and <edges> of a plan, one layer at a time.
class LayerWriter {
 public:
  LayerWriter(XmlStream& xml, const EmitOptions& options) : xml_(xml), options_(options) {}
  ~LayerWriter();
  LayerWriter(const LayerWriter&) = delete;
  LayerWriter& operator=(const LayerWriter&) = delete;

  /// Errors: MO-CORE-0012 (a value that has no text in an IR), MO-EMIT-0008 (port maps that do not fit), MO-EMIT-0001
  /// (writing).
  Expected<void> write_graph(const Plan& plan, unsigned depth);

 private:
  Expected<void> write_layer(const Plan& plan, std::uint32_t id, unsigned depth);
  Expected<void> write_bodies(const Plan& plan, std::uint32_t id, unsigned depth);
  Expected<void> add_data(const Node& node);
  void add_const_data(const Node& node, const Blob& blob);
  Expected<void> add_runtime_info(const Node& node);
  Expected<void> add_runtime_attribute(const Node& node, const AttributeMap::Item& runtime);
  Expected<void> add_ports(const Node& node);
  /// `source`: the tensor at port `index` of the node.
  Expected<void> add_port(std::size_t id, const OutPort& source, const Node& node, PortSide side, std::size_t index);
  Expected<void> add_port_info(const Node& node, PortSide side, std::size_t index);
  std::string_view layout_of(const OutPort& port) const;
  void find_output_layouts(const Graph& graph);
  Expected<void> add_attribute(const Node& node, std::string_view name, const AttributeValue& value);
  void write_edges(const Plan& plan, unsigned depth);
  /// ` type="…" version="…"`
  const std::string& type_attributes(const Node& node);
  /// The value of an attribute in a newly created op.
  AttributeValue default_value(const OpType& type, const AttributeInfo& info);
  /// What a port says of a type.
  struct TypeText {
    const TensorType* type = nullptr;
    unsigned depth = 0;
    std::string precision;  ///< ` precision="FP32"`
    std::string dims;       ///< <dim> elements, indented by `depth`
  };
  void describe(const TensorType& type, TypeText& text);
  /// Valid until the next call.
  const TypeText& type_text(const OutPort& port);

  XmlStream& xml_;
  const EmitOptions& options_;
  XmlText text_;      ///< of one layer
  XmlText fragment_;  ///< of a type
  /// Graphs keep equal types once, and have few: those that were written last, by address.
  static constexpr std::size_t kTypeTexts = 64;
  std::array<TypeText, kTypeTexts> type_texts_;
  TypeText constant_text_;
  std::unordered_map<const OpType*, void*> defaults_;
  std::unordered_map<const OpType*, std::string> type_attributes_;
  std::string own_type_attributes_;  ///< of a node whose attributes say how it is called in the IR
  std::unordered_map<const Plan*, std::size_t> next_blob_;
  /// Of tensors that Results read; values of different graphs have the same ids.
  std::map<std::pair<const Graph*, ValueId>, std::string_view> output_layouts_;
};

/// Appends <port_map>, <back_edges> (with the prefixes of the op: then_, else_) of a node that owns bodies. Error
/// MO-EMIT-0008.
Expected<void> add_port_maps(XmlText& xml, const Plan& plan, std::uint32_t id);

/// The same for an op that is carried through.
Expected<void> add_carried_records(XmlText& xml, const Plan& plan, std::uint32_t id);

}  // namespace mo::ir_emitter
