#include "ops/reference/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/tensor/convert.hpp"
#include "ops/reference/axis.hpp"

namespace mo::ops::reference {
namespace {

/// One axis of a resize: its length before (without and with padding) and after.
struct ResizeAxis {
  std::int64_t axis = 0;
  std::int64_t length = 0;
  std::int64_t pad = 0;
  std::int64_t padded = 0;
  std::int64_t result = 0;
  float scale = 1;
  bool resized = false;

  bool is_identity() const { return length == padded && padded == result; }
};

/// Element x of the result is the sum of weights[k] * data[indices[k]] for k in [first[x], first[x + 1]).
struct Taps {
  std::vector<std::size_t> first{0};
  std::vector<std::int64_t> indices;
  std::vector<double> weights;

  void add(const ResizeAxis& axis, std::int64_t padded_index, double weight) {
    const std::int64_t index = padded_index - axis.pad;
    if (index < 0 || index >= axis.length || weight == 0) return;  // padding is zero
    indices.push_back(index);
    weights.push_back(weight);
  }
  void end_element() { first.push_back(indices.size()); }
};

/// Computed in float, as the runtimes do: at ties the rounding decides which element is the nearest.
float source_coordinate(const ResizeAxis& axis, CoordinateMode mode, std::int64_t result_index) {
  const auto x = static_cast<float>(result_index);
  if (axis.scale == 1.0F || axis.padded == axis.result) return x;
  switch (mode) {
    case CoordinateMode::half_pixel: return (x + 0.5F) / axis.scale - 0.5F;
    case CoordinateMode::pytorch_half_pixel: return axis.result > 1 ? (x + 0.5F) / axis.scale - 0.5F : 0.0F;
    case CoordinateMode::asymmetric: return x / axis.scale;
    case CoordinateMode::tf_half_pixel_for_nn: return (x + 0.5F) / axis.scale;
    case CoordinateMode::align_corners: break;
  }
  return axis.result == 1 ? 0.0F : x * static_cast<float>(axis.padded - 1) / static_cast<float>(axis.result - 1);
}

/// A coordinate that cannot overflow when it is cast to an integer.
std::int64_t clamped_index(float coordinate) {
  constexpr float kLimit = 4.0e18F;
  return std::isnan(coordinate) ? 0 : static_cast<std::int64_t>(std::clamp(coordinate, -kLimit, kLimit));
}

std::int64_t nearest_index(float coordinate, NearestMode mode, bool downsample) {
  switch (mode) {
    case NearestMode::round_prefer_floor:
      return coordinate == static_cast<float>(clamped_index(coordinate)) + 0.5F ? clamped_index(std::floor(coordinate))
                                                                                : clamped_index(std::round(coordinate));
    case NearestMode::round_prefer_ceil: return clamped_index(std::round(coordinate));
    case NearestMode::floor: return clamped_index(std::floor(coordinate));
    case NearestMode::ceil: return clamped_index(std::ceil(coordinate));
    case NearestMode::simple: break;
  }
  return downsample ? clamped_index(std::ceil(coordinate)) : clamped_index(coordinate);
}

/// Index of the data for each element of the result; -1 is padding.
std::vector<std::int64_t> nearest_map(const ResizeAxis& axis, const InterpolateParameters& parameters) {
  std::vector<std::int64_t> map(static_cast<std::size_t>(axis.result));
  for (std::int64_t x = 0; x < axis.result; ++x) {
    std::int64_t index = x;
    if (axis.resized)
      index = std::clamp<std::int64_t>(
          nearest_index(source_coordinate(axis, parameters.coordinates, x), parameters.nearest, axis.scale < 1.0F), 0,
          axis.padded - 1);
    index -= axis.pad;
    map[static_cast<std::size_t>(x)] = index < axis.length ? std::max<std::int64_t>(index, -1) : -1;
  }
  return map;
}

template <std::size_t kSize>
void gather(const AxisView& view, std::int64_t result, const std::vector<std::int64_t>& map, const std::byte* in,
            std::byte* out) {
  const std::size_t row = static_cast<std::size_t>(view.inner) * kSize;
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t x = 0; x < result; ++x, out += row) {
      const std::int64_t index = map[static_cast<std::size_t>(x)];
      if (index < 0) continue;  // the result is zeros
      const std::byte* from = in + static_cast<std::size_t>(o * view.size + index) * row;
      if (view.inner == 1)
        std::memcpy(out, from, kSize);
      else
        std::memcpy(out, from, row);
    }
}

Expected<Tensor> gather_axis(const Tensor& data, const ResizeAxis& axis, const std::vector<std::int64_t>& map) {
  Shape shape = data.shape();
  shape[static_cast<std::size_t>(axis.axis)] = axis.result;
  MO_ASSIGN(Tensor out, Tensor::allocate(data.element_type(), shape));
  const AxisView view = view_axis(data.shape(), axis.axis);
  const std::byte* from = data.bytes().data();
  std::byte* to = out.mutable_bytes().data();
  switch (bit_width(data.element_type())) {
    case 8: gather<1>(view, axis.result, map, from, to); break;
    case 16: gather<2>(view, axis.result, map, from, to); break;
    case 32: gather<4>(view, axis.result, map, from, to); break;
    default: gather<8>(view, axis.result, map, from, to); break;
  }
  return out;
}

/// Cubic convolution: weights of the elements at -1, 0, 1, 2 for a fraction in [0, 1).
std::array<float, 4> cubic_weights(float s, float a) {
  const auto near = [a](float t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
  const auto far = [a](float t) { return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a; };
  return {far(s + 1), near(s), near(1 - s), far(2 - s)};
}

/// Weights of a triangle around the coordinate (narrower for a down-sampled axis with antialiasing: wider in elements),
/// normalised.
void linear_taps(const ResizeAxis& axis, float coordinate, bool antialias, Taps& taps) {
  const float a = antialias ? axis.scale : 1.0F;
  const double radius = axis.scale > 1.0F ? 2.0 : std::ceil(2.0 / static_cast<double>(a));
  const double center = std::round(static_cast<double>(coordinate));
  const auto low = static_cast<std::int64_t>(std::clamp(center - radius, 0.0, static_cast<double>(axis.padded)));
  const auto high = static_cast<std::int64_t>(std::clamp(center + radius, -1.0, static_cast<double>(axis.padded - 1)));
  const auto weight = [&](std::int64_t i) {
    return std::max(0.0F, 1.0F - std::fabs(a * (coordinate - static_cast<float>(i))));
  };
  double sum = 0;
  for (std::int64_t i = low; i <= high; ++i) sum += static_cast<double>(weight(i));
  if (sum == 0) return;
  for (std::int64_t i = low; i <= high; ++i) taps.add(axis, i, static_cast<double>(weight(i)) / sum);
}

/// The filter of the Pillow library: support grows with the reduction, so that every element counts.
void pillow_taps(const ResizeAxis& axis, std::int64_t x, bool cubic, double a, Taps& taps) {
  const double scale = static_cast<double>(axis.padded) / static_cast<double>(axis.result);
  const double stretch = std::max(scale, 1.0);
  const double support = (cubic ? 2.0 : 1.0) * stretch;
  const double center = (static_cast<double>(x) + 0.5) * scale;
  const auto low = static_cast<std::int64_t>(std::max(center - support + 0.5, 0.0));
  const auto end = std::min(static_cast<std::int64_t>(center + support + 0.5), axis.padded);
  const auto weight = [&](std::int64_t i) {
    const double t = std::fabs((static_cast<double>(i) - center + 0.5) / stretch);
    if (!cubic) return std::max(0.0, 1.0 - t);
    if (t < 1.0) return ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0;
    return t < 2.0 ? (((t - 5.0) * t + 8.0) * t - 4.0) * a : 0.0;
  };
  double sum = 0;
  for (std::int64_t i = low; i < end; ++i) sum += weight(i);
  for (std::int64_t i = low; i < end; ++i) taps.add(axis, i, sum == 0 ? weight(i) : weight(i) / sum);
}

Taps taps_of(const ResizeAxis& axis, const InterpolateParameters& parameters, bool antialias) {
  Taps taps;
  for (std::int64_t x = 0; x < axis.result; ++x) {
    const float coordinate = source_coordinate(axis, parameters.coordinates, x);
    if (!axis.resized) {
      taps.add(axis, x, 1);
    } else if (parameters.mode == InterpolateMode::linear) {
      linear_taps(axis, coordinate, antialias, taps);
    } else if (parameters.mode == InterpolateMode::linear_onnx) {
      const float inside = std::clamp(coordinate, 0.0F, static_cast<float>(axis.padded - 1));
      const std::int64_t low = std::min(clamped_index(inside), axis.padded - 1);
      const std::int64_t high = std::min(low + 1, axis.padded - 1);
      const float fraction = low == high ? 0.0F : inside - static_cast<float>(low);
      taps.add(axis, low, static_cast<double>(1.0F - fraction));
      taps.add(axis, high, static_cast<double>(fraction));
    } else if (parameters.mode == InterpolateMode::cubic) {
      const float floor = std::floor(coordinate);
      const auto weights = cubic_weights(coordinate - floor, static_cast<float>(parameters.cube_coeff));
      for (std::int64_t k = 0; k < 4; ++k)
        taps.add(axis, std::clamp<std::int64_t>(clamped_index(floor) + k - 1, 0, axis.padded - 1),
                 static_cast<double>(weights[static_cast<std::size_t>(k)]));
    } else {
      pillow_taps(axis, x, parameters.mode == InterpolateMode::bicubic_pillow, parameters.cube_coeff, taps);
    }
    taps.end_element();
  }
  return taps;
}

/// The weighted sums along one axis; `A` is the type that `data` stores.
template <class A>
Expected<Tensor> weigh_axis(const Tensor& data, const ResizeAxis& axis, const Taps& taps) {
  Shape shape = data.shape();
  shape[static_cast<std::size_t>(axis.axis)] = axis.result;
  MO_ASSIGN(Tensor out, Tensor::allocate(data.element_type(), shape));
  const AxisView view = view_axis(data.shape(), axis.axis);
  const A* in = data.values<A>().data();
  A* to = out.mutable_values<A>().data();
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t x = 0; x < axis.result; ++x, to += view.inner)
      for (std::size_t k = taps.first[static_cast<std::size_t>(x)]; k < taps.first[static_cast<std::size_t>(x) + 1];
           ++k) {
        const A weight = static_cast<A>(taps.weights[k]);
        const A* from = in + (o * view.size + taps.indices[k]) * view.inner;
        for (std::int64_t i = 0; i < view.inner; ++i) to[i] += weight * from[i];
      }
  return out;
}

template <class A>
void round_pixels(Tensor& tensor) {
  for (A& v : tensor.mutable_values<A>()) v = std::round(v);
}

template <class A>
Expected<void> weigh(const Tensor& data, Tensor& out, const std::vector<ResizeAxis>& axes,
                     const InterpolateParameters& parameters) {
  const bool antialias = parameters.antialias && std::any_of(axes.begin(), axes.end(), [](const ResizeAxis& a) {
                           return a.resized && a.scale < 1.0F;
                         });
  const bool pillow =
      parameters.mode == InterpolateMode::bilinear_pillow || parameters.mode == InterpolateMode::bicubic_pillow;
  const bool integral = !is_real(out.element_type());
  MO_ASSIGN(Tensor current, convert(data, element_type_of<A>));
  for (const ResizeAxis& axis : axes) {
    if (axis.is_identity()) continue;
    MO_ASSIGN(current, weigh_axis<A>(current, axis, taps_of(axis, parameters, antialias)));
    // Pillow stores each pass as pixels; `convert` saturates.
    if (pillow && integral && axis.resized) {
      round_pixels<A>(current);
      MO_ASSIGN(const Tensor pixels, convert(current, out.element_type()));
      MO_ASSIGN(current, convert(pixels, element_type_of<A>));
    }
  }
  // The linear mode rounds, the others truncate (as `convert` does).
  if (parameters.mode == InterpolateMode::linear && integral) {
    MO_ASSIGN(Tensor rounded, Tensor::allocate(current.element_type(), current.shape()));
    const auto from = current.values<A>();
    std::transform(from.begin(), from.end(), rounded.mutable_values<A>().begin(), [](A v) { return std::round(v); });
    current = std::move(rounded);
  }
  MO_ASSIGN(const Tensor result, convert(current, out.element_type()));
  std::memcpy(out.mutable_bytes().data(), result.bytes().data(), result.byte_size());
  return {};
}

}  // namespace

Expected<void> interpolate(const Tensor& data, Tensor& out, const InterpolateParameters& parameters) {
  if (out.element_count() == 0) return {};
  std::vector<ResizeAxis> axes;
  const auto describe = [&](std::int64_t axis) {
    const auto a = static_cast<std::size_t>(axis);
    return ResizeAxis{axis,
                      data.shape()[a],
                      parameters.pads_begin[a],
                      data.shape()[a] + parameters.pads_begin[a] + parameters.pads_end[a],
                      out.shape()[a],
                      1,
                      false};
  };
  std::vector<bool> resized(data.shape().size());
  // Last axis first: what Pillow does, and the order does not matter to the other modes.
  for (std::size_t i = parameters.axes.size(); i-- > 0;) {
    ResizeAxis axis = describe(parameters.axes[i]);
    axis.scale = parameters.scales[i];
    axis.resized = true;
    resized[static_cast<std::size_t>(parameters.axes[i])] = true;
    axes.push_back(axis);
  }
  for (std::int64_t i = 0; i < data.rank(); ++i)
    if (!resized[static_cast<std::size_t>(i)]) axes.push_back(describe(i));

  if (parameters.mode != InterpolateMode::nearest)
    return data.element_type() == ElementType::f64 ? weigh<double>(data, out, axes, parameters)
                                                   : weigh<float>(data, out, axes, parameters);
  Tensor current = data;
  for (const ResizeAxis& axis : axes) {
    if (axis.is_identity()) continue;
    MO_ASSIGN(current, gather_axis(current, axis, nearest_map(axis, parameters)));
  }
  std::memcpy(out.mutable_bytes().data(), current.bytes().data(), current.byte_size());
  return {};
}

}  // namespace mo::ops::reference
