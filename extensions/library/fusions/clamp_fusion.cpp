#include <cmath>

#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_clamp_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat low = one_number();
  const Pat high = one_number();
  library.add(rewrite("ClampFusion")
                  .described("min(max(x, low), high), max(min(x, high), low)", "Clamp(x)", "low <= high, constants of one element")
                  .match(any_of(min(max(x, low).one_use(), high), max(min(x, high).one_use(), low)))
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    const double least = *number_of(m[low]);
                    const double most = *number_of(m[high]);
                    if (!(least <= most) || !std::isfinite(least) || !std::isfinite(most)) return declined("the limits are crossed or infinite");
                    if (!can_stand_for(m.root(), m[x])) return declined("the constants change the shape");
                    return rw.create(ops::Clamp{.min = least, .max = most}, m[x]);
                  }));
}

}  // namespace mo::library::fusions
