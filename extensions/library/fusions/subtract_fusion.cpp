#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_subtract_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  library.add(rewrite("SubtractFusion")
                  .described("x + y * -1, x + -y", "x - y")
                  .match(x + any_of(y * number(-1), op<ops::Negative>(y)))
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    const Value difference = rw.create(ops::Subtract{}, m[x], m[y]);
                    if (!can_stand_for(m.root(), difference)) return declined("the constant changes the shape");
                    return difference;
                  }));
}

}  // namespace mo::library::fusions
