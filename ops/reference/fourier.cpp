#include "ops/reference/fourier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "ops/reference/axis.hpp"

namespace mo::ops::reference {
namespace {

using Complex = std::complex<double>;

const Complex* complex_values(const Tensor& tensor) {
  return reinterpret_cast<const Complex*>(tensor.values<double>().data());
}
Complex* complex_values(Tensor& tensor) { return reinterpret_cast<Complex*>(tensor.mutable_values<double>().data()); }

/// Seen from an axis, in complex numbers.
AxisView view_complex(const Shape& shape, std::int64_t axis) {
  return view_axis(Shape(shape.begin(), shape.end() - 1), axis);
}

Expected<Tensor> allocate_along(const Tensor& data, std::int64_t axis, std::int64_t size) {
  Shape shape = data.shape();
  shape[static_cast<std::size_t>(axis)] = size;
  return Tensor::allocate(ElementType::f64, shape);
}

/// exp(-+2 pi i k / n) for k in [0, n).
std::vector<Complex> roots(std::size_t n, bool inverse) {
  std::vector<Complex> root(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    root[k] = {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
  }
  return root;
}

/// In place, for a power of two: bit-reversed order, then butterflies.
void transform_power_of_two(std::vector<Complex>& line, const std::vector<Complex>& root) {
  const std::size_t n = line.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(line[i], line[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex odd = line[start + half + k] * root[k * (n / (2 * half))];
        line[start + half + k] = line[start + k] - odd;
        line[start + k] += odd;
      }
}

/// Any length, by definition.
void transform(std::vector<Complex>& line, const std::vector<Complex>& root) {
  const std::size_t n = line.size();
  if (std::has_single_bit(n)) return transform_power_of_two(line, root);
  std::vector<Complex> result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t t = 0, turn = 0; t < n; ++t, turn = (turn + k) % n) result[k] += line[t] * root[turn];
  line = std::move(result);
}

}  // namespace

Expected<Tensor> fourier(const Tensor& data, std::int64_t axis, std::int64_t size, bool inverse) {
  MO_ASSIGN(Tensor out, allocate_along(data, axis, size));
  if (out.element_count() == 0) return out;
  const AxisView from = view_complex(data.shape(), axis);
  const std::vector<Complex> root = roots(static_cast<std::size_t>(size), inverse);
  const Complex* in = data.element_count() == 0 ? nullptr : complex_values(std::as_const(data));
  Complex* to = complex_values(out);
  const std::int64_t used = std::min(from.size, size);
  const double scale = inverse ? 1.0 / static_cast<double>(size) : 1.0;
  std::vector<Complex> line(static_cast<std::size_t>(size));
  for (std::int64_t o = 0; o < from.outer; ++o)
    for (std::int64_t i = 0; i < from.inner; ++i) {
      std::fill(line.begin(), line.end(), Complex());
      for (std::int64_t t = 0; t < used; ++t)
        line[static_cast<std::size_t>(t)] = in[(o * from.size + t) * from.inner + i];
      transform(line, root);
      for (std::int64_t k = 0; k < size; ++k)
        to[(o * size + k) * from.inner + i] = line[static_cast<std::size_t>(k)] * scale;
    }
  return out;
}

Expected<Tensor> with_imaginary(const Tensor& data) {
  Shape shape = data.shape();
  shape.push_back(2);
  MO_ASSIGN(Tensor out, Tensor::allocate(ElementType::f64, shape));
  const auto in = data.values<double>();
  const auto to = out.mutable_values<double>();
  for (std::size_t i = 0; i < in.size(); ++i) to[2 * i] = in[i];
  return out;
}

Expected<Tensor> real_part(const Tensor& data) {
  Shape shape = data.shape();
  shape.pop_back();
  MO_ASSIGN(Tensor out, Tensor::allocate(ElementType::f64, shape));
  const auto in = data.values<double>();
  const auto to = out.mutable_values<double>();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = in[2 * i];
  return out;
}

Expected<Tensor> resized(const Tensor& data, std::int64_t axis, std::int64_t size) {
  MO_ASSIGN(Tensor out, allocate_along(data, axis, size));
  if (out.element_count() == 0 || data.element_count() == 0) return out;
  const AxisView from = view_complex(data.shape(), axis);
  const std::int64_t used = std::min(from.size, size) * from.inner;
  for (std::int64_t o = 0; o < from.outer; ++o)
    std::copy_n(complex_values(std::as_const(data)) + o * from.size * from.inner, used,
                complex_values(out) + o * size * from.inner);
  return out;
}

Expected<Tensor> mirrored(const Tensor& data, std::int64_t axis, std::int64_t size) {
  MO_ASSIGN(Tensor out, resized(data, axis, size));
  if (out.element_count() == 0 || data.element_count() == 0) return out;
  const AxisView view = view_complex(out.shape(), axis);
  Complex* to = complex_values(out);
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t k = size / 2 + 1; k < size; ++k)
      for (std::int64_t i = 0; i < view.inner; ++i)
        to[(o * size + k) * view.inner + i] = std::conj(to[(o * size + size - k) * view.inner + i]);
  return out;
}

}  // namespace mo::ops::reference
