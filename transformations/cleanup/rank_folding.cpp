#include "core/rewrite.hpp"
#include "ops/shape_of.hpp"

namespace mo::transformations {

/// ShapeOf(ShapeOf(x)) -> constant [rank], when the rank of x is known: unlike a shape it stays the same when the model
/// is reshaped. Front replacers compute axes and shapes from the rank; they become constants with this.
void register_rank_folding(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  passes.add(rewrite("RankFolding")
                 .run_before({"ConstantFolding"})
                 .match(op<ops::ShapeOf>(op<ops::ShapeOf>(x)))
                 .replace([](const Match& m, Rewriter& rw) -> Replacement {
                   const Tensor* rank = m.root().data().value();
                   return rank ? Replacement(rw.constant(*rank)) : declined("the rank is unknown");
                 }));
}

}  // namespace mo::transformations
