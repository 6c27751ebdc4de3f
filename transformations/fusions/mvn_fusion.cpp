#include <algorithm>

#include "core/graph/copying.hpp"
#include "core/graph/values.hpp"
#include "ops/convert.hpp"
#include "ops/mvn.hpp"
#include "ops/pattern.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// The parts of a normalisation by mean and variance.
struct Moments {
  Pat x = any();
  Pat mean_axes = any();
  Pat variance_axes = any();
  Pat eps = one_number();
  Pat other_mean_axes = any();
  Pat mean = op<ops::ReduceMean>(x, mean_axes);
  Pat other_mean = op<ops::ReduceMean>(x, other_mean_axes);  // the same again
  Pat centred = x - mean;
  Pat other_centred = any_of(centred, x - other_mean);
  Pat converted = any_of(other_centred, op<ops::Convert>(other_centred));
  Pat squares = any_of(op<ops::SquaredDifference>(x, mean), centred* centred, pow(converted, number(2)));
  Pat variance = op<ops::ReduceMean>(squares, variance_axes);
  Pat sum = variance + eps;
  Pat deviation = any_of(sqrt(sum), pow(sum, number(0.5)));
  Pat outside = any_of(sqrt(variance), pow(variance, number(0.5))) + eps;
  Pat reciprocal = any_of(pow(sum, number(-0.5)), number(1) / deviation, pow(deviation, number(-1)));
};

/// The axes as the model has them where they are in order already, otherwise made anew.
Value axes_of_mvn(Rewriter& rw, const Value& given, const std::vector<std::int64_t>& axes) {
  return given.node().is<Const>() && given.type().rank() == 1 && constant_integers_of(given) == axes
             ? given
             : rw.integers(axes);
}

/// The MVN that a match stands for, if there is one.
Replacement normalised(const Moments& p, const Match& m, Rewriter& rw, ops::MVNEpsMode mode) {
  const Value x = m[p.x];
  const auto rank = x.type().rank();
  const double eps = *number_of(m[p.eps]);
  if (!rank) return declined("the rank is unknown");
  if (!is_real(x.type().element_type)) return declined("the data are not floating-point");
  if (!(eps >= 0)) return declined("eps is negative");
  if (!is_closed(m)) return declined("something inside of the normalisation is read elsewhere");
  const auto axes = known_axes(m[p.mean_axes], *rank);
  if (!axes || axes->empty()) return declined("the axes of the mean are unknown");
  if (axes != known_axes(m[p.variance_axes], *rank)) return declined("mean and variance are over different axes");
  if (const Value again = m.find(p.other_mean_axes); again && axes != known_axes(again, *rank))
    return declined("two means are over different axes");
  for (const Pat& mean : {p.mean, p.other_mean, p.variance})
    if (const Value found = m.find(mean); found && !meets_its_data(found.node()))
      return declined("a mean is not aligned with the data");
  return rw.create(ops::v6::MVN{.eps = eps, .eps_mode = mode, .normalize_variance = true}, x,
                   axes_of_mvn(rw, m[p.mean_axes], *axes));
}

/// (x - mean) / sqrt(variance + eps), or times the reciprocal -> MVN(x)
RewriteRule plain(const Moments& p, const Pat& root, ops::MVNEpsMode mode) {
  return rewrite("MVNFusionWithoutConstants").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
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
  const Pat root = any_of(p.x * scale + (beta - shift), (p.x * scale - shift) + beta, p.x * scale - shift,
                          p.x * scale + negative_shift, p.x * scale + (negative_shift + beta));
  return rewrite("MVNFusionWithConstantsInside").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    Replacement core = normalised(p, m, rw, ops::MVNEpsMode::inside_sqrt);
    if (core.is_declined()) return core;
    Value made = core.outputs().front();
    if (const Value factor = m.find(gamma)) made = rw.create(ops::Multiply{}, made, factor);
    if (const Value summand = m.find(beta)) made = rw.create(ops::Add{}, made, summand);
    // Without gamma and beta nothing may have grown in rank through eps.
    if (!same_rank(m.root(), made)) return declined("eps raises the rank of the result");
    return made;
  });
}

/// A tensor under another shape.
Pat under_another_shape(const Pat& x) {
  return any_of(op<ops::Reshape>(x, any()), op<ops::Squeeze>(x, any()), op<ops::Squeeze>(x),
                op<ops::v15::Squeeze>(x, any()));
}

/// The parts of a batch normalisation whose statistics are vectors of one element per channel, computed from the data
/// itself: x * place(r) + place(beta - mean * r), r = gamma / sqrt(variance + eps), where `place` moves the channels to
/// where x has them.
struct VectorMoments {
  Moments p;
  Pat flat_mean_axes = any();
  Pat variance = op<ops::ReduceMean>(p.squares, p.variance_axes);
  Pat flat_variance =
      any_of(under_another_shape(variance), op(ops::ReduceMean{.keep_dims = false}, p.squares, p.variance_axes));
  Pat flat_mean = any_of(under_another_shape(p.mean), op(ops::ReduceMean{.keep_dims = false}, p.x, flat_mean_axes));
  Pat sum = flat_variance + p.eps;
  Pat deviation = any_of(sqrt(sum), pow(sum, number(0.5)));
  Pat reciprocal = any_of(pow(sum, number(-0.5)), number(1) / deviation, pow(deviation, number(-1)));
  Pat gamma = any();
  Pat beta = any();
  Pat factor = any_of(gamma / deviation, reciprocal* gamma, reciprocal);
  Pat shift = beta - flat_mean * factor;
  Pat placed_factor = op<ops::Reshape>(factor, any());
  Pat placed_shift = op<ops::Reshape>(shift, any());
  Pat channels_last = p.x * factor + shift;
  Pat channels_first = p.x * placed_factor + placed_shift;
  Pat root = any_of(channels_last, channels_first);
};

/// Whether vectors that broadcast to x as `placed` does hold for each element of x the mean over just its own `axes`.
/// Its elements are those of the mean with kept dimensions, so that only their places matter: with a width that equals
/// the number of channels another axis would fit, too.
bool statistics_in_place(const PartialShape& x, const std::vector<std::int64_t>& axes, const PartialShape& placed) {
  if (!x.has_rank() || !placed.has_rank() || placed.size() > x.size()) return false;
  const std::size_t missing = x.size() - placed.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool reduced = std::binary_search(axes.begin(), axes.end(), static_cast<std::int64_t>(i));
    const Dimension there = i < missing ? Dimension(1) : placed[i - missing];
    // The mean has one element along a dimension that is reduced. Unknown ones that are kept have one each where
    // `placed` has one: together with the others they make as many as the vector has.
    const bool one = there == Dimension(1);
    const bool may_be_one = reduced || !x[i].is_known() || x[i].value() == 1;
    if (one ? !may_be_one : reduced || !there.same_value(x[i])) return false;
  }
  return true;
}

/// FusedBatchNorm of TensorFlow with the results of tf.nn.moments, and its arithmetic -> MVN(x) * gamma + beta
RewriteRule with_vectors() {
  const VectorMoments v;
  return rewrite("MVNOfMoments").match(v.root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Value x = m[v.p.x];
    const Value placed = m.find(v.placed_factor) ? m[v.placed_factor] : m[v.factor];
    const auto rank = x.type().rank();
    if (!rank || !same_rank(m.root(), x)) return declined("the rank is unknown, or not that of the data");
    const auto axes = known_axes(m[v.p.mean_axes], *rank);
    if (!axes || !statistics_in_place(x.type().shape, *axes, placed.type().shape))
      return declined("the statistics are not those of the channels");
    if (const Value again = m.find(v.flat_mean_axes); again && known_axes(again, *rank) != axes)
      return declined("two means are over different axes");
    const auto like_factor = [&](const Pat& pattern) {
      return same_shape(m[pattern].type().shape, m[v.factor].type().shape);
    };
    if (!like_factor(v.flat_mean) || !like_factor(v.flat_variance) || !like_factor(v.shift))
      return declined("the statistics broadcast to more channels");
    if (m.find(v.placed_factor)) {
      if (!same_shape(placed.type().shape, m[v.placed_shift].type().shape))
        return declined("factor and shift are moved to different places");
      if (!like_factor(v.beta) || (m.find(v.gamma) && !like_factor(v.gamma)))
        return declined("gamma or beta is not a vector of the channels");
    }
    Replacement core = normalised(v.p, m, rw, ops::MVNEpsMode::inside_sqrt);
    if (core.is_declined()) return core;
    const auto moved = [&](const Value& vector, const Pat& place) {
      return m.find(place) ? rw.fold(copy_op(m.node(place)), vector, m.node(place).input(1)) : vector;
    };
    Value made = core.outputs().front();
    if (const Value gamma = m.find(v.gamma)) made = rw.create(ops::Multiply{}, made, moved(gamma, v.placed_factor));
    return rw.create(ops::Add{}, made, moved(m[v.beta], v.placed_shift));
  });
}

}  // namespace

/// Normalisations spelled with means -> MVN-6 (IR opset6).
void register_mvn_fusion(PassRegistry& passes) {
  const Moments p;
  using Mode = ops::MVNEpsMode;
  passes.add(
      graph_rewrite("MVNFusion")
          .described("(x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps), x * r + (beta - mean(x) * r), r = gamma / "
                     "sqrt(variance + eps), in their spellings",
                     "MVN.v6(x, axes) * gamma + beta",
                     "the axes are known and the same in all means, which are aligned with x; eps is a number; "
                     "intermediate results have no other readers")
          .run_after({"CommonSubexpressions"})
          .run_before({"LinearOperationFusion"})
          .add(scaled(p))
          .add(with_vectors())
          .add(plain(p, any_of(p.centred / p.deviation, p.centred * p.reciprocal), Mode::inside_sqrt))
          .add(plain(p, any_of(p.centred / p.outside, p.centred * pow(p.outside, number(-1))), Mode::outside_sqrt)));
}

}  // namespace mo::transformations
