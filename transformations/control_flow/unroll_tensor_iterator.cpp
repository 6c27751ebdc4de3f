#include "core/rewrite.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/control_flow/support/unrolling.hpp"

namespace mo::transformations {

void register_unroll_tensor_iterator(PassRegistry& passes) {
  const Pat loop = pattern::any_op<ops::TensorIterator, ops::Loop>();
  passes.offer(
      rewrite("UnrollTensorIterator")
          .described("TensorIterator or Loop",
                     "its body, once for each iteration; Split before what is sliced, Concat after what is collected",
                     "the number of iterations is known")
          .match(loop)
          .replace([=](const Match& m, Rewriter& rw) { return unroll(m.node(loop), rw); }));
}

}  // namespace mo::transformations
