#include "ops/reference/pooling.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "ops/reference/compute.hpp"

namespace mo::ops::reference {
namespace {

/// What one position sees on one axis: elements begin, begin + step … (count of them), all in the data, out of
/// `counted` with padding.
struct Span {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
  std::int64_t counted = 0;
};

std::vector<Span> sliding_spans(const WindowAxisGeometry& axis) {
  std::vector<Span> spans;
  for (std::int64_t o = 0; o < axis.out; ++o) {
    const std::int64_t start = axis.start(o);
    const std::int64_t first = axis.first(start, 0);
    const std::int64_t last = axis.last(start, axis.in);
    const std::int64_t padded_last = axis.last(start, axis.in + axis.pad_end);
    spans.push_back(
        {start + first * axis.dilation, std::max<std::int64_t>(0, last - first), axis.dilation, padded_last});
  }
  return spans;
}

std::vector<Span> adaptive_spans(const WindowAxisGeometry& axis) {
  std::vector<Span> spans;
  for (std::int64_t o = 0; o < axis.out; ++o) {
    const std::int64_t begin = o * axis.in / axis.out;
    const std::int64_t end = ((o + 1) * axis.in + axis.out - 1) / axis.out;
    spans.push_back({begin, end - begin, 1, end - begin});
  }
  return spans;
}

using Spans = std::array<std::vector<Span>, 3>;

Spans spans_of(const Window& window, std::vector<Span> (*make)(const WindowAxisGeometry&)) {
  return {make(window.axes[0]), make(window.axes[1]), make(window.axes[2])};
}

/// Calls fn(plane, position, z, y, x) for every result element in memory order.
template <class Fn>
void for_each_position(std::int64_t planes, const Spans& spans, Fn&& fn) {
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    std::int64_t position = 0;
    for (const Span& z : spans[0])
      for (const Span& y : spans[1])
        for (const Span& x : spans[2]) fn(plane, position++, z, y, x);
  }
}

/// Calls fn(offset) for every element of a plane that a window sees, in memory order.
template <class Fn>
void for_each_element(const Window& window, const Span& z, const Span& y, const Span& x, Fn&& fn) {
  for (std::int64_t i = 0; i < z.count; ++i)
    for (std::int64_t j = 0; j < y.count; ++j) {
      std::int64_t offset =
          ((z.begin + i * z.step) * window.axes[1].in + y.begin + j * y.step) * window.axes[2].in + x.begin;
      for (std::int64_t k = 0; k < x.count; ++k, offset += x.step) fn(offset);
    }
}

template <class T>
T mean(double sum, std::int64_t count) {
  const double value = count > 0 ? sum / static_cast<double>(count) : 0;
  if constexpr (std::is_integral_v<T>) return static_cast<T>(std::nearbyint(value));
  return static_cast<T>(value);
}

void average(const Tensor& data, Tensor& out, const Window& window, const Spans& spans, bool exclude_pad) {
  const std::int64_t out_plane = window.out_size();
  const std::int64_t planes = out.element_count() / out_plane;
  visit_type(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for_each_position(
        planes, spans, [&](std::int64_t plane, std::int64_t position, const Span& z, const Span& y, const Span& x) {
          const T* source = in + plane * window.in_size();
          double sum = 0;
          for_each_element(window, z, y, x, [&](std::int64_t offset) { sum += static_cast<double>(source[offset]); });
          const std::int64_t count = exclude_pad ? z.count * y.count * x.count : z.counted * y.counted * x.counted;
          result[plane * out_plane + position] = mean<T>(sum, count);
        });
  });
}

template <class T>
T lowest() {
  // -inf is below every real; the numeric limits of the half types are not specialised by every standard library.
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::lowest();
  else
    return static_cast<T>(-std::numeric_limits<float>::infinity());
}

void largest(const Tensor& data, Tensor& out, Tensor* indices, const Window& window, const Spans& spans,
             std::int64_t index_period) {
  const std::int64_t out_plane = window.out_size();
  const std::int64_t planes = out.element_count() / out_plane;
  std::int64_t* wide =
      indices && indices->element_type() == ElementType::i64 ? indices->mutable_values<std::int64_t>().data() : nullptr;
  std::int32_t* narrow =
      indices && indices->element_type() == ElementType::i32 ? indices->mutable_values<std::int32_t>().data() : nullptr;
  visit_type(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for_each_position(planes, spans,
                      [&](std::int64_t plane, std::int64_t position, const Span& z, const Span& y, const Span& x) {
                        const T* source = in + plane * window.in_size();
                        T best = lowest<T>();
                        std::int64_t place = -1;
                        for_each_element(window, z, y, x, [&](std::int64_t offset) {
                          const T value = source[offset];
                          if (value > best || place < 0 || value != value) {
                            best = value;
                            place = offset;
                          }
                        });
                        const std::int64_t at = plane * out_plane + position;
                        result[at] = best;
                        const std::int64_t index = place < 0 ? 0 : (plane * window.in_size() + place) % index_period;
                        if (wide) wide[at] = index;
                        if (narrow) narrow[at] = static_cast<std::int32_t>(index);
                      });
  });
}

}  // namespace

void average_pool(const Tensor& data, Tensor& out, const Window& window, bool exclude_pad) {
  if (out.element_count() > 0) average(data, out, window, spans_of(window, sliding_spans), exclude_pad);
}

void max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window, std::int64_t index_period) {
  if (out.element_count() > 0)
    largest(data, out, indices, window, spans_of(window, sliding_spans), std::max<std::int64_t>(index_period, 1));
}

void adaptive_average_pool(const Tensor& data, Tensor& out, const Window& window) {
  if (out.element_count() > 0) average(data, out, window, spans_of(window, adaptive_spans), true);
}

void adaptive_max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window) {
  if (out.element_count() > 0)
    largest(data, out, indices, window, spans_of(window, adaptive_spans), std::max<std::int64_t>(window.in_size(), 1));
}

}  // namespace mo::ops::reference
