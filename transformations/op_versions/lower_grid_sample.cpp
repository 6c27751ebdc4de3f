#include "ops/build/grid_sampling.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// GridSample -> a weighted sum of gathered elements.
Replacement grid_sample(const Node& node, Rewriter& rw) {
  if (!node.input_type(0).shape.has_rank() || !node.input_type(1).shape.has_rank()) return Replacement::declined();
  return build::sampled_by_grid(rw, node.input(0), node.input(1), *node.as<ops::GridSample>(), 2);
}

}  // namespace

/// Sampling by a grid, which came with opset9.
void register_lower_grid_sample(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerGridSample")
                 .phase(Phase::back)
                 .run_before({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::GridSample>("GridSampleDecomposition", grid_sample))));
}

}  // namespace mo::transformations
