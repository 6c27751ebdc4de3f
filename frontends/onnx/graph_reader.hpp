#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/common/hash_map.hpp"
#include "frontends/onnx/model_state.hpp"
#include "frontends/onnx/value_info.hpp"

namespace mo::onnx {

/// Attribute values that stand for an attribute of the enclosing function: a record with this only key, whose value is
/// the name.
inline constexpr std::string_view kReference = "@ref";

/// Reads one GraphProto, or the nodes of one FunctionProto, into a graph of framework nodes. Graphs in attributes are
/// read by readers of their own, `depth` levels down; what they capture from the outside becomes Parameters of theirs
/// and inputs of the owning node.
class GraphReader {
 public:
  struct Scope {
    const OpsetImports* imports = nullptr;
    bool in_function = false;
    int depth = 0;
  };

  GraphReader(ModelState& model, Scope scope);

  /// The graph of the model: every name must be known.
  Expected<void> read_main(const frontends::WireField& message);
  /// A graph in an attribute: unknown names are captured.
  Expected<void> read_body(const frontends::WireField& message);
  /// A function: `nodes` are the NodeProtos of the FunctionProto `message`.
  Expected<void> read_function(const frontends::WireField& message, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs);

  std::unique_ptr<Graph> take_graph() { return std::move(graph_); }
  /// Names of the outer tensors, in the order of the Parameters that stand for them.
  const std::vector<std::string>& captures() const { return captures_; }

  /// One AttributeProto outside of a node: the default of an attribute of a function.
  Expected<void> read_attribute(const frontends::WireField& message, AttributeMap& attributes);

 private:
  /// What nodes of one op have in common.
  struct OpInfo {
    const OpType* type = nullptr;  ///< "onnx::Conv"
    OriginId origin;
    std::string title;  ///< "Conv", "com.microsoft.Gelu"
    std::string domain;
    std::int64_t opset = 1;
  };
  /// An input port whose tensor was not there yet when its node was made.
  struct Pending {
    UseId use;
    NameId tensor;
  };
  struct Problem {
    Node parameter;
    std::string what;
  };
  struct Parts;
  class AttributeReader;

  Expected<Parts> read_parts(const frontends::WireField& message);
  Expected<void> read_graph(const frontends::WireField& message, bool is_main);
  Expected<void> add_parameters(const Parts& parts, bool is_main);
  Expected<void> add_constants(Parts& parts, bool is_main);
  Expected<void> read_nodes(const frontends::WireField& message, std::uint32_t node_field);
  Expected<void> read_node(const frontends::WireField& message);
  Expected<void> create_node(NameId name, std::string_view op_type, std::string_view domain, AttributeMap attributes);
  Expected<const OpInfo*> op_info(std::string_view domain, std::string_view op_type);
  Expected<void> connect_pending(bool may_capture);
  Expected<void> add_results(const std::vector<std::string>& outputs, std::string_view suffix, bool may_capture);
  Expected<void> finish();

  Expected<NameId> intern(const frontends::WireField& field);
  Expected<void> declare(NameId tensor, const Value& value);
  Value find(NameId tensor) const;
  Value capture(NameId tensor);
  Diagnostic unknown_tensor(NameId tensor) const;

  ModelState& model_;
  Scope scope_;
  std::unique_ptr<Graph> graph_;
  std::vector<ValueId> producers_;  ///< by name
  std::vector<Pending> pending_;
  std::vector<std::string> captures_;
  std::vector<Problem> problems_;
  frontends::HashMap<std::string, OpInfo> ops_;
  std::string key_;  ///< reused for look-ups in ops_

  // Of the node that is being read.
  std::vector<NameId> inputs_;
  std::vector<NameId> outputs_;
  std::vector<NameId> captured_inputs_;
  frontends::HashSet<std::uint32_t> captured_;  ///< the same, for look-ups
  std::vector<Value> values_;
};

/// The attributes of one node: AttributeProto -> AttributeMap. Bodies are read on the way.
class GraphReader::AttributeReader {
 public:
  explicit AttributeReader(GraphReader& graph) : graph_(graph) {}
  /// Adds one attribute. Errors: MO-ONNX-0019 … 0022, those of tensors and graphs.
  Expected<void> read(const frontends::WireField& message);

  AttributeMap attributes;

 private:
  struct Raw;
  Expected<AttributeValue> value_of(Raw& raw);
  Expected<AttributeValue> read_body(const frontends::WireField& message);
  GraphReader& graph_;
};

}  // namespace mo::onnx
