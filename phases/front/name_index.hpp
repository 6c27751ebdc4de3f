#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "core/graph/graph.hpp"

namespace mo::phases {

/// A place in the graph, as the user may have meant it; the first reading that names something is taken.
struct PlaceReading {
  std::string name;             ///< of a node or of a tensor
  std::optional<int> in_port;   ///< the tensor that this input port of the node reads
  std::optional<int> out_port;  ///< this output port of the node
};

struct Place {
  std::string text;                    ///< as written, for messages
  std::vector<PlaceReading> readings;  ///< in the order in which they are tried
};

/// Where a place lies in the graph: a node as a whole, or one of its ports.
struct FoundPlace {
  Node node;
  std::optional<std::size_t> in_port;
  std::optional<std::size_t> out_port;
};

/// Whose names come first where a node and a tensor of another node are called the same.
enum class NameOrder { nodes_first, tensors_first };

/// Finds what --input and --output name. The model's own inputs and outputs come before everything else. Made once for
/// a list of places.
class NameIndex {
 public:
  NameIndex(const Graph& graph, NameOrder order);

  /// `option`: "--input" or "--output". Errors: MO-CUT-0001 (no such node or tensor, with the nearest names),
  /// MO-CUT-0002 (no such port). Warning MO-CUT-0006 where a node and a tensor of another node have the name.
  Expected<FoundPlace> find(const Place& place, std::string_view option, DiagnosticSink& sink) const;
  bool has(const std::string& name) const { return nodes_.contains(name) || tensors_.contains(name); }
  bool has_tensor(const std::string& name) const { return tensors_.contains(name); }

 private:
  std::optional<FoundPlace> find_tensor(const PlaceReading& reading, std::string_view option) const;
  Expected<std::optional<FoundPlace>> find_node(const PlaceReading& reading, std::string_view option) const;
  Diagnostic unknown(const Place& place, std::string_view option) const;
  std::pair<std::string, std::size_t> ends_of_model(bool inputs) const;

  const Graph& graph_;
  NameOrder order_;
  std::unordered_map<std::string, Node> nodes_;
  std::unordered_map<std::string, OutPort> tensors_;
  std::unordered_map<std::string, OutPort> outputs_;  ///< tensors that the model gives
};

}  // namespace mo::phases
