#pragma once

#include <string>
#include <vector>

#include "core/graph/ids.hpp"
#include "core/op/infer_context.hpp"

namespace mo {

class Graph;
class Node;
class InPort;
class OutPort;
class Connection;

/// How tensor names move when the source of a connection changes.
enum class TensorNames {
  merge,   ///< the new source gets the names of the old one, in addition to its own (default)
  source,  ///< the new source keeps its own names, those of the old one stay where they are
  dest,    ///< the new source gets the names of the old one instead of its own
};

/// What is known of the tensor that an output port produces; the Model Optimizer's "data node". Empty before partial
/// inference. A view: valid while the node lives.
class PortData {
 public:
  const TensorType& type() const;
  const PartialShape& shape() const { return type().shape; }
  ElementType element_type() const { return type().element_type; }
  /// The completely known value; null when unknown. It may be a file range or a recipe (`Tensor::load`).
  const Tensor* value() const;
  /// The partly known value of a shape computation; null when unknown or completely known.
  const PartialValue* partial_value() const;
  TensorFact fact() const;
  /// Valid until the tensor is inferred again.
  FactView view() const;

  void set_type(const TensorType& type) const;
  void set_shape(PartialShape shape) const { set_type({element_type(), std::move(shape)}); }
  void set_element_type(ElementType type) const { set_type({type, shape()}); }
  /// Also sets type and shape.
  void set_value(Tensor value) const;
  void set_partial_value(PartialValue value) const;
  void clear_value() const;

  /// Names that the framework gave to this tensor, in the order in which they were added.
  std::vector<std::string_view> tensor_names() const;
  /// The first of them; empty when there are none.
  std::string_view first_tensor_name() const;
  /// What a Result of this tensor is called: after the tensor, else after its node and port ("conv/sink_port_0").
  std::string result_name() const;
  void add_tensor_name(std::string_view name) const;
  void add_tensor_name(NameId name) const;
  /// Also between graphs; O(1) in one graph.
  void add_tensor_names_of(const PortData& other) const;
  void clear_tensor_names() const;

 private:
  friend class InPort;
  friend class OutPort;
  PortData(Graph* graph, ValueId id) : graph_(graph), id_(id) {}
  Graph* graph_;
  ValueId id_;
};

/// An output port of a node: a tensor. A handle (graph, id): cheap to copy, valid while the node lives.
/// Code that builds graphs calls it a `Value`.
class OutPort {
 public:
  OutPort() = default;
  OutPort(Graph* graph, ValueId id) : graph_(graph), id_(id) {}
  /// The handle of a port that `node` does not have: false, equal to an empty one; using it is a Misuse that names node
  /// and port.
  static OutPort absent(const Node& node, std::size_t port);
  explicit operator bool() const { return graph_ != nullptr && absent_ == kPresent; }
  bool operator==(const OutPort& other) const {
    return (!*this && !other) || (graph_ == other.graph_ && id_ == other.id_ && absent_ == other.absent_);
  }

  Graph& graph() const { return here(); }
  ValueId id() const { return id_; }
  Node node() const;
  std::size_t index() const;

  PortData data() const { return {&here(), id_}; }
  const TensorType& type() const { return data().type(); }

  /// The only input port that reads this tensor. Errors: MO-GRAPH-0001 (several readers), MO-GRAPH-0002 (none).
  Expected<InPort> get_destination() const;
  /// All input ports that read this tensor, in the order in which they were connected.
  std::vector<InPort> get_destinations() const;
  std::size_t destination_count() const;
  bool has_one_destination() const;
  bool disconnected() const;

  /// Adds `destination` as a reader; it leaves its former source. Error MO-GRAPH-0003 across graphs.
  Expected<void> connect(const InPort& destination) const;
  /// Removes all readers.
  void disconnect() const;
  Connection get_connection() const;

 private:
  static constexpr std::uint32_t kPresent = 0xFFFFFFFFU;
  /// The graph, when there is a port; Misuse otherwise.
  Graph& here() const {
    if (!*this) misused();
    return *graph_;
  }
  [[noreturn]] void misused() const;

  Graph* graph_ = nullptr;
  ValueId id_;                       ///< of an absent port: the id of the node
  std::uint32_t absent_ = kPresent;  ///< number of the port that is not there
};

using Value = OutPort;
using Outputs = std::vector<Value>;

/// An input port of a node: it reads one tensor, or none (an optional input).
class InPort {
 public:
  InPort() = default;
  InPort(Graph* graph, UseId id) : graph_(graph), id_(id) {}
  /// The handle of a port that `node` does not have: false, equal to an empty one; using it is a Misuse that names node
  /// and port.
  static InPort absent(const Node& node, std::size_t port);
  explicit operator bool() const { return graph_ != nullptr && absent_ == kPresent; }
  bool operator==(const InPort& other) const {
    return (!*this && !other) || (graph_ == other.graph_ && id_ == other.id_ && absent_ == other.absent_);
  }

  Graph& graph() const { return here(); }
  UseId id() const { return id_; }
  Node node() const;
  std::size_t index() const;

  /// Data of the source; Misuse when not connected.
  PortData data() const;

  /// The output port that is read; an empty handle when disconnected.
  OutPort get_source() const;
  bool disconnected() const { return !get_source(); }
  /// Reads `source` from now on, whatever was read before. Error MO-GRAPH-0003 across graphs.
  Expected<void> connect(const OutPort& source) const;
  void disconnect() const;
  /// The connection of this port with its source (other readers of that source are not part of it).
  Connection get_connection() const;

 private:
  static constexpr std::uint32_t kPresent = 0xFFFFFFFFU;
  /// The graph, when there is a port; Misuse otherwise.
  Graph& here() const {
    if (!*this) misused();
    return *graph_;
  }
  [[noreturn]] void misused() const;

  Graph* graph_ = nullptr;
  UseId id_;                         ///< of an absent port: the id of the node
  std::uint32_t absent_ = kPresent;  ///< number of the port that is not there
};

/// A source together with the readers that are meant: all of them when it was asked of an output port, one when asked
/// of an input port. Edits act on exactly these readers.
class Connection {
 public:
  /// Not connected at all.
  bool empty() const { return !source_ && destinations_.empty(); }
  OutPort get_source() const { return source_; }
  /// Errors as OutPort::get_destination.
  Expected<InPort> get_destination() const;
  const std::vector<InPort>& get_destinations() const { return destinations_; }

  /// All readers of this connection read `source` from now on. Error MO-GRAPH-0003 across graphs.
  Expected<void> set_source(const OutPort& source, TensorNames names = TensorNames::merge);
  /// Disconnects all readers of this connection and connects the source to `destination` only.
  /// Errors: MO-GRAPH-0002 (no source), MO-GRAPH-0003 (another graph).
  Expected<void> set_destination(const InPort& destination);
  /// Adds a reader. Errors as set_destination.
  Expected<void> add_destination(const InPort& destination);
  /// Disconnects all readers of this connection.
  void remove();

 private:
  friend class InPort;
  friend class OutPort;
  Connection(OutPort source, std::vector<InPort> destinations, bool whole)
      : source_(source), destinations_(std::move(destinations)), whole_(whole) {}
  OutPort source_;
  std::vector<InPort> destinations_;
  bool whole_;  ///< asked of an output port: all readers
};

}  // namespace mo
