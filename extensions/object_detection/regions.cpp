#include "extensions/object_detection/regions.hpp"

#include <unordered_set>

#include "ops/proposal.hpp"

namespace mo::object_detection {

Expected<Value> nearest_prediction(const Value& value, std::int64_t channels, std::string_view what) {
  std::vector<Node> open = {value.node()};
  std::unordered_set<std::uint32_t> seen = {value.node().id().index};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Node node = open[i];
    if (arithmetic_of(node) == Arithmetic::add)
      for (const std::size_t side : {0U, 1U})
        if (const Tensor* bias = constant_of(node.input(side)); bias && bias->rank() == 1) {
          if (bias->element_count() == channels) return node.output();
          return node
              .error("MO-CONFIG-0232", "the predictor of {} has {} channels, and the pipeline configuration expects {}",
                     what, bias->element_count(), channels)
              .hint("give the pipeline.config that belongs to this model");
        }
    for (std::size_t k = 0; k < node.in_port_count(); ++k)
      if (const Value source = node.input(k); source && seen.insert(source.node().id().index).second)
        open.push_back(source.node());
  }
  return value.node()
      .error("MO-CONFIG-0232",
             "there is no convolution with a bias before '{}', which should "
             "predict {}",
             value.node().name(), what)
      .hint(
          "is this the configuration for the version of the Object Detection "
          "API that exported the model?");
}

Expected<Value> proposed_regions(const Graph& graph) {
  std::vector<Node> found;
  for (auto [node, op] : graph.each<ops::Proposal>()) found.push_back(node);
  if (found.size() == 1) return found.front().output();
  return error("MO-CONFIG-0233", "the model has {} Proposal operations, expected one", found.size())
      .hint(
          "the first stage is replaced by "
          "ObjectDetectionAPIProposalReplacement: check that the "
          "configuration has it, and that it matched");
}

Value with_x_first(Rewriter& rw, const Value& regions) { return picked(rw, regions, {0, 2, 1, 4, 3}, 1); }

Value corners_of(Rewriter& rw, const Value& regions) { return slice_along(rw, regions, 1, 1, 5); }

Expected<std::int64_t> most_proposals(const PipelineConfig& pipeline) {
  constexpr std::int64_t kMost = 1'000'000;
  MO_ASSIGN(const std::int64_t most, pipeline.integer("first_stage_max_proposals"));
  if (most > 0 && most <= kMost) return most;
  return error("MO-CONFIG-0204", "first_stage_max_proposals is {}", most).hint("correct the pipeline configuration");
}

}  // namespace mo::object_detection
