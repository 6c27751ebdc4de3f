#include <limits>

#include "extensions/library/support/fusing.hpp"
#include "ops/normalize_l2.hpp"
#include "ops/reduce.hpp"

namespace mo::library::fusions {

void register_normalize_l2_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat axes = constant();
  const Pat eps = one_number();
  const Pat sum = op<ops::ReduceSum>(pow(x, number(2)), axes);
  const Pat at_least = max(sum, eps);
  const Pat norm_at_least = max(sqrt(sum), eps);
  const Pat root = any_of(x / sqrt(any_of(at_least, sum + eps)), x / norm_at_least);
  library.add(rewrite("NormalizeL2Fusion")
                  .described("x / sqrt(max(sum(x^2), eps)), x / sqrt(sum(x^2) + eps), x / max(sqrt(sum(x^2)), eps)", "NormalizeL2(x, axes)",
                             "axes are a constant, eps a number; the sum is aligned with x")
                  .match(root)
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    using Mode = ops::NormalizeL2EpsMode;
                    if (!is_real(m[x].type().element_type) || !can_stand_for(m.root(), m[x]))
                      return declined("x is not real, or the constants change its shape");
                    if (!meets_its_data(m.node(sum))) return declined("the sum is not aligned with the data");
                    const bool of_norm = static_cast<bool>(m.find(norm_at_least));
                    const Mode mode = of_norm || m.find(at_least) ? Mode::max : Mode::add;
                    // The op compares squares.
                    const double least = of_norm ? *number_of(m[eps]) * *number_of(m[eps]) : *number_of(m[eps]);
                    if (of_norm && (*number_of(m[eps]) < 0 || (*number_of(m[eps]) > 0 && least < std::numeric_limits<float>::min())))
                      return declined("eps is negative, or its square too small for an f32");
                    return rw.create(ops::NormalizeL2{.eps = least, .eps_mode = mode}, m[x], m[axes]);
                  }));
}

}  // namespace mo::library::fusions
