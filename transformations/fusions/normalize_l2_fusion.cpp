#include <limits>

#include "ops/normalize_l2.hpp"
#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
/// x / sqrt(max(sum(x^2), eps)) -> NormalizeL2(x) {eps_mode=max}; with sum(x^2)
/// + eps: {eps_mode=add}. x / max(sqrt(sum(x^2)), eps): {eps = eps^2}, the
/// same number for any length.
void register_normalize_l2_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat axes = any();
  const Pat eps = one_number();
  const Pat sum = op<ops::ReduceSum>(any_of(x * x, pow(x, number(2))), axes);
  const Pat at_least = max(sum, eps);
  const Pat length = any_of(at_least, sum + eps);
  const Pat l2 = op<ops::ReduceL2>(x, axes);
  const Pat norm = any_of(sqrt(sum), pow(sum, number(0.5)), l2);
  const Pat norm_at_least = max(norm, eps);
  const Pat root = any_of(sqrt(length), pow(length, number(0.5)), norm_at_least);
  const Pat reciprocal = any_of(pow(length, number(-0.5)), number(1) / root, pow(root, number(-1)));

  passes.add(
      rewrite("NormalizeL2Fusion")
          .described(
              "x / sqrt(max(sum(x^2), eps)), x / sqrt(sum(x^2) + eps), x / max(sqrt(sum(x^2)), eps) in their spellings",
              "NormalizeL2(x, axes)",
              "known axes; eps is a number; the sum is aligned with x; intermediate results have no other readers")
          .run_after({"CommonSubexpressions", "LayoutChange"})
          .run_before({"LinearOperationFusion"})
          .match(any_of(x / root, x * reciprocal))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto rank = m[x].type().rank();
            const bool of_norm = static_cast<bool>(m.find(norm_at_least));
            const double least = of_norm ? *number_of(m[eps]) * *number_of(m[eps]) : *number_of(m[eps]);
            if (!rank || !(*number_of(m[eps]) >= 0) || !is_activation_of(m, m[x]))
              return declined("the rank is unknown, eps is negative, or something inside is read elsewhere");
            // The attribute is an f32.
            if (of_norm && *number_of(m[eps]) > 0 && least < std::numeric_limits<float>::min())
              return declined("the square of eps is too small");
            const auto reduced = known_axes(m[axes], *rank);
            if (!reduced || reduced->empty()) return declined("the axes are unknown");
            if (!meets_its_data(m.node(m.find(sum) ? sum : l2)))
              return declined("the sum is not aligned with the data");
            const auto mode = of_norm || m.find(at_least) ? ops::NormalizeL2EpsMode::max : ops::NormalizeL2EpsMode::add;
            return rw.create(ops::NormalizeL2{.eps = least, .eps_mode = mode}, m[x], rw.integers(*reduced));
          }));
}

}  // namespace mo::transformations
