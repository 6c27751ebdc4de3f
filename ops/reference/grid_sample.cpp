#include "ops/reference/grid_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mo::ops::reference {
namespace {

/// One axis of the data under a padding.
struct PaddedAxis {
  std::int64_t size;
  GridSamplePadding padding;
  bool align_corners;

  /// The element that stands at `index`; -1 is a zero.
  std::int64_t element(std::int64_t index) const {
    if (padding == GridSamplePadding::border) return std::clamp<std::int64_t>(index, 0, size - 1);
    if (padding == GridSamplePadding::zeros) return index >= 0 && index < size ? index : -1;
    if (!align_corners) {  // the border elements are repeated: … 1 0 | 0 1 …
      const std::int64_t period = 2 * size;
      const std::int64_t at = (index % period + period) % period;
      return at >= size ? period - 1 - at : at;
    }
    if (size == 1) return 0;
    const std::int64_t period = 2 * (size - 1);
    const std::int64_t at = std::abs(index) % period;
    return at >= size ? period - at : at;
  }

  template <class A>
  A coordinate(A normalized) const {
    const A length = static_cast<A>(size);
    const A at = align_corners ? (normalized + 1) * (length - 1) / 2 : ((normalized + 1) * length - 1) / 2;
    constexpr A kFar = 1.0e9;  // far outside; keeps the index an integer
    return std::isnan(at) ? -kFar : std::clamp(at, -kFar, kFar);
  }
};

/// Up to four neighbours along one axis and their weights.
template <class A>
struct Neighbours {
  std::array<std::int64_t, 4> elements{};
  std::array<A, 4> weights{};
  std::size_t count = 0;
};

template <class A>
Neighbours<A> neighbours(const PaddedAxis& axis, A normalized, GridSampleMode mode) {
  const A at = axis.coordinate(normalized);
  Neighbours<A> result;
  if (mode == GridSampleMode::nearest) {  // ties to even, as std::nearbyint in the default rounding mode
    result.count = 1;
    result.elements[0] = axis.element(static_cast<std::int64_t>(std::nearbyint(at)));
    result.weights[0] = 1;
    return result;
  }
  const A floor = std::floor(at);
  const A t = at - floor;
  const auto first = static_cast<std::int64_t>(floor);
  if (mode == GridSampleMode::bilinear) {
    result.count = 2;
    result.weights = {1 - t, t, 0, 0};
    for (std::size_t k = 0; k < 2; ++k) result.elements[k] = axis.element(first + static_cast<std::int64_t>(k));
    return result;
  }
  constexpr A a = -0.75;
  const auto near = [](A d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](A d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  result.count = 4;
  result.weights = {far(t + 1), near(t), near(1 - t), far(2 - t)};
  for (std::size_t k = 0; k < 4; ++k) result.elements[k] = axis.element(first + static_cast<std::int64_t>(k) - 1);
  return result;
}

template <class A>
void sample(const Tensor& data, const Tensor& grid, Tensor& out, GridSampleMode mode, GridSamplePadding padding,
            bool align_corners) {
  const Shape& shape = data.shape();
  const PaddedAxis rows{shape[2], padding, align_corners};
  const PaddedAxis columns{shape[3], padding, align_corners};
  const std::int64_t points = out.shape()[2] * out.shape()[3];
  const std::int64_t area = shape[2] * shape[3];
  const A* const in = data.values<A>().data();
  const A* place = grid.values<A>().data();
  A* const result = out.mutable_values<A>().data();
  for (std::int64_t n = 0; n < shape[0]; ++n)
    for (std::int64_t p = 0; p < points; ++p, place += 2) {
      const Neighbours<A> x = neighbours(columns, place[0], mode);
      const Neighbours<A> y = neighbours(rows, place[1], mode);
      for (std::int64_t c = 0; c < shape[1]; ++c) {
        const A* plane = in + (n * shape[1] + c) * area;
        A sum = 0;
        for (std::size_t i = 0; i < y.count; ++i) {
          if (y.elements[i] < 0) continue;
          A row = 0;
          for (std::size_t j = 0; j < x.count; ++j)
            if (x.elements[j] >= 0) row += x.weights[j] * plane[y.elements[i] * shape[3] + x.elements[j]];
          sum += y.weights[i] * row;
        }
        result[(n * shape[1] + c) * points + p] = sum;
      }
    }
}

}  // namespace

void grid_sample(const Tensor& data, const Tensor& grid, Tensor& out, GridSampleMode mode, GridSamplePadding padding,
                 bool align_corners) {
  if (data.element_type() == ElementType::f64)
    sample<double>(data, grid, out, mode, padding, align_corners);
  else
    sample<float>(data, grid, out, mode, padding, align_corners);
}

}  // namespace mo::ops::reference
