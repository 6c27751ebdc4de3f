#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/onnx/model_state.hpp"
#include "frontends/onnx/value_info.hpp"

namespace mo::onnx {

/// Reads the parts of one GraphProto, or the nodes of one FunctionProto, and connects its nodes by the names of
/// tensors. What the parts become is up to who derives from it: ConversionReader makes what translators want to know,
/// RewritingReader (model_proto/) what can be written back as it was.
class GraphReader {
 public:
  virtual ~GraphReader() = default;
  GraphReader(const GraphReader&) = delete;
  GraphReader& operator=(const GraphReader&) = delete;

  std::unique_ptr<Graph> take_graph() {
    producers_ = {};
    return std::move(graph_);
  }

 protected:
  /// At most this many errors of one kind are listed.
  static constexpr std::size_t kListed = 20;

  /// A GraphProto without its nodes.
  struct Parts {
    std::vector<ValueInfo> inputs;
    std::vector<std::string> outputs;
    std::vector<NamedTensor> initializers;  ///< sparse ones too, as dense tensors
  };
  /// A NodeProto. A NameId that is not valid stands for the empty name.
  struct NodeMessage {
    std::vector<NameId> inputs;
    std::vector<NameId> outputs;
    std::optional<NameId> name;
    std::string op_type;
    std::optional<std::string> domain;
    AttributeMap attributes;

    NameId first_output() const;
  };
  enum class TensorNames { on_ports, none };

  /// `depth`: how many graphs are around this one. `names`: whether output ports get the names of their tensors.
  GraphReader(ModelState& model, int depth, TensorNames names);

  /// Fills `parts_`. Errors: MO-ONNX-0018, those of tensors and values.
  Expected<void> read_parts(const frontends::WireField& message);
  /// Errors: MO-ONNX-0018, MO-ONNX-0019, those of `take_attribute`, `take_node_field` and `create_node`.
  Expected<void> read_nodes(const frontends::WireField& message, std::uint32_t node_field);
  /// The inputs whose tensors were not there yet. Error MO-ONNX-0011 for each that never came.
  Expected<void> connect_pending();
  /// Error MO-ONNX-0017 when no graph may be inside of this one.
  Expected<void> check_depth() const;

  /// A field of a GraphProto that is no node; what it says is the last of its kind in `parts_`, if they have it.
  virtual Expected<void> take_graph_field(const frontends::WireField& field) = 0;
  /// An attribute of `node_`.
  virtual Expected<void> take_attribute(const frontends::WireField& field) = 0;
  /// A field of the node that has no place in `node_`.
  virtual Expected<void> take_node_field(const frontends::WireField& field) = 0;
  /// Makes a node of `node_`.
  virtual Expected<void> create_node() = 0;
  /// A tensor that this graph does not make; none when that is an error.
  virtual Expected<Value> from_outside(NameId tensor) = 0;

  /// The node with the inputs and outputs of `node_`.
  Expected<Node> create_connected(Op op, NameId name);
  /// NodeProto.name, or else the name of its first output, or else one of its own.
  NameId title_of_node();
  Expected<NameId> intern(const frontends::WireField& field);
  /// Error MO-ONNX-0010: there is a tensor of that name.
  Expected<void> declare(NameId tensor, const Value& value);
  Value find(NameId tensor) const;
  Diagnostic unknown_tensor(NameId tensor) const;

  ModelState& model_;
  const int depth_;
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  Parts parts_;
  NodeMessage node_;  ///< the one that is being read

 private:
  /// An input port whose tensor was not there yet when its node was made.
  struct Pending {
    UseId use;
    NameId tensor;
  };

  Expected<void> read_node(const frontends::WireField& message);

  const TensorNames tensor_names_;
  std::vector<ValueId> producers_;  ///< by name
  std::vector<Pending> pending_;
  std::vector<Value> values_;  ///< of the node that is being read
};

}  // namespace mo::onnx
