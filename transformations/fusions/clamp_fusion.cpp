#include <algorithm>
#include <cmath>

#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

bool is_limit(std::optional<double> v) { return v && std::isfinite(*v) && std::abs(*v) <= ops::Clamp::kOpenEnd; }

/// min(max(x, low), high) and max(min(x, high), low) -> Clamp(x), where low <=
/// high; relu(x) is max(x, 0).
RewriteRule limits() {
  const Pat x = any();
  const Pat low = one_number();
  const Pat high = one_number();
  const Pat from_zero = any_of(min(relu(x).one_use(), high), relu(min(x, high).one_use()));
  const Pat both = any_of(min(max(x, low).one_use(), high), max(min(x, high).one_use(), low));
  return rewrite("MinimumMaximumToClamp")
      .match(any_of(from_zero, both))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const auto least = m.find(low) ? number_of(m[low]) : 0.0;
        const auto most = number_of(m[high]);
        // The bounds of the IR are f32 numbers; a lower end above the upper one
        // is not a Clamp.
        if (!is_activation_of(m, m[x]) || !is_limit(least) || !is_limit(most) || *least > *most)
          return declined("not a function of x alone, or it has another reader, or the limits are unknown or crossed");
        return rw.create(ops::Clamp{.min = *least, .max = *most}, m[x]);
      });
}

/// Clamp(Clamp(x)) -> Clamp(x) with the ends of the inner one limited by the
/// outer one.
RewriteRule nested() {
  const Pat x = any();
  const Pat inner = op<ops::Clamp>(x).one_use();
  const Pat outer = op<ops::Clamp>(inner);
  return rewrite("ClampClampFusion").match(outer).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const auto& a = *m.node(inner).as<ops::Clamp>();
    const auto& b = *m.node(outer).as<ops::Clamp>();
    if (!is_real(m[x].type().element_type) || a.min > a.max || b.min > b.max)
      return declined("the data are not floating-point, or limits are crossed");
    return rw.create(ops::Clamp{.min = std::clamp(a.min, b.min, b.max), .max = std::clamp(a.max, b.min, b.max)}, m[x]);
  });
}

}  // namespace

/// Bounds given by constants -> Clamp.
void register_clamp_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("ClampFusion")
                 .described("min(max(x, low), high), max(min(x, high), low), min(relu(x), high), Clamp(Clamp(x))",
                            "Clamp(x)",
                            "x is real; low <= high, constants of one element that do not change its shape; "
                            "intermediate results have no other readers")
                 .run_after({"CommonSubexpressions", "HSwishFusion", "HSigmoidFusion", "PReLUFusion"})
                 .run_before({"LinearOperationFusion"})
                 .add(limits())
                 .add(nested()));
}

}  // namespace mo::transformations
