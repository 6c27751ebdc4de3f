#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/index_table.hpp"
#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

/// Attribute of a call that keeps the attributes with which the function is called: "@attributes_of_f".
inline constexpr std::string_view kFunctionAttributes = "@attributes_of_";

/// What a graph is read for.
enum class Purpose {
  conversion,  ///< what translators want to know: a Placeholder is a Parameter, types are those of elements
  rewriting,   ///< whatever the file says, so that it can be written back (graph_def/graph_def.hpp)
};

/// Reads the nodes of one GraphDef, or those of one function, into a graph. Nodes are dynamic ops "tf::<op>" with the
/// attributes of the model; names get `prefix`. Edges may go backwards (loops of TensorFlow 1).
class GraphReader {
 public:
  GraphReader(ModelState& model, Graph& graph, std::string prefix = {}, Purpose purpose = Purpose::conversion);

  /// All nodes of the GraphDef, and its library of functions. A Placeholder becomes a Parameter.
  Expected<void> read_graph_def(const frontends::WireField& message);
  /// The nodes of a function that is called with `arguments`; gives its results.
  /// `attributes`: of the call, for functions whose nodes refer to them.
  Expected<Outputs> read_function(const Function& function, const Outputs& arguments, const AttributeMap& attributes);
  /// For rewriting: the nodes of a function, and a Placeholder for each of its arguments.
  Expected<void> read_function_as_it_stands(const Function& function);
  /// The tensor of "node:argument:index", once all nodes are there.
  Expected<Value> find_returned(std::string_view text);

 private:
  /// An input port whose tensor is looked up when all nodes are there.
  struct Pending {
    UseId use;
    NameId producer;
    std::uint32_t port = 0;
    NameId argument;  ///< of a function's node: the output argument that `port` counts in
  };
  struct Reference {
    NameId producer;
    std::uint32_t port = 0;
    NameId argument;
    bool is_control = false;
  };
  class AttributeReader;
  /// What nodes of one op have in common.
  struct OpInfo {
    const OpType* type = nullptr;  ///< "tf::Conv2D"
    OriginId origin;
    // Most nodes of an op say the same as the one before: its attributes, and the bytes that they were read from.
    AttributeMap attributes;
    std::string attribute_bytes;
    std::uint64_t first_entry = 0;  ///< bytes
  };

  Expected<void> read_nodes(const frontends::WireField& message, std::uint32_t node_field);
  Expected<void> read_node(const frontends::WireField& message);
  Expected<NameId> claim_name(std::string_view name, std::string_view op);
  /// The attributes of a node for conversion, whose entries are `entries_`.
  Expected<void> read_attributes(const std::string& op, AttributeReader& attributes);
  Expected<void> create_node(std::string_view name, const std::string& op, AttributeMap attributes);
  /// Connects the inputs of the node that is being read, or keeps them for `connect_pending`: all from the first on
  /// that cannot be connected yet, so that readers come in the order of nodes.
  Expected<void> connect_inputs(const Node& node);
  Expected<Reference> parse_reference(std::string_view text);
  // For rewriting (graph_def/reading.cpp).
  Expected<void> create_as_it_stands(std::string_view name, const std::string& op, AttributeMap attributes);
  void note_input(std::string_view text, const Reference& reference);

  OpInfo& op_info(const std::string& op);
  Expected<void> connect_pending();
  Expected<Value> find(const Reference& reference);
  Expected<std::size_t> port_of(const Node& producer, const Reference& reference) const;
  /// None when there is no node of that name yet.
  NodeId producer_of(NameId name) const { return NodeId{producers_.find(name.index)}; }
  Diagnostic unknown_node(NameId name) const;
  std::string_view local_name(NameId name) const;

  ModelState& model_;
  Graph& graph_;
  std::string prefix_;
  bool in_function_ = false;
  const Purpose purpose_;
  const AttributeMap* substitutions_ = nullptr;
  IndexTable producers_;  ///< the index of a node by that of its name
  frontends::HashMap<std::uint32_t, Value> arguments_;
  std::vector<Pending> pending_;
  std::vector<std::pair<NodeId, NameId>> control_;
  std::string scratch_;

  frontends::HashMap<std::string, OpInfo> ops_;

  // Of the node that is being read.
  std::vector<frontends::WireField> entries_;  ///< of its attributes, for conversion
  std::vector<Reference> inputs_;
  std::vector<NameId> control_inputs_;
  std::vector<std::string> spelled_inputs_;  ///< for rewriting: as the file writes them
  bool is_usual_ = true;                     ///< and whether that is how we write them
};

/// The attributes of one node: AttrValue -> AttributeValue.
class GraphReader::AttributeReader {
 public:
  explicit AttributeReader(GraphReader& graph) : graph_(graph) {}
  /// Adds one entry of NodeDef.attr. Errors: MO-TF-0011 (too long), those of tensors and shapes.
  Expected<void> read_entry(const frontends::WireField& message);
  /// For rewriting: keeps a field that is no attribute.
  Expected<void> keep_field(const frontends::WireField& field);

  AttributeMap attributes;
  std::vector<Diagnostic> remarks;  ///< warnings that want the name of the node

 private:
  Expected<void> read_as_it_stands(const frontends::WireField& value, const frontends::WireField& entry,
                                   const std::string& key);
  /// Of a function: what was read for an earlier call, when it is large and the same for each.
  Expected<AttributeValue> read_or_known_value(const frontends::WireField& message, std::string_view name);
  Expected<AttributeValue> read_value(const frontends::WireField& message, std::string_view name);
  Expected<AttributeValue> read_list(const frontends::WireField& message, std::string_view name);
  Expected<std::string> read_function_name(const frontends::WireField& message, std::string_view attribute);
  Expected<AttributeMap> read_map(const frontends::WireField& message, std::uint32_t entry_field);
  GraphReader& graph_;
  int depth_ = 0;
  /// what was read last refers to an attribute of the call, or names functions
  bool depends_on_call_ = false;
};

}  // namespace mo::tensorflow
