#include "phases/partial_inference/kept_sizes.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/graph/model_ends.hpp"
#include "phases/front/exported_shape.hpp"

namespace mo::phases {
namespace {

std::optional<Dimension> first_dimension(const PartialShape& shape) {
  return shape.has_rank() && shape.size() > 0 ? std::optional(shape[0]) : std::nullopt;
}

/// The exported sizes of first dimensions that were changed.
std::vector<Dimension> changed_batches(const Graph& graph) {
  std::vector<Dimension> batches;
  for (const Node& input : graph.parameters()) {
    const auto exported = has_assumed_batch(input) ? std::nullopt : exported_shape(input);
    const auto batch = exported ? first_dimension(*exported) : std::nullopt;
    if (batch && batch->is_known() && batch != first_dimension(input.as<Parameter>()->shape)) batches.push_back(*batch);
  }
  return batches;
}

/// The node nearest to `value` that reads a tensor with a first dimension that is not `batch`, and whose result has it;
/// nothing when no changed input leads to `value`.
Node where_lost(const Value& value, const Dimension& batch) {
  std::vector<Node> open = {value.node()};
  std::unordered_set<NodeId> seen = {value.node().id()};
  for (std::size_t at = 0; at < open.size(); ++at) {
    const Node node = open[at];
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source || source.node().is<Const>() ||
          (node.op_type().traits.shape_inputs >> std::min<std::size_t>(port.index(), 31) & 1U) != 0)
        continue;
      const auto size = first_dimension(source.type().shape);
      if (size && *size != batch) return node;
      if (seen.insert(source.node().id()).second) open.push_back(source.node());
    }
  }
  return {};
}

}  // namespace

Pass kept_sizes() {
  return graph_pass("KeptSizes")
      .phase(Phase::middle)
      .run_after({"MiddleFinish"})
      .when([](const Graph& graph, const PassContext&) { return has_changed_sizes(graph); })
      .only_top_level()
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        const std::vector<Dimension> batches = changed_batches(graph);
        for (const Node& result : graph.results()) {
          const auto exported = exported_shape(result);
          const auto before = exported ? first_dimension(*exported) : std::nullopt;
          const auto now = first_dimension(result.input_type(0).shape);
          if (!before || before != now || std::find(batches.begin(), batches.end(), *now) == batches.end()) continue;
          const Node node = where_lost(result.input(0), *now);
          if (!node) continue;
          const std::string_view name = public_name(result).empty() ? result.name() : public_name(result);
          context.diagnostics.report(
              node.warning("MO-FRONT-0025",
                           "output '{}' keeps {} as its first dimension, although the batch of the inputs was changed: "
                           "this node reads the batch and does not hand it on",
                           name, now->to_string())
                  .hint("give the inputs the batch of the exported model, or export the model with a batch that may "
                        "change"));
        }
        return false;
      });
}

}  // namespace mo::phases
