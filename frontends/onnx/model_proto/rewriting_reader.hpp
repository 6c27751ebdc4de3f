#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontends/onnx/graph_reader.hpp"
#include "frontends/onnx/model_header.hpp"

namespace mo::onnx {

/// Reads a graph so that it can be written back as it was: what model_proto.hpp says.
class RewritingReader final : public GraphReader {
 public:
  RewritingReader(ModelState& model, int depth) : GraphReader(model, depth, TensorNames::none) {}

  /// The graph of the model, whose source this is.
  Expected<void> read_model(const ModelHeader& header);
  /// A GraphProto of an attribute, or a FunctionProto. `opset`: version of the default operators around it.
  Expected<void> read_body(const frontends::WireField& message, std::int64_t opset);
  Expected<void> read_function(const frontends::WireField& message, std::int64_t opset);

 private:
  Expected<void> read_graph(const frontends::WireField& message);
  void note_initializers(std::int64_t ir_version);
  Expected<void> add_constants();
  Expected<void> connect();
  Expected<AttributeValue> named_value(std::string name, const frontends::WireField& field);
  Expected<void> add_captures(const frontends::WireField& body);
  std::string name_operator();
  Expected<Node> create(const std::string& op, AttributeMap attributes);
  Expected<void> create_source(const std::string& op, AttributeMap attributes, std::string_view name);
  /// A tensor that this graph makes or is given.
  Expected<Value> known_tensor(std::string_view name);

  Expected<void> take_graph_field(const frontends::WireField& field) override;
  Expected<void> take_attribute(const frontends::WireField& field) override;
  Expected<void> take_node_field(const frontends::WireField& field) override;
  Expected<void> create_node() override;
  Expected<Value> from_outside(NameId tensor) override;

  bool is_inner_ = false;
  std::vector<std::string> given_;           ///< tensors of the graph around this one
  std::vector<AttributeList> initializers_;  ///< records of those of `parts_`
  AttributeList fields_;
  AttributeList inputs_;
  AttributeList outputs_;
  AttributeList value_info_;

  // Of the node that is being read.
  AttributeMap spellings_;
  AttributeList node_fields_;
  std::set<std::string> captures_;
};

}  // namespace mo::onnx
