#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// sqrt(ReduceSum(x * x)) -> ReduceL2(x)
RewriteRule l2(bool keep_dims) {
  const Pat x = any();
  const Pat axes = constant();
  const Pat sum = op(ops::ReduceSum{.keep_dims = keep_dims}, any_of(x * x, pow(x, number(2))), axes);
  return rewrite("ReduceL2Fusion")
      .match(any_of(sqrt(sum), pow(sum, number(0.5))))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_real(m[x].type().element_type) || !is_closed(m))
          return declined("the data are not floating-point, or something inside is read elsewhere");
        return rw.create(ops::ReduceL2{.keep_dims = keep_dims}, m[x], m[axes]);
      });
}

/// ReduceSum(|x|) -> ReduceL1(x)
RewriteRule l1(bool keep_dims) {
  const Pat x = any();
  const Pat axes = constant();
  return rewrite("ReduceL1Fusion")
      .match(op(ops::ReduceSum{.keep_dims = keep_dims}, op<ops::Abs>(x), axes))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_real(m[x].type().element_type) || !is_closed(m))
          return declined("the data are not floating-point, or something inside is read elsewhere");
        return rw.create(ops::ReduceL1{.keep_dims = keep_dims}, m[x], m[axes]);
      });
}

}  // namespace

/// Norms spelled with squares, sums and roots. Runs after NormalizeL2Fusion, which knows more of what is around them.
void register_norm_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("NormFusion")
                 .run_after({"NormalizeL2Fusion", "MVNFusion"})
                 .add(l2(true))
                 .add(l2(false))
                 .add(l1(true))
                 .add(l1(false)));
}

}  // namespace mo::transformations
