#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {

void register_eliminate_gather_unsqueeze(PassRegistry& passes) {
  using namespace pattern;
  const Pat gather = any_gather();
  passes.offer(rewrite("EliminateGatherUnsqueeze")
                   .described("Unsqueeze(Gather(x, i, axis))", "Gather(x, [i], axis)",
                              "the constant i and what is taken are scalars, the result a vector")
                   .match(op<ops::Unsqueeze>(gather, any()).rank(1))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(gather);
                     const auto index = constant_integers_of(node.input(1));
                     if (!index || node.input_type(1).rank() != 0 || node.output_type().rank() != 0)
                       return declined("no scalar is taken by a constant scalar");
                     return rw.copy_with_new_inputs(node, {node.input(0), rw.integers(*index), node.input(2)}).output();
                   }));
}

}  // namespace mo::transformations
