#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "extensions/library/support/unrolling.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::library::control_flow {

void register_unroll_tensor_iterator(PassLibrary& library) {
  const Pat loop = pattern::any_op<ops::TensorIterator, ops::Loop>();
  library.add(
      rewrite("UnrollTensorIterator")
          .described("TensorIterator or Loop",
                     "its body, once for each iteration; Split before what is sliced, Concat after what is collected",
                     "the number of iterations is known")
          .match(loop)
          .replace([=](const Match& m, Rewriter& rw) { return unroll(m.node(loop), rw); }));
}

}  // namespace mo::library::control_flow
