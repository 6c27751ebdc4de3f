#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// The smallest normal number of f16; below it, quotients overflow in that type.
constexpr double kLeast = 6.103515625e-05;

bool is_negative_constant(const Value& exponent) {
  const auto numbers = constant_reals_of(exponent);
  return numbers && !numbers->empty() && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v < 0; });
}

}  // namespace

void register_division_by_zero_fp16_resolver(PassRegistry& passes) {
  using namespace pattern;
  const Pat eps = constant().element_type(ElementType::f32);
  const Pat divisor = any_op<ops::Maximum, ops::Add>(any(), eps);
  const Pat direct = any_of(divisor, sqrt(divisor));
  const Pat power = op<ops::Power>(direct, constant().where(is_negative_constant, "a negative exponent"));
  passes.offer(rewrite("DivisionByZeroFP16Resolver")
                   .described("x / max(y, eps), x / (y + eps), x / sqrt of either, x * either to a negative power",
                              "the same with eps of 2^-14 at least",
                              "eps is a constant of f32 with an element below 2^-14, the smallest normal number of f16")
                   .match(any_of(any() / direct, any() * power))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     auto numbers = constant_reals_of(m[eps]);
                     if (!numbers ||
                         std::none_of(numbers->begin(), numbers->end(), [](double v) { return v < kLeast; }))
                       return declined("eps is large enough");
                     for (double& v : *numbers) v = std::max(v, kLeast);
                     const Value raised = reals_like(rw, m[eps], shape_of_constant(m[eps]), *numbers);
                     const Node guarded = m.node(divisor);
                     rw.set_input(guarded, guarded.input(0) == m[eps] ? 0 : 1, raised);
                     const Node root = m.root().node();
                     return rw.copy_with_new_inputs(root, {root.input(0), root.input(1)}).output();
                   }));
}

}  // namespace mo::transformations
