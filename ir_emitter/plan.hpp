#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "ir_emitter/emitter.hpp"
#include "ir_emitter/weights.hpp"

namespace mo::ir_emitter {

/// Bodies deeper than this are refused: real models nest two or three.
inline constexpr int kMaxBodyDepth = 32;

/// What is decided before the first byte is written: the layers of a graph in their order, and the same for its bodies.
struct Plan {
  const Graph* graph = nullptr;
  std::vector<Node> layers;                                ///< the index is the layer's id
  std::vector<std::uint32_t> id_of;                        ///< by node id
  std::vector<std::uint32_t> parameters;                   ///< ids, in the model's order
  std::vector<std::uint32_t> results;                      ///< the same
  std::unordered_map<std::uint32_t, std::string> renamed;  ///< layers whose name XML cannot hold
  std::vector<Blob> blobs;                                 ///< of the Const layers, in their order
  /// by layer; in the order of the op's attributes
  std::map<std::uint32_t, std::vector<Plan>> bodies;

  std::uint32_t id(const Node& node) const { return id_of[node.id().index]; }
};

/// Orders `graph` and its bodies and checks that each node can be written for `ir_version`. All problems are collected:
/// MO-EMIT-0004 (not an op of an op set), 0005 (gap among the inputs), 0006 (unknown element type), 0007 (v10 cannot
/// express it), 0009 (bodies nested too deep), 0010 (an attribute's name), MO-GRAPH-0010 (cycle).
/// `as_read`: layers stay in the order of their nodes' ids where it is a possible one.
Expected<Plan> make_plan(const Graph& graph, int ir_version, bool as_read);

/// The `type` and `version` of a layer.
struct LayerType {
  std::string type;
  std::string version;
};
LayerType layer_type(const Node& node);

/// The elements of the graphs that a layer owns, in their order ("body"; "then_body", "else_body"). They are written
/// for ops that declare them, and for ops that are carried through.
std::vector<std::string_view> body_elements(const Node& node);

/// Inputs that are written: the trailing unconnected ones are not.
std::size_t connected_inputs(const Node& node);

/// Attributes of a dynamic op without an op set of its own that say how it is called in the IR; they are not written to
/// <data>.
inline constexpr std::string_view kTypeAttribute = "type";
inline constexpr std::string_view kVersionAttribute = "version";

/// Whether an attribute of a dynamic op goes to <data>: not its name in the IR, and not what serves the converter only
/// ("@body").
bool is_written(const Node& node, std::string_view attribute);

}  // namespace mo::ir_emitter
