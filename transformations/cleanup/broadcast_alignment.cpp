#include "core/rewrite.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// Op(a, b) {pdpd, axis} -> Op(a, b with trailing dimensions of 1) {numpy}: b lies at `axis` of a, numpy aligns at the
/// back. Opsets 1-6 of ONNX and Caffe broadcast like this; runtimes are better at numpy's rule.
bool align(Rewriter& rw, const Node& node) {
  if (!node.op_type().dynamic && !node.op_type().find_attribute("auto_broadcast")) return false;
  const auto mode = node.attr<std::string>("auto_broadcast");
  if (!mode || *mode != "pdpd" || node.in_port_count() != 2) return false;
  const auto axis = node.attr<std::int64_t>("auto_broadcast_axis").value_or(-1);
  const auto rank = node.input_type(0).rank();
  const auto other = node.input_type(1).rank();
  if (!rank || !other) return false;
  const std::int64_t behind = axis < 0 ? 0 : *rank - axis - *other;
  if (behind < 0 || *other > *rank) return false;
  std::vector<std::int64_t> axes;
  for (std::int64_t i = 0; i < behind; ++i) axes.push_back(*other + i);
  // The attributes first: the node is inferred again with the new input.
  if (!node.set_attr("auto_broadcast", "numpy") || !node.set_attr("auto_broadcast_axis", std::int64_t{-1}))
    return false;
  if (axes.empty())
    rw.changed(node);
  else
    rw.set_input(node, 1, rw.create(ops::Unsqueeze{}, node.input(1), rw.integers(axes)));
  return true;
}

}  // namespace

void register_broadcast_alignment(PassRegistry& passes) {
  passes.add(graph_pass("BroadcastAlignment")
                 .run_before({"ConstantFolding"})
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   bool changed = false;
                   for (const Node node : graph.nodes()) changed = align(rw, node) || changed;
                   if (rw.error()) return *rw.error();
                   return changed;
                 }));
}

}  // namespace mo::transformations
