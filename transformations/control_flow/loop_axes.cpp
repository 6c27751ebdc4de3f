#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// Counts `axis` from the front of a tensor of this rank; says whether that changed it.
Expected<bool> count_from_front(const Node& node, std::optional<std::int64_t>& axis, std::optional<std::int64_t> rank) {
  if (!axis || *axis >= 0) return false;
  if (!rank)
    return node.error("MO-ONNX-0425", "axis {} of a loop needs a tensor of known rank", *axis)
        .hint("give the rank of the model's inputs with --input_shape, for example [?,?,64]");
  if (*axis + *rank < 0) return false;  // inference has the word
  axis = *axis + *rank;
  return true;
}

Expected<bool> count_axes_from_front(Rewriter& rw, const Node& node) {
  const auto parts = loop_parts(node);
  if (!parts) return false;
  bool changed = false;
  for (ops::InputMap& map : *parts->inputs)
    if (map.input >= 0) {
      MO_ASSIGN(const bool moved,
                count_from_front(node, map.axis, node.input_type(static_cast<std::size_t>(map.input)).rank()));
      changed |= moved;
    }
  const std::vector<Node> results = parts->body->results();
  for (ops::OutputMap& map : *parts->outputs) {
    MO_ASSIGN(const bool moved,
              count_from_front(node, map.axis, results[static_cast<std::size_t>(map.result)].input_type(0).rank()));
    changed |= moved;
  }
  if (changed) rw.changed(node);
  if (rw.error()) return *rw.error();
  return changed;
}

}  // namespace

/// IR TensorIterator and Loop: a port map counts its axis from the front; ONNX Scan may count from the back.
void register_loop_axes(PassRegistry& passes) {
  passes.add(graph_pass("LoopAxes")
                 .looks_for<ops::Loop, ops::TensorIterator>()
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   bool changed = false;
                   for (const Node node : graph.nodes()) {
                     MO_ASSIGN(const bool moved, count_axes_from_front(rw, node));
                     changed |= moved;
                   }
                   return changed;
                 }));
}

}  // namespace mo::transformations
