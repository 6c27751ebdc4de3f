#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "ops/soft_max.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

/// y - log(ReduceSum(exp(y))) with y = x - ReduceMax(x) -> LogSoftmax(x), where both reduce one and the same axis.
void register_log_soft_max_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat max_axes = any();
  const Pat sum_axes = any();
  const Pat shifted = x - op(ops::ReduceMax{.keep_dims = true}, x, max_axes);
  const Pat sum = op(ops::ReduceSum{.keep_dims = true}, exp(shifted), sum_axes);
  passes.add(rewrite("LogSoftmaxFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(shifted - op<ops::Log>(sum))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const auto rank = m[x].type().rank();
                   if (!rank || !is_activation_of(m, m[x]))
                     return declined("the rank is unknown, or something inside is read elsewhere");
                   const auto axes = known_axes(m[max_axes], *rank);
                   if (!axes || axes->size() != 1 || axes != known_axes(m[sum_axes], *rank))
                     return declined("maximum and sum are not along the same single axis");
                   return rw.create(ops::LogSoftmax{.axis = axes->front()}, m[x]);
                 }));
}

}  // namespace mo::transformations
