#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/common/hash_map.hpp"
#include "frontends/onnx/attribute_message.hpp"
#include "frontends/onnx/graph_reader.hpp"

namespace mo::onnx {

/// Attribute values that stand for an attribute of the enclosing function: a record with this only key, whose value is
/// the name.
inline constexpr std::string_view kReference = "@ref";

/// Reads a graph for conversion: what reader.hpp says of `read_model`. Graphs in attributes are read by readers of
/// their own, one level down; what they capture from the outside becomes Parameters of theirs and inputs of the owning
/// node.
class ConversionReader final : public GraphReader {
 public:
  struct Scope {
    const OpsetImports* imports = nullptr;
    bool in_function = false;
    int depth = 0;
  };

  ConversionReader(ModelState& model, Scope scope);

  /// The graph of the model: every name must be known.
  Expected<void> read_main(const frontends::WireField& message) { return read_graph(message, true); }
  /// A function: `nodes` are the NodeProtos of the FunctionProto `message`.
  Expected<void> read_function(const frontends::WireField& message, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs);
  /// One AttributeProto outside of a node: the default of an attribute of a function.
  Expected<void> read_default(const frontends::WireField& message, AttributeMap& attributes) {
    return read_attribute(message, attributes);
  }

 private:
  /// What nodes of one op have in common.
  struct OpInfo {
    const OpType* type = nullptr;  ///< "onnx::Conv"
    OriginId origin;
    std::string title;  ///< "Conv", "com.microsoft.Gelu"
    std::string domain;
    std::int64_t opset = 1;
    AttributeMap attributes;  ///< that its nodes have beside their own: "@opset", "@domain"
  };
  struct Problem {
    Node parameter;
    std::string what;
  };

  Expected<void> read_graph(const frontends::WireField& message, bool is_main);
  Expected<void> add_parameters(bool is_main);
  Expected<void> add_constants(bool is_main);
  Expected<void> add_results(const std::vector<std::string>& outputs, std::string_view suffix);
  Expected<void> finish();
  Expected<const OpInfo*> op_info(std::string_view domain, std::string_view op_type);
  Expected<void> read_attribute(const frontends::WireField& message, AttributeMap& attributes);
  Expected<AttributeValue> read_value(AttributeMessage& attribute);
  Expected<AttributeValue> read_body(const frontends::WireField& message);
  Value capture(NameId tensor);

  Expected<void> take_graph_field(const frontends::WireField& field) override;
  Expected<void> take_attribute(const frontends::WireField& field) override;
  Expected<void> take_node_field(const frontends::WireField& field) override;
  Expected<void> create_node() override;
  Expected<Value> from_outside(NameId tensor) override;

  const Scope scope_;
  bool may_capture_ = false;
  /// Names of the outer tensors, in the order of the Parameters that stand for them.
  std::vector<std::string> captures_;
  std::vector<Problem> problems_;
  AttributeList annotations_;
  AttributeMap metadata_;
  frontends::HashMap<std::string, OpInfo> ops_;
  std::string key_;  ///< reused for look-ups in ops_

  // Of the node that is being read.
  std::string overload_;
  std::vector<NameId> captured_inputs_;
  frontends::HashSet<std::uint32_t> captured_;  ///< the same, for look-ups
};

}  // namespace mo::onnx
