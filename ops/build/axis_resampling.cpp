#include "ops/build/axis_resampling.hpp"

#include <algorithm>
#include <numeric>

#include "ops/length_of.hpp"

namespace mo::build {
namespace {

constexpr ElementType kReal = ElementType::f32;

/// The length of x along `axis`, [1].
Term length_of(Rewriter& rw, const Value& x, std::int64_t axis) {
  return Term(rw, rw.create(ops::LengthOf{.axis = axis}, x), ElementType::i64).as(kReal);
}

/// Places [m] in the data that the m elements of the result are at, as ONNX Resize-19 defines them.
Term coordinates_of(const Term& length, const Resampling& how, const ResampledAxis& axis) {
  Rewriter& rw = length.rewriter();
  const Term i = count_up(rw, as_scalar(rw, axis.length), kReal);
  const Term factor(rw, axis.factor, kReal);
  const Term width(rw, axis.width, kReal);
  // (width - 1) where that is not zero.
  const auto steps = [&] { return choose(equal(width, 1), width.number(1), width - 1); };
  if (how.coordinates == "align_corners") return choose(equal(width, 1), i * 0.0, i * (length - 1) / steps());
  if (how.coordinates == "asymmetric") return i / factor;
  if (how.coordinates == "tf_half_pixel_for_nn") return (i + 0.5) / factor;
  if (how.coordinates == "tf_crop_and_resize") {
    const Term begin(rw, axis.region_begin, kReal);
    const Term end(rw, axis.region_end, kReal);
    const Term middle = (begin + end) * 0.5 * (length - 1);
    return choose(equal(width, 1), i * 0.0 + middle, begin * (length - 1) + i * (end - begin) * (length - 1) / steps());
  }
  const Term half_pixel = (i + 0.5) / factor - 0.5;
  if (how.coordinates == "pytorch_half_pixel")
    return choose(Term(rw, width, kReal).test(ops::Greater{}, width.number(1)), half_pixel, i * 0.0);
  if (how.coordinates == "half_pixel_symmetric") {
    // The middle of the data stays in the middle although the length was rounded.
    const Term whole = Term(rw, axis.length, ElementType::i64).as(kReal);
    return length * 0.5 * (1.0 - whole / width) + half_pixel;
  }
  return half_pixel;
}

Term limited(const Term& x, const Term& length) { return smaller(larger(x, 0), length - 1); }

/// Elements of x along the axis at `places`.
Value elements_at(const Value& x, const Term& places, std::int64_t axis) {
  Rewriter& rw = places.rewriter();
  return rw.create(ops::Gather{}, x, places.as(ElementType::i64), rw.scalar<std::int64_t>(axis));
}

Term rounded(const Term& x, const std::string& nearest) {
  if (nearest == "floor") return floored(x);
  if (nearest == "ceil") return x.apply(ops::Ceiling{});
  if (nearest == "round_prefer_ceil") return floored(x + 0.5);
  return (x - 0.5).apply(ops::Ceiling{});
}

/// The cubic filter of Keys with parameter `a`, for distances from 0 to 1 and from 1 to 2.
Term cubic_near(const Term& d, double a) { return ((d * (a + 2) - (a + 3)) * d) * d + 1; }
Term cubic_far(const Term& d, double a) { return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a; }

/// Weights of the elements around a place whose fraction is `t`: of floor - 1, floor, floor + 1, floor + 2 (cubic), or
/// floor and floor + 1.
std::vector<Term> weights_of(const Term& t, const Resampling& how) {
  if (how.mode == "linear") return {1.0 - t, t};
  const double a = how.cubic_coeff;
  return {cubic_far(t + 1, a), cubic_near(t, a), cubic_near(1.0 - t, a), cubic_far(2.0 - t, a)};
}

/// A weighted sum of two or four neighbours.
Value sum_of_neighbours(Rewriter& rw, const Value& x, const Value& ranked, const Term& places, const Term& length,
                        const Resampling& how, const ResampledAxis& axis) {
  const Term below = floored(places);
  std::vector<Term> weights = weights_of(places - below, how);
  const auto neighbour = [&](std::size_t k) {
    const double offset = static_cast<double>(k) - (how.mode == "linear" ? 0 : 1);
    return offset == 0 ? below : below + offset;
  };
  if (how.exclude_outside) {
    std::optional<Term> sum;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const Term place = neighbour(k);
      weights[k] = choose(equal(place, limited(place, length)), weights[k], 0);
      sum = sum ? *sum + weights[k] : weights[k];
    }
    for (Term& weight : weights) weight = weight / *sum;
  }
  std::optional<Term> result;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Value elements = elements_at(x, limited(neighbour(k), length), axis.axis);
    const Term part(rw, rw.create(ops::Multiply{}, elements, along_axis(rw, weights[k], ranked, axis.axis)), kReal);
    result = result ? *result + part : part;
  }
  return *result;
}

/// weights [m, taps] as a tensor that broadcasts to elements [..., m, taps, ...], which have m and taps in place of the
/// axis.
Value along_axis_and_taps(Rewriter& rw, const Value& weights, const Value& ranked, std::int64_t axis) {
  const auto rank = type_of(ranked).rank();
  if (axis >= 0 && !rank) {
    const Value behind = rw.create(ops::Subtract{}, rank_of(rw, ranked), rw.scalar<std::int64_t>(axis + 1));
    return rw.create(ops::Reshape{}, weights, join(rw, {shape_of(rw, weights), ones(rw, behind)}));
  }
  constexpr std::int64_t kMostDimensions = 64;  // an axis beyond is wrong, and the op that reads the result says so
  const std::int64_t behind = std::clamp<std::int64_t>(axis < 0 ? -axis - 1 : *rank - axis - 1, 0, kMostDimensions);
  std::vector<std::int64_t> axes(static_cast<std::size_t>(behind));
  std::iota(axes.begin(), axes.end(), 2);
  return axes.empty() ? weights : rw.create(ops::Unsqueeze{}, weights, rw.integers(axes));
}

/// Filters that are stretched by 1 / factor: how many elements they have, the factor says. ONNX Resize-18: weights are
/// divided by their sum; elements outside of the data are those of the border, unless they are left out.
Value filtered(Rewriter& rw, const Value& x, const Value& ranked, const Term& places, const Term& length,
               const Resampling& how, const ResampledAxis& axis) {
  const Term shrinking = smaller(Term(rw, axis.factor, kReal), places.number(1));
  const double reach = how.mode == "linear" ? 1 : 2;
  const Term half = (reach / shrinking).apply(ops::Ceiling{});
  const Term taps = count_up(rw, as_scalar(rw, (half * 2.0 + 2).as(ElementType::i64)), kReal) - half;
  const Term neighbours = floored(places).unsqueezed({1}) + taps;
  const Term distance = absolute((neighbours - places.unsqueezed({1})) * shrinking);
  Term weights = larger(1.0 - distance, 0);
  if (how.mode == "cubic") {
    const Term far = choose(less(distance, 2), cubic_far(distance, how.cubic_coeff), 0);
    weights = choose(less_equal(distance, distance.number(1)), cubic_near(distance, how.cubic_coeff), far);
  }
  const Term inside = limited(neighbours, length);
  if (how.exclude_outside) weights = choose(equal(neighbours, inside), weights, 0);
  weights = weights / reduced<ops::ReduceKind::sum>(weights, {1}, true);
  const Value elements = elements_at(x, inside, axis.axis);
  const Value parts = rw.create(ops::Multiply{}, elements, along_axis_and_taps(rw, weights, ranked, axis.axis));
  return rw.create(ops::ReduceSum{.keep_dims = false}, parts, rw.integers({axis.axis < 0 ? axis.axis : axis.axis + 1}));
}

/// `ranked` is a tensor of the same rank, which may be known: the input of the whole resize.
Value along(Rewriter& rw, const Value& x, const Value& ranked, const Resampling& how, const ResampledAxis& axis,
            std::optional<Term>& extrapolated) {
  const Term length = length_of(rw, x, axis.axis);
  const Term places = coordinates_of(length, how, axis);
  if (how.coordinates == "tf_crop_and_resize") {
    const Term inside = equal(places, limited(places, length));
    const Term outside(rw, along_axis(rw, inside.apply(ops::LogicalNot{}), ranked, axis.axis), ElementType::boolean);
    extrapolated = extrapolated ? extrapolated->test(ops::LogicalOr{}, outside) : outside;
  }
  if (how.mode == "nearest") return elements_at(x, limited(rounded(places, how.nearest), length), axis.axis);
  if (how.antialias && axis.may_shrink) return filtered(rw, x, ranked, places, length, how, axis);
  return sum_of_neighbours(rw, x, ranked, places, length, how, axis);
}

}  // namespace

Value resampled(Rewriter& rw, const Value& x, const Resampling& how, const std::vector<ResampledAxis>& axes) {
  // Weights are fractions: other types are computed as f32 and converted back.
  Value result = how.mode == "nearest" ? x : as_type(rw, x, kReal);
  std::optional<Term> extrapolated;
  for (const ResampledAxis& axis : axes) result = along(rw, result, x, how, axis, extrapolated);
  if (how.mode != "nearest") result = as_type_of(rw, result, x);
  if (!extrapolated) return result;
  return rw.create(ops::Select{}, *extrapolated, number_like(rw, x, how.extrapolation_value), result);
}

ResampledAxis axis_with_factor(Rewriter& rw, const Value& x, std::int64_t axis, const Value& factor) {
  const Term width = length_of(rw, x, axis) * Term(rw, factor, kReal);
  ResampledAxis made{.axis = axis, .factor = factor, .width = width};
  // As Interpolate rounds: the small addend undoes the rounding of factors such as 5/3.
  made.length = floored(width + 1e-5).as(ElementType::i64);
  return made;
}

ResampledAxis axis_with_length(Rewriter& rw, const Value& x, std::int64_t axis, const Value& length) {
  const Term width = Term(rw, length, ElementType::i64).as(kReal);
  return {.axis = axis,
          .length = length,
          .factor = width / length_of(rw, x, axis),
          .width = width,
          .region_begin = {},
          .region_end = {}};
}

}  // namespace mo::build
