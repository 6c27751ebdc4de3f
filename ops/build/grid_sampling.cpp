#include "ops/build/grid_sampling.hpp"

#include <optional>

namespace mo::build {
namespace {

using ops::reference::GridSampleMode;
using ops::reference::GridSamplePadding;

/// An element near the places along one axis, [N, P], with its part of the result.
struct Neighbour {
  Term element;                ///< i64, inside of the data
  std::optional<Term> weight;  ///< none: all of it
  std::optional<Term> inside;  ///< where it is an element at all: nearest only, weights are 0 elsewhere
};

/// The element of the data that stands at `index`, which may be outside.
Term element_at(const Term& index, const Term& length, const ops::GridSample& how) {
  if (how.padding_mode != GridSamplePadding::reflection) return smaller(larger(index, 0), length - 1);
  // align_corners: … 1 0 1 …, around the middle of the border elements; otherwise … 1 0 0 1 …
  const Term period = how.align_corners ? larger((length - 1) * 2, 1) : length * 2;
  const Term place = index.apply(ops::FloorMod{}, period);
  return smaller(place, (how.align_corners ? period : period - 1) - place);
}

Neighbour neighbour(const Term& index, const Term& length, const std::optional<Term>& weight,
                    const ops::GridSample& how) {
  Neighbour made{element_at(index, length, how), weight, std::nullopt};
  if (how.padding_mode != GridSamplePadding::zeros) return made;
  const Term inside = both(greater_equal(index, 0), less(index, length));
  if (weight)
    made.weight = choose(inside, *weight, 0);
  else
    made.inside = inside;
  return made;
}

/// The filter of Keys with parameter -0.75, for distances up to 1, and from there to 2.
Term near_weight(const Term& d) { return (d * 1.25 - 2.25) * d * d + 1; }
Term far_weight(const Term& d) { return ((d * -0.75 + 3.75) * d - 6) * d + 3; }

/// `place` [N, P] is along an axis of `length` (i64).
std::vector<Neighbour> neighbours(const Term& place, const Term& length, const ops::GridSample& how) {
  constexpr double kFar = 1e9;  // far outside; keeps the index an integer
  const Term at = place.apply(ops::Clamp{.min = -kFar, .max = kFar});
  if (how.mode == GridSampleMode::nearest)
    return {neighbour(at.apply(ops::Round{}).as(ElementType::i64), length, std::nullopt, how)};
  const Term below = floored(at);
  const Term first = below.as(ElementType::i64);
  const Term t = at - below;
  if (how.mode == GridSampleMode::bilinear)
    return {neighbour(first, length, 1 - t, how), neighbour(first + 1, length, t, how)};
  return {neighbour(first - 1, length, far_weight(t + 1), how), neighbour(first, length, near_weight(t), how),
          neighbour(first + 1, length, near_weight(1 - t), how), neighbour(first + 2, length, far_weight(2 - t), how)};
}

}  // namespace

Term sampled_at(Rewriter& rw, const Value& data, const std::vector<Term>& places, const ops::GridSample& how) {
  std::vector<Term> lengths;
  std::vector<std::vector<Neighbour>> axes;
  for (std::size_t axis = 0; axis < places.size(); ++axis) {
    lengths.emplace_back(rw, dimension_of(rw, data, static_cast<std::int64_t>(axis) + 2), ElementType::i64);
    axes.push_back(neighbours(places[axis], lengths.back(), how));
  }
  const ElementType computed = how.mode == GridSampleMode::nearest ? type_of(data).element_type : places.front().type();
  const Value flat =
      rw.create(ops::Reshape{.special_zero = true}, as_type(rw, data, computed), rw.integers({0, 0, -1}));
  // Every choice of one neighbour along each axis.
  std::optional<Term> sum;
  std::vector<std::size_t> chosen(places.size(), 0);
  for (bool more = true; more;) {
    std::optional<Neighbour> corner;
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
      const Neighbour& next = axes[axis][chosen[axis]];
      if (!corner) {
        corner = next;
        continue;
      }
      corner->element = corner->element * lengths[axis] + next.element;
      if (next.weight) corner->weight = *corner->weight * *next.weight;
      if (next.inside) corner->inside = both(*corner->inside, *next.inside);
    }
    Term part(rw, rw.create(ops::v7::Gather{{.batch_dims = 1}}, flat, corner->element, rw.scalar<std::int64_t>(2)),
              computed);
    if (corner->weight) part = part * corner->weight->unsqueezed({1});
    if (corner->inside) part = choose(corner->inside->unsqueezed({1}), part, 0);
    sum = sum ? *sum + part : part;
    more = false;
    for (std::size_t axis = 0; axis < places.size() && !more; ++axis) {
      more = ++chosen[axis] < axes[axis].size();
      if (!more) chosen[axis] = 0;
    }
  }
  return *sum;
}

Value sampled_by_grid(Rewriter& rw, const Value& data, const Value& grid, const ops::GridSample& how,
                      std::size_t spatial_rank) {
  const ElementType type = type_of(data).element_type;
  const bool wide = type == ElementType::f64 || (is_integral(type) && bit_width(type) > 16);
  const ElementType computed = wide ? ElementType::f64 : ElementType::f32;
  const auto rank = static_cast<std::int64_t>(spatial_rank);
  const Value points =
      rw.create(ops::Reshape{.special_zero = true}, as_type(rw, grid, computed), rw.integers({0, -1, rank}));
  std::vector<Term> places;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    // -1 to 1
    const Term coordinate(
        rw, rw.create(ops::Gather{}, points, rw.scalar<std::int64_t>(rank - 1 - axis), rw.scalar<std::int64_t>(2)),
        computed);
    const Term size = Term(rw, dimension_of(rw, data, axis + 2), ElementType::i64).as(computed);
    places.push_back((how.align_corners ? (coordinate + 1) * (size - 1) : (coordinate + 1) * size - 1) * 0.5);
  }
  const Term sampled = sampled_at(rw, data, places, how);
  const Value shape =
      join(rw, {slice_along(rw, shape_of(rw, data), 0, 0, 2), slice_along(rw, shape_of(rw, grid), 0, 1, rank + 1)});
  return rw.create(ops::Reshape{}, as_type(rw, sampled, type), shape);
}

}  // namespace mo::build
