#include "extensions/library/support/fusing.hpp"
#include "ops/convert.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"

namespace mo::library::fusions {
namespace {

using namespace pattern;
using ops::MVNEpsMode;

Replacement mvn(Rewriter& rw, const Match& m, const Pat& x, const Pat& eps, MVNEpsMode mode, const std::vector<Pat>& means) {
  const Node first = m.node(means.front());
  const auto axes = reduced_axes(first);
  if (!axes) return declined("the axes or the rank are unknown");
  if (!is_real(m[x].type().element_type)) return declined("the data are not real");
  for (const Pat& mean : means) {
    const Value value = m.find(mean);
    if (!value) continue;
    if (reduced_axes(value.node()) != axes) return declined("the means are over different axes");
    if (!meets_its_data(value.node())) return declined("a mean is not aligned with the data");
  }
  return rw.create(ops::v6::MVN{.eps = *number_of(m[eps]), .eps_mode = mode, .normalize_variance = true}, m[x], first.input(1));
}

/// (x - mean) / deviation, where the deviation is made of another mean of the same, perhaps, and behind a Convert, perhaps.
Pass without_constants() {
  const Pat x = any();
  const Pat eps = one_number();
  const Pat mean = op<ops::ReduceMean>(x, constant());
  const Pat centred = x - mean;
  const Pat other_mean = op<ops::ReduceMean>(x, constant());
  const Pat other_centred = any_of(centred, x - other_mean);
  const Pat square = pow(any_of(op<ops::Convert>(other_centred), other_centred), number(2));
  const Pat variance = op<ops::ReduceMean>(square, constant());
  const auto root_of = [](const Pat& e) { return any_of(pow(e, number(0.5)), sqrt(e)); };
  const Pat inside = root_of(variance + eps);
  const Pat outside = root_of(variance) + eps;
  const Pat deviation = any_of(inside, outside);
  return rewrite("MVNFusionWithoutConstants")
      .described("(x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps), or eps outside of the root; also times a power of -1", "MVN.v6(x, axes)",
                 "the axes are constants and the same in all means; eps is a number")
      .match(any_of(centred / deviation, centred * pow(deviation, number(-1))))
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!can_stand_for(m.root(), m[x])) return declined("the constants change the shape");
        return mvn(rw, m, x, eps, m.find(inside) ? MVNEpsMode::inside_sqrt : MVNEpsMode::outside_sqrt, {mean, other_mean, variance});
      });
}

/// x * r + (beta - mean * r), r = (variance + eps)^-0.5 * gamma: how TensorFlow writes batch normalisation.
Pass with_constants_inside() {
  const Pat x = any();
  const Pat eps = one_number();
  const Pat gamma = constant();
  const Pat beta = constant();
  const Pat mean = op<ops::ReduceMean>(x, constant());
  const Pat variance = op<ops::ReduceMean>(op<ops::SquaredDifference>(x, mean), constant());
  const Pat scale = pow(variance + eps, number(-0.5)) * gamma;
  return rewrite("MVNFusionWithConstantsInside")
      .described("x * r + (beta - mean(x) * r), r = (mean((x - mean(x))^2) + eps)^-0.5 * gamma", "MVN.v6(x, axes) * gamma + beta",
                 "gamma and beta are constants; the axes are constants and the same in both means")
      .match(x * scale + (beta - mean * scale))
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        Replacement core = mvn(rw, m, x, eps, MVNEpsMode::inside_sqrt, {mean, variance});
        if (core.is_declined() || core.error()) return core;
        const Value made = rw.create(ops::Add{}, rw.create(ops::Multiply{}, core.outputs().front(), m[gamma]), m[beta]);
        if (!can_stand_for(m.root(), made)) return declined("the constants change the shape");
        return made;
      });
}

}  // namespace

void register_mvn_fusion(PassLibrary& library) {
  library.add(without_constants());
  library.add(with_constants_inside());
  library.add(pipeline("MVNFusion")
                  .described("a normalisation by mean and variance", "MVN.v6")
                  .group("MVNFusion", {"MVNFusionWithoutConstants", "MVNFusionWithConstantsInside"}));
}

}  // namespace mo::library::fusions
