#pragma once

#include "core/graph/graph.hpp"
#include "frontends/ir/layers.hpp"
#include "frontends/ir/op_lookup.hpp"

namespace mo::ir {

/// Nodes of a graph that was built from layers.
struct BuiltGraph {
  std::unordered_map<std::int64_t, NodeId> node_of;  ///< by layer id
};

/// Turns layers into nodes: one for the net, bodies included.
class GraphBuilder {
 public:
  GraphBuilder(const OpRegistry& registry, std::string bin_path, int ir_version, bool carries_unknown,
               DiagnosticSink& sink)
      : ops_(registry),
        bin_path_(std::move(bin_path)),
        ir_version_(ir_version),
        carries_unknown_(carries_unknown),
        sink_(sink) {}

  /// Fills `graph` (empty) with the layers of `net`, which is a <net> or a body.
  Expected<BuiltGraph> build(const pugi::xml_node& net, Graph& graph, int depth = 0);
  /// Says how many warnings were left out.
  void report_more_warnings();
  /// Error MO-IR-0010 when ops were unknown and are not carried through; to be asked after `build`.
  Expected<void> check_ops() const { return ops_.unknown(); }

 private:
  Expected<Op> make_op(const Layer& layer, const OpType& type, int depth);
  Expected<Op> make_constant(const Layer& layer);
  Expected<Op> make_carried(const Layer& layer, int depth);
  Expected<void> carry_bodies(const Layer& layer, AttributeMap& attributes, int depth);
  Expected<Tensor> constant_tensor(const Layer& layer, ElementType type, const Shape& shape, std::uint64_t offset,
                                   std::uint64_t size);
  Expected<void> read_data(const Layer& layer, Op& op);
  Expected<void> read_bodies(const Layer& layer, Op& op, int depth);
  Expected<FilePtr> weights();
  void warn(Diagnostic warning);

  OpLookup ops_;
  std::string bin_path_;
  int ir_version_;
  bool carries_unknown_;  ///< ops and element types
  DiagnosticSink& sink_;
  FilePtr weights_;
  std::size_t warnings_ = 0;
};

/// Sets the attributes <prefix>input_map, output_map and back_edges of `op` from <prefix>port_map and
/// <prefix>back_edges of its layer. Error MO-IR-0011.
Expected<void> read_port_maps(const Layer& layer, const std::string& prefix, const BuiltGraph& built, const Graph& body,
                              Op& op);

/// More attributes than any element of an unknown operation has: look-up in an AttributeMap is linear.
inline constexpr std::size_t kMostCarriedAttributes = 1000;
/// Error MO-IR-0017.
Diagnostic too_many_attributes();

/// The elements of the child `list` (a port map or back edges) of a layer whose op is not known, as records of
/// core/op/carried_op.hpp. Error MO-IR-0011 for a layer of the body that is neither a Parameter nor a Result.
Expected<AttributeList> carried_records(const Layer& layer, const std::string& list, const BuiltGraph& built,
                                        const Graph& body);

}  // namespace mo::ir
