#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "ops/soft_max.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_softmax_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat largest = op<ops::ReduceMax>(x, constant());
  const Pat power = exp(x - largest);
  const Pat sum = op<ops::ReduceSum>(power, constant());
  passes.offer(rewrite("SoftmaxFusion")
                   .described("exp(x - max(x)) / sum(exp(x - max(x)))", "SoftMax.v1(x)",
                              "one constant axis, the same in both; the rank of x is known")
                   .match(power / sum)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto axes = reduced_axes(m.node(largest));
                     if (!axes || axes->size() != 1 || axes != reduced_axes(m.node(sum)))
                       return declined("not one known axis, the same in both");
                     if (!meets_its_data(m.node(largest)) || !meets_its_data(m.node(sum)) ||
                         !can_stand_for(m.root(), m[x]))
                       return declined("the maximum or the sum is not aligned with the data");
                     return rw.create(ops::v1::SoftMax{.axis = axes->front()}, m[x]);
                   }));
}

}  // namespace mo::transformations
