#include "ops/reference/pooling.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ops/reference/compute.hpp"
#include "ops/reference/vector_code.hpp"
#include "ops/reference/window_runs.hpp"

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

void adaptive_average(const Tensor& data, Tensor& out, const Window& window) {
  const std::int64_t out_plane = window.out_size();
  visit_type(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for_each_position(out.element_count() / out_plane, spans_of(window, adaptive_spans),
                      [&](std::int64_t plane, std::int64_t position, const Span& z, const Span& y, const Span& x) {
                        const T* source = in + plane * window.in_size();
                        double sum = 0;
                        for_each_element(window, z, y, x,
                                         [&](std::int64_t offset) { sum += static_cast<double>(source[offset]); });
                        result[plane * out_plane + position] = mean<T>(sum, z.count * y.count * x.count);
                      });
  });
}

template <class T>
bool is_no_number(T value) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return value != value;
}

template <class T>
T lowest() {
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::lowest();
  else
    return -std::numeric_limits<T>::infinity();
}

/// Writes places in the data, flattened from some axis on, whose size is `period`.
class Indices {
 public:
  Indices(Tensor* indices, std::int64_t period) : period_(period) {
    if (indices && indices->element_type() == ElementType::i64) wide_ = indices->mutable_values<std::int64_t>().data();
    if (indices && indices->element_type() == ElementType::i32)
      narrow_ = indices->mutable_values<std::int32_t>().data();
  }
  /// `place`: -1 where a window sees nothing but padding.
  void write(std::int64_t at, std::int64_t plane_start, std::int64_t place) const {
    const std::int64_t index = place < 0 ? 0 : plane_start + place;
    const std::int64_t kept = index < period_ ? index : index % period_;
    if (wide_) wide_[at] = kept;
    if (narrow_) narrow_[at] = static_cast<std::int32_t>(kept);
  }

 private:
  std::int64_t period_;
  std::int64_t* wide_ = nullptr;
  std::int32_t* narrow_ = nullptr;
};

/// Calls fn(data, out) with elements that the processor compares: halves are widened, which is exact, and narrowed
/// again.
template <class Fn>
Expected<void> with_comparable(const Tensor& data, Tensor& out, Fn&& fn) {
  const bool halves = is_real(data.element_type()) && bit_width(data.element_type()) == 16;
  if (!halves) {
    fn(data, out);
    return {};
  }
  MO_ASSIGN(const Tensor wide, to_compute(data));
  return compute_into(out, [&](Tensor& target) {
    fn(wide, target);
    return Expected<void>();
  });
}

/// visit_type without the half types.
template <class Fn>
void visit_comparable(ElementType type, Fn&& fn) {
  visit_type(type, [&]<class T>(std::type_identity<T> tag) {
    if constexpr (!std::is_same_v<T, float16> && !std::is_same_v<T, bfloat16>) fn(tag);
  });
}

void adaptive_largest(const Tensor& data, Tensor& out, const Indices& indices, const Window& window) {
  const std::int64_t out_plane = window.out_size();
  visit_comparable(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for_each_position(out.element_count() / out_plane, spans_of(window, adaptive_spans),
                      [&](std::int64_t plane, std::int64_t position, const Span& z, const Span& y, const Span& x) {
                        const T* source = in + plane * window.in_size();
                        T best = lowest<T>();
                        std::int64_t place = -1;
                        for_each_element(window, z, y, x, [&](std::int64_t offset) {
                          const T value = source[offset];
                          if (value > best || place < 0 || is_no_number(value)) {
                            best = value;
                            place = offset;
                          }
                        });
                        result[plane * out_plane + position] = best;
                        indices.write(plane * out_plane + position, plane * window.in_size(), place);
                      });
  });
}

/// Positions that are pooled together: their window positions follow each other, as for_each_element has them.
constexpr std::int64_t kPositions = 1024;

/// Calls fn(plane, window, first, count) for the planes of each block of positions that a window slides to.
template <class Fn>
void for_each_block(std::int64_t planes, const Window& window, Fn&& fn) {
  WindowRuns runs(window);
  const std::int64_t positions = window.out_size();
  for (std::int64_t first = 0; first < positions; first += kPositions) {
    const std::int64_t count = std::min(kPositions, positions - first);
    runs.locate(first, count);
    for (std::int64_t plane = 0; plane < planes; ++plane) fn(plane, std::as_const(runs), first, count);
  }
}

void sliding_largest(const Tensor& data, Tensor& out, const Indices& indices, const Window& window) {
  visit_comparable(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    const auto pool = [&](std::int64_t plane, const WindowRuns& runs, std::int64_t first, std::int64_t count) {
      const T* source = in + plane * window.in_size();
      T* best = result + plane * window.out_size() + first;
      std::int64_t places[kPositions];
      std::fill(best, best + count, lowest<T>());
      std::fill(places, places + count, -1);
      const auto take = [&runs, source, best, places = &places[0]](auto) {
        for (const WindowRun& run : runs.runs())
          runs.for_each_position(run, [=](std::int64_t column, std::int64_t offset) {
            const T value = source[offset];
            const T old = best[column];
            const std::int64_t place = places[column];
            bool better = value > old;  // and without branches
            better |= place < 0;
            better |= is_no_number(value);
            best[column] = better ? value : old;
            places[column] = better ? offset : place;
          });
      };
      if constexpr (std::is_same_v<T, float>)
        run_vectorised(take);
      else
        take(0);
      for (std::int64_t i = 0; i < count; ++i)
        indices.write(plane * window.out_size() + first + i, plane * window.in_size(), places[i]);
    };
    for_each_block(out.element_count() / window.out_size(), window, pool);
  });
}

void sliding_average(const Tensor& data, Tensor& out, const Window& window, bool exclude_pad) {
  const Spans spans = spans_of(window, sliding_spans);
  std::vector<std::int64_t> counts;
  for_each_position(1, spans, [&](auto, auto, const Span& z, const Span& y, const Span& x) {
    counts.push_back(exclude_pad ? z.count * y.count * x.count : z.counted * y.counted * x.counted);
  });
  visit_type(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    const auto pool = [&](std::int64_t plane, const WindowRuns& runs, std::int64_t first, std::int64_t count) {
      double sums[kPositions] = {};
      const T* source = in + plane * window.in_size();
      for (const WindowRun& run : runs.runs())
        runs.for_each_position(run,
                               [&](auto column, auto offset) { sums[column] += static_cast<double>(source[offset]); });
      for (std::int64_t i = 0; i < count; ++i)
        result[plane * window.out_size() + first + i] = mean<T>(sums[i], counts[static_cast<std::size_t>(first + i)]);
    };
    for_each_block(out.element_count() / window.out_size(), window, pool);
  });
}

}  // namespace

void average_pool(const Tensor& data, Tensor& out, const Window& window, bool exclude_pad) {
  if (out.element_count() > 0) sliding_average(data, out, window, exclude_pad);
}

Expected<void> max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window,
                        std::int64_t index_period) {
  if (out.element_count() == 0) return {};
  const Indices places(indices, std::max<std::int64_t>(index_period, 1));
  return with_comparable(data, out, [&](const Tensor& from, Tensor& to) { sliding_largest(from, to, places, window); });
}

void adaptive_average_pool(const Tensor& data, Tensor& out, const Window& window) {
  if (out.element_count() > 0) adaptive_average(data, out, window);
}

Expected<void> adaptive_max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window) {
  if (out.element_count() == 0) return {};
  const Indices places(indices, std::max<std::int64_t>(window.in_size(), 1));
  return with_comparable(data, out,
                         [&](const Tensor& from, Tensor& to) { adaptive_largest(from, to, places, window); });
}

}  // namespace mo::ops::reference
