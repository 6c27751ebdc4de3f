#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {

void register_transpose_convert(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat order = constant();
  passes.offer(rewrite("TransposeConvert")
                   .described("Convert(Transpose(x, order))", "Transpose(Convert(x), order)",
                              "one reader of the Transpose; constant order")
                   .match(op<ops::Convert>(op<ops::Transpose>(x, order).one_use()))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     return rw.create(ops::Transpose{},
                                      rw.create(ops::Convert{*m.root().node().as<ops::Convert>()}, m[x]), m[order]);
                   }));
}

}  // namespace mo::transformations
