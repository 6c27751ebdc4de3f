#include "ops/activations.hpp"
#include "ops/comparison.hpp"
#include "ops/pattern.hpp"
#include "ops/select.hpp"
#include "transformations/support/fusing.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// The factor of the negative part as the slope of a PReLU on x: one number, or one for each element of dimension 1
/// ([C]: IR PReLU-1 aligns a vector with it) or of the last one ([1, …, C]). Empty for other factors, which runtimes
/// are not all able to take.
Value as_slope(Rewriter& rw, const Value& factor, const Value& x) {
  if (number_of(factor)) {
    const Value one = reshaped(rw, factor, {1});
    return x.type().rank() && factor.type().shape.size() <= x.type().shape.size() ? one : Value();
  }
  const auto rank = x.type().rank().value_or(0);
  if (rank < 2) return {};
  if (const Value channels = as_channel_vector(rw, factor, x, 1)) return channels;
  if (rank < 3 || factor.type().shape.element_count() == 1) return {};
  const auto last = static_cast<std::size_t>(rank) - 1;
  const Value vector = as_channel_vector(rw, factor, x, last);
  return vector ? along_axis(rw, vector, last + 1, last) : Value();
}

/// `root` -> PReLU(x, sign * factor)
RewriteRule prelu(std::string name, const Pat& root, const Pat& x, const Pat& factor, bool negative) {
  return rewrite(std::move(name)).match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    if (!is_activation_of(m, m[x])) return declined("not a function of x alone, or it has another reader");
    const Value slope = as_slope(rw, negative ? rw.fold(ops::Negative{}, m[factor]) : m[factor], m[x]);
    if (!slope) return declined("the factor is neither one number nor one for each channel");
    return rw.create(ops::PReLU{}, m[x], slope);
  });
}

}  // namespace

/// The positive part of x plus a constant times its negative part -> PReLU(x,
/// slope), in the spellings of layers that have no op of their own.
void register_prelu_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat a = constant();
  const auto positive = [](const Pat& e) { return any_of(relu(e), max(e, number(0))); };
  const auto minus = [](const Pat& e) { return any_of(op<ops::Negative>(e), e * number(-1)); };
  const Pat mirrored = positive(minus(x));         // max(-x, 0)
  const Pat twice_negative = x - op<ops::Abs>(x);  // 2 * min(x, 0)
  const auto half = [](const Pat& e) { return any_of(e * number(0.5), e / number(2)); };
  // max(x, slope * x) is the PReLU of slopes up to 1 only.
  const Pat slope = one_number().where([](const Value& v) { return *number_of(v) >= 0 && *number_of(v) <= 1; },
                                       "a slope from 0 to 1");
  const Pat is_positive = any_of(op<ops::Greater>(x, number(0)), op<ops::GreaterEqual>(x, number(0)));

  passes.add(
      graph_rewrite("PReLUFusion")
          .run_after({"CommonSubexpressions", "LayoutChange"})
          .run_before({"LinearOperationFusion"})
          .add(prelu("PReLUOfDifference", positive(x) - mirrored * a, x, a, false))
          .add(prelu("PReLUOfNegatedProduct", positive(x) + any_of(minus(mirrored * a), minus(mirrored) * a), x, a,
                     false))
          .add(prelu("PReLUOfSum", positive(x) + mirrored * a, x, a, true))
          .add(prelu("PReLUOfMinimum", positive(x) + min(x, number(0)) * a, x, a, false))
          .add(prelu("PReLUOfAbs",
                     positive(x) + any_of(half(twice_negative * a), half(twice_negative) * a, twice_negative * half(a)),
                     x, a, false))
          .add(prelu("LeakyReLUOfMaximum", max(x, x * slope), x, slope, false))
          .add(prelu("PReLUOfSelect", op<ops::Select>(is_positive, x, x * a), x, a, false)));
}

}  // namespace mo::transformations
