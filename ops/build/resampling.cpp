#include "ops/build/resampling.hpp"

#include <array>
#include <limits>
#include <numbers>

#include "ops/mat_mul.hpp"

namespace mo::build {
namespace {

constexpr double kPi = std::numbers::pi;

/// ((a x + b) x + c) x + d
Term polynomial(const Term& x, std::array<double, 4> c) { return ((x * c[0] + c[1]) * x + c[2]) * x + c[3]; }

/// Two cubic polynomials: one for distances below 1, one for those from 1 to 2.
Term cubic(const Term& x, std::array<double, 4> near, std::array<double, 4> far) {
  return choose(less(x, 1), polynomial(x, near), choose(less(x, 2), polynomial(x, far), 0));
}

/// radius sin(pi x) sin(pi x / radius) / (pi x)^2 up to the radius; 1 at 0.
Term lanczos(const Term& x, double radius) {
  const Term apart = greater(x, 1e-3);
  const Term turn = choose(apart, x, 1) * kPi;
  const Term value = turn.apply(ops::Sin{}) * (turn / radius).apply(ops::Sin{}) * radius / (turn * turn);
  return choose(less_equal(x, radius), choose(apart, value, 1), 0);
}

}  // namespace

Term sampling_kernel(std::string_view name, const Term& distance) {
  const Term x = absolute(distance);
  if (name == "keyscubic") return cubic(x, {1.5, -2.5, 0, 1}, {-0.5, 2.5, -4, 2});
  if (name == "mitchellcubic") return cubic(x, {7.0 / 6, -2, 0, 8.0 / 9}, {-7.0 / 18, 2, -10.0 / 3, 16.0 / 9});
  if (name == "box") return choose(less(x, 0.5), x.number(1), choose(equal(x, 0.5), x.number(0.5), 0));
  if (name == "gaussian") return choose(less(x, 1.5), (x * x * -2).apply(ops::Exp{}), 0);  // deviation 0.5
  if (name == "lanczos1") return lanczos(x, 1);
  if (name == "lanczos3") return lanczos(x, 3);
  if (name == "lanczos5") return lanczos(x, 5);
  return larger(1 - x, 0);
}

Term sampling_step(const Term& length, const Term& size, bool align_corners) {
  const Term step = length / size;
  if (!align_corners) return step;
  const Term steps = size - 1;
  return choose(greater(steps, 0), (length - 1) / larger(steps, 1), step);
}

Term normalized(const Term& weights) {
  const Term sum = reduced<ops::ReduceKind::sum>(weights, {1}, true);
  const Term some = greater_equal(absolute(sum), 1000 * static_cast<double>(std::numeric_limits<float>::min()));
  return weights / choose(some, sum, 1);
}

Term resampled(const Term& images, const Term& vertical, const Term& horizontal) {
  Rewriter& rw = images.rewriter();
  const Value shape = shape_of(rw, images);
  const Value height = slice_along(rw, shape_of(rw, vertical), 0, 0, 1);
  const Value width = slice_along(rw, shape_of(rw, horizontal), 0, 0, 1);
  const Value images_and_height = join(rw, {slice_along(rw, shape, 0, 0, 1), height});
  // [N, H, W * C], then [N * height, W, C].
  const Value rows = rw.create(ops::Reshape{.special_zero = true}, images.value(), rw.integers({0, 0, -1}));
  const Value resized_rows = rw.create(ops::MatMul{}, vertical.value(), rows);
  const Value columns =
      rw.create(ops::Reshape{}, resized_rows, join(rw, {rw.integers({-1}), slice_along(rw, shape, 0, 2, 4)}));
  const Value resized = rw.create(ops::MatMul{}, horizontal.value(), columns);
  const Value target = join(rw, {images_and_height, width, slice_along(rw, shape, 0, 3, 4)});
  return {rw, rw.create(ops::Reshape{}, resized, target), images.type()};
}

}  // namespace mo::build
