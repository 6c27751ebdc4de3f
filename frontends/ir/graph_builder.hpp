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
  GraphBuilder(const OpRegistry& registry, std::string bin_path, int ir_version, bool carries_unknown_ops,
               DiagnosticSink& sink)
      : ops_(registry),
        bin_path_(std::move(bin_path)),
        ir_version_(ir_version),
        carries_unknown_ops_(carries_unknown_ops),
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
  Expected<std::optional<Op>> make_carried(const Layer& layer) const;
  Expected<Tensor> constant_tensor(const Layer& layer, ElementType type, const Shape& shape, std::uint64_t offset,
                                   std::uint64_t size);
  Expected<void> read_data(const Layer& layer, Op& op);
  Expected<void> read_bodies(const Layer& layer, Op& op, int depth);
  Expected<FilePtr> weights();
  void warn(Diagnostic warning);

  OpLookup ops_;
  std::string bin_path_;
  int ir_version_;
  bool carries_unknown_ops_;
  DiagnosticSink& sink_;
  FilePtr weights_;
  std::size_t warnings_ = 0;
};

/// Sets the attributes <prefix>input_map, output_map and back_edges of `op` from <prefix>port_map and
/// <prefix>back_edges of its layer. Error MO-IR-0011.
Expected<void> read_port_maps(const Layer& layer, const std::string& prefix, const BuiltGraph& built, const Graph& body,
                              Op& op);

}  // namespace mo::ir
