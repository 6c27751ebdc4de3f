#include "extensions/middle/support/matching.hpp"
#include "ops/mvn.hpp"
#include "ops/pattern.hpp"
#include "ops/reduce.hpp"

namespace mo::middle {
namespace {

using namespace pattern;

/// The parts of a normalisation by mean and variance.
struct Moments {
  Pat x = any();
  Pat mean_axes = any();
  Pat variance_axes = any();
  Pat eps = one_number();
  Pat mean = op(ops::ReduceMean{.keep_dims = true}, x, mean_axes);
  Pat centred = x - mean;
  Pat squares = any_of(op<ops::SquaredDifference>(x, mean), centred* centred, pow(centred, number(2)));
  Pat variance = op(ops::ReduceMean{.keep_dims = true}, squares, variance_axes);
  Pat sum = variance + eps;
  Pat deviation = any_of(sqrt(sum), pow(sum, number(0.5)));
  Pat outside = any_of(sqrt(variance), pow(variance, number(0.5))) + eps;
  Pat reciprocal = any_of(pow(sum, number(-0.5)), number(1) / deviation, pow(deviation, number(-1)));
};

/// The MVN that a match stands for, if there is one.
Replacement normalised(const Moments& p, const Match& m, Rewriter& rw, ops::MVNEpsMode mode) {
  const Value x = m[p.x];
  const auto rank = x.type().rank();
  const double eps = *number_of(m[p.eps]);
  if (!rank) return declined("the rank is unknown");
  if (!is_real(x.type().element_type)) return declined("the data are no real numbers");
  if (!(eps >= 0)) return declined("eps is negative");
  if (!is_closed(m)) return declined("something inside of the normalisation is read elsewhere");
  const auto axes = known_axes(m[p.mean_axes], *rank);
  if (!axes || axes->empty()) return declined("the axes of the mean are unknown");
  if (axes != known_axes(m[p.variance_axes], *rank)) return declined("mean and variance are over different axes");
  return rw.create(ops::v6::MVN{.eps = eps, .eps_mode = mode, .normalize_variance = true}, x, rw.integers(*axes));
}

/// (x - mean) / sqrt(variance + eps), or times the reciprocal -> MVN(x)
RewriteRule plain(const Moments& p, std::string name, const Pat& root, ops::MVNEpsMode mode) {
  return rewrite(std::move(name)).match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    if (!same_rank(m.root(), m[p.x])) return declined("the result has another rank than the data");
    return normalised(p, m, rw, mode);
  });
}

/// x * r + (beta - mean * r) -> MVN(x) * gamma + beta, where r = gamma /
/// sqrt(variance + eps): how TensorFlow writes batch_normalization, and with it
/// layer, instance and group normalisation. gamma and beta may be missing.
RewriteRule scaled(const Moments& p) {
  const Pat gamma = any();
  const Pat beta = any();
  const Pat scale = any_of(p.reciprocal * gamma, gamma / p.deviation, p.reciprocal);
  const Pat shift = p.mean * scale;
  const Pat negative_shift = any_of(op<ops::Negative>(shift), op<ops::Negative>(p.mean) * scale);
  const Pat root = any_of(p.x * scale + (beta - shift), (p.x * scale - shift) + beta, p.x * scale - shift, p.x * scale + negative_shift,
                          p.x * scale + (negative_shift + beta));
  return rewrite("MVNOfBatchNormalization").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    Replacement core = normalised(p, m, rw, ops::MVNEpsMode::inside_sqrt);
    if (core.is_declined()) return core;
    Value made = core.outputs().front();
    if (const Value factor = m.find(gamma)) made = rw.create(ops::Multiply{}, made, factor);
    if (const Value summand = m.find(beta)) made = rw.create(ops::Add{}, made, summand);
    // Without gamma and beta nothing may have grown in rank through eps.
    if (!same_rank(m.root(), made)) return declined("eps makes the rank of the result larger");
    return made;
  });
}

}  // namespace

/// Normalisations spelled with means -> MVN-6 (IR opset6).
void register_mvn_fusion(PassRegistry& passes) {
  const Moments p;
  using Mode = ops::MVNEpsMode;
  passes.add(graph_rewrite("MVNFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .add(scaled(p))
                 .add(plain(p, "MVNOfQuotient", any_of(p.centred / p.deviation, p.centred * p.reciprocal), Mode::inside_sqrt))
                 .add(plain(p, "MVNOfQuotientEpsOutside", p.centred / p.outside, Mode::outside_sqrt)));
}

}  // namespace mo::middle
