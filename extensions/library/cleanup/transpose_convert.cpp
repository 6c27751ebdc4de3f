#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/transpose.hpp"

namespace mo::library::cleanup {

void register_transpose_convert(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat order = constant();
  library.add(rewrite("TransposeConvert")
                  .described("Convert(Transpose(x, order))", "Transpose(Convert(x), order)",
                             "one reader of the Transpose; constant order")
                  .match(op<ops::Convert>(op<ops::Transpose>(x, order).one_use()))
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    return rw.create(ops::Transpose{},
                                     rw.create(ops::Convert{*m.root().node().as<ops::Convert>()}, m[x]), m[order]);
                  }));
}

}  // namespace mo::library::cleanup
