#pragma once

#include <string>
#include <vector>

#include "core/graph/found_attribute.hpp"
#include "core/graph/origin.hpp"
#include "core/graph/port.hpp"
#include "core/op/op.hpp"

namespace mo {

/// A node: an op with its ports in a graph. A handle (graph, id): cheap to copy, valid while the node lives.
class Node {
 public:
  Node() = default;
  Node(Graph* graph, NodeId id) : graph_(graph), id_(id) {}
  explicit operator bool() const { return graph_ != nullptr; }
  bool operator==(const Node&) const = default;

  Graph& graph() const { return here(); }
  NodeId id() const { return id_; }
  /// Whether it has not been erased.
  bool alive() const;

  // -- identity -------------------------------------------------------------------------------------------------------
  const OpType& op_type() const;
  /// IR type, or the name of a dynamic op.
  std::string_view type() const { return op_type().name; }
  /// Friendly name: given by the framework, kept by the rewriter for the node that produces the output.
  std::string_view name() const;
  void set_name(std::string_view name) const;
  void set_name(NameId name) const;
  /// The name in the name table of the graph: equal names have equal ids.
  NameId name_id() const;
  /// The operator of the framework that this node is, or was made of; empty when made by a pass. The views live as long
  /// as the graph.
  Origin origin() const;
  void set_origin(const Origin& origin) const;
  void set_origin(OriginId origin) const;
  /// The origin for messages: "ONNX Softmax, opset 11".
  std::string framework() const { return origin().label(); }
  /// Names of the framework nodes that this node stands for, sorted and unique.
  std::vector<std::string_view> sources() const;
  void add_source(std::string_view name) const;
  void add_source(NameId name) const;
  void add_sources_of(const Node& other) const;

  /// Runtime attributes that the IR carries for this node: name -> record of fields ("decompression" -> {}). Null when
  /// there are none. A name that begins with '@' is a note of a pass for later ones, which is not written.
  const AttributeMap* rt_info() const;
  void set_rt_info(std::string_view key, AttributeMap fields = {}) const;
  void erase_rt_info(std::string_view key) const;

  // -- op -------------------------------------------------------------------------------------------------------------
  /// The op struct, or null when this node is another op. Changing it does not re-infer; passes do that through the
  /// rewriter.
  template <OpLike T>
  T* as() const {
    return op_type().same_op(OpType::of<T>()) ? static_cast<T*>(payload()) : nullptr;
  }
  template <OpLike T>
  bool is() const {
    return op_type().same_op(OpType::of<T>());
  }
  bool is(std::string_view op_name) const { return type() == op_name; }
  /// Any attribute by name, typed or dynamic: `node.attr<std::int64_t>("axis")`; nothing when it is missing or of
  /// another kind, and a Misuse when that is used all the same.
  template <class T>
  FoundAttribute<T> attr(std::string_view attribute) const {
    const AttributeValue* const dynamic = op_type().dynamic ? find_attribute(attribute) : nullptr;
    const AttributeValue declared =
        op_type().dynamic ? AttributeValue() : get_attribute(op_type(), payload(), attribute);
    const AttributeValue& value = dynamic ? *dynamic : declared;
    if (!value.is_none())
      if (auto decoded = AttributeCodec<T>::decode(value)) return FoundAttribute<T>(std::in_place, *std::move(decoded));
    return {graph_, id_, attribute};
  }
  /// The attribute of an op that is known by name only, where it lies; null when it is missing, and for op structs.
  const AttributeValue* find_attribute(std::string_view attribute) const;
  /// The same, to be changed.
  AttributeValue* change_attribute(std::string_view attribute) const;
  AttributeValue attribute(std::string_view attribute) const { return get_attribute(op_type(), payload(), attribute); }
  bool has_attr(std::string_view attribute) const;
  Expected<void> set_attr(std::string_view attribute, const AttributeValue& value) const;
  /// All attributes by name, in declaration order; unset ones are left out.
  AttributeMap attributes() const;
  void* payload() const;
  /// Puts another op into this node; ports stay.
  void set_op(Op op) const;
  /// Takes the op out of a node that is about to vanish; a nameless op takes its place.
  Op take_op() const;
  /// Bodies of an op that owns graphs, in attribute order.
  std::vector<Graph*> bodies() const;

  // -- ports ----------------------------------------------------------------------------------------------------------
  std::size_t in_port_count() const;
  std::size_t out_port_count() const;
  /// When there is no such port: a handle that is false; using it is a Misuse, which ends the pass with an error that
  /// names node and port.
  InPort in_port(std::size_t i) const;
  OutPort out_port(std::size_t i) const;
  std::vector<InPort> in_ports() const;
  std::vector<OutPort> out_ports() const;
  /// Adds port `i` (default: the next); missing ports before it are added, disconnected. O(ports).
  InPort add_input_port() const { return add_input_port(in_port_count()); }
  InPort add_input_port(std::size_t i) const;
  OutPort add_output_port() const { return add_output_port(out_port_count()); }
  OutPort add_output_port(std::size_t i) const;
  /// Disconnects input port `i`; other ports keep their numbers, and trailing empty ports vanish.
  void delete_input_port(std::size_t i) const;
  /// Disconnects output port `i`, which vanishes when it is the last one; all others stay, read or not.
  void delete_output_port(std::size_t i) const;

  /// The tensor that input `i` reads: `in_port(i).get_source()`; empty when there is none.
  Value input(std::size_t i) const;
  Value output(std::size_t i = 0) const { return out_port(i); }
  /// Type of the tensor at input `i`; a dynamic type when not connected.
  const TensorType& input_type(std::size_t i) const;
  const TensorType& output_type(std::size_t i = 0) const;

  /// Nodes that must run before this one although no tensor connects them. Dropped after inference.
  std::vector<Node> control_inputs() const;
  void add_control_input(const Node& before) const;

  /// An error about this node: name, op and framework are filled in, input types are listed.
  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return describe(mo::error(code, text, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[nodiscard]] Diagnostic warning(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return describe(mo::warning(code, text, std::forward<Args>(args)...));
  }
  /// Fills in what a diagnostic does not say yet about this node: where it is, what it reads, and the pass of a plugin
  /// that made or changed it, whose error this is then (Diagnostic::plugin_code).
  Diagnostic describe(Diagnostic diagnostic) const;
  Error describe(Error error) const;

 private:
  Graph& here() const {
    if (!graph_) misused();
    return *graph_;
  }
  [[noreturn]] static void misused();
  [[noreturn]] void erased() const;

  Graph* graph_ = nullptr;
  NodeId id_;
};

}  // namespace mo
