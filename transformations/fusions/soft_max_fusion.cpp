#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "ops/soft_max.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

/// exp(x - ReduceMax(x)) / ReduceSum(exp(x - ReduceMax(x))) -> SoftMax(x),
/// where both reduce one and the same axis.
void register_soft_max_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat max_axes = any();
  const Pat sum_axes = any();
  const Pat exponential = exp(x - op(ops::ReduceMax{.keep_dims = true}, x, max_axes));
  passes.add(rewrite("SoftMaxFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(exponential / op(ops::ReduceSum{.keep_dims = true}, exponential, sum_axes))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const auto rank = m[x].type().rank();
                   if (!rank || !is_activation_of(m, m[x])) return Replacement::declined();
                   const auto axes = known_axes(m[max_axes], *rank);
                   if (!axes || axes->size() != 1 || axes != known_axes(m[sum_axes], *rank))
                     return Replacement::declined();
                   return rw.create(ops::v8::SoftMax{.axis = axes->front()}, m[x]);
                 }));
}

}  // namespace mo::transformations
