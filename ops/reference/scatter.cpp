#include "ops/reference/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ops/reference/axis.hpp"
#include "ops/reference/number.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

/// A boolean as it is stored: every byte but 0 is true.
struct Flag {
  std::uint8_t byte;
};

/// Calls `fn` with the type in which elements are reduced.
template <class Fn>
void visit_reduced(ElementType type, Fn&& fn) {
  if (type == ElementType::boolean)
    fn(std::type_identity<Flag>{});
  else
    visit_number(type, fn);
}

/// a reduced with b; booleans: sum and max are "or", the others "and". NaN wins in min and max.
template <class T>
T reduce(ScatterReduction reduction, T a, T b) {
  if constexpr (std::is_same_v<T, Flag>) {
    const bool either = reduction == ScatterReduction::sum || reduction == ScatterReduction::max;
    const bool x = a.byte != 0;
    const bool y = b.byte != 0;
    return {static_cast<std::uint8_t>(either ? x || y : x && y)};
  } else {
    using C = Computed<T>;
    const C x = static_cast<C>(a);
    const C y = static_cast<C>(b);
    switch (reduction) {
      case ScatterReduction::none: return b;
      case ScatterReduction::sum:
      case ScatterReduction::mean: return static_cast<T>(wrapping_add(x, y));
      case ScatterReduction::sub: return static_cast<T>(wrapping_subtract(x, y));
      case ScatterReduction::prod: return static_cast<T>(wrapping_multiply(x, y));
      case ScatterReduction::min: return y < x || y != y ? b : a;
      case ScatterReduction::max: return y > x || y != y ? b : a;
    }
    return b;
  }
}

/// What a reduction leaves of `x` in reduce(neutral, x).
template <class T>
T neutral(ScatterReduction reduction) {
  if constexpr (std::is_same_v<T, Flag>) {
    return {static_cast<std::uint8_t>(reduction == ScatterReduction::prod || reduction == ScatterReduction::min)};
  } else {
    using Limits = std::numeric_limits<T>;
    switch (reduction) {
      case ScatterReduction::prod: return static_cast<T>(1);
      case ScatterReduction::min: return Limits::has_infinity ? Limits::infinity() : Limits::max();
      case ScatterReduction::max: return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
      default: return static_cast<T>(0);
    }
  }
}

template <class T>
T divided(T sum, std::int64_t count) {
  if constexpr (std::is_same_v<T, Flag>) {
    return sum;
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_unsigned_v<T>)
      return static_cast<T>(static_cast<std::uint64_t>(sum) / static_cast<std::uint64_t>(count));
    const auto wide = static_cast<std::int64_t>(sum);
    return static_cast<T>(wide / count - (wide % count < 0 ? 1 : 0));
  } else {
    return static_cast<T>(static_cast<Accumulator<T>>(sum) / static_cast<Accumulator<T>>(count));
  }
}

/// Calls `fn(update, target)` with places in `updates` and `out` for every index.
template <class Fn>
void for_each_update(const Shape& shape, const std::vector<std::int64_t>& indices, std::size_t axis,
                     const Shape& out_shape, Fn fn) {
  const std::vector<std::int64_t> strides = row_major_strides(out_shape);
  std::vector<std::int64_t> place(shape.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::int64_t target = indices[i] * strides[axis];
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (d != axis) target += place[d] * strides[d];
    fn(i, static_cast<std::size_t>(target));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++place[d] < shape[d]) break;
      place[d] = 0;
    }
  }
}

}  // namespace

bool can_reduce(ScatterReduction reduction, ElementType type) {
  if (reduction == ScatterReduction::none) return true;
  if (type == ElementType::boolean) return reduction != ScatterReduction::sub && reduction != ScatterReduction::mean;
  return is_real(type) || (is_integral(type) && bit_width(type) >= 8);
}

void scatter_slices(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t axis, Tensor& out) {
  if (updates.element_count() == 0) return;
  const AxisView view = view_axis(out.shape(), axis);
  const std::int64_t slice = view.inner * element_width(out.element_type());
  const std::byte* from = updates.bytes().data();
  std::byte* to = out.mutable_bytes().data();
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (const std::int64_t index : indices) {
      std::memcpy(to + (o * view.size + index) * slice, from, static_cast<std::size_t>(slice));
      from += slice;
    }
}

Expected<void> scatter_elements(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t axis,
                                ScatterReduction reduction, bool use_init, Tensor& out) {
  if (updates.element_count() == 0) return {};
  const auto along = static_cast<std::size_t>(axis);
  const Shape shape = updates.shape();
  const Shape out_shape = out.shape();
  if (reduction == ScatterReduction::none) {
    visit_width(element_width(out.element_type()), [&]<class W>(W) {
      const W* from = words<W>(updates);
      W* to = mutable_words<W>(out);
      for_each_update(shape, indices, along, out_shape, [&](std::size_t i, std::size_t t) { to[t] = from[i]; });
    });
    return {};
  }
  Tensor counts;
  if (reduction == ScatterReduction::mean) { MO_ASSIGN(counts, Tensor::allocate(ElementType::i64, out_shape)); }
  visit_reduced(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = words<T>(updates);
    T* to = mutable_words<T>(out);
    if (!use_init)
      for_each_update(shape, indices, along, out_shape,
                      [&](std::size_t, std::size_t t) { to[t] = neutral<T>(reduction); });
    for_each_update(shape, indices, along, out_shape,
                    [&](std::size_t i, std::size_t t) { to[t] = reduce<T>(reduction, to[t], from[i]); });
    if (reduction != ScatterReduction::mean) return;
    const auto count = counts.mutable_values<std::int64_t>();
    for_each_update(shape, indices, along, out_shape, [&](std::size_t, std::size_t t) { ++count[t]; });
    for (std::size_t t = 0; t < count.size(); ++t)
      if (count[t] > 0) to[t] = divided<T>(to[t], count[t] + (use_init ? 1 : 0));
  });
  return {};
}

void scatter_nd(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t depth,
                ScatterReduction reduction, Tensor& out) {
  if (updates.element_count() == 0) return;
  const std::vector<std::int64_t> strides = row_major_strides(out.shape());
  std::int64_t slice = 1;
  for (std::size_t d = static_cast<std::size_t>(depth); d < out.shape().size(); ++d) slice *= out.shape()[d];
  const std::int64_t tuples = updates.element_count() / slice;
  const auto start = [&](std::int64_t tuple) {
    std::int64_t place = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      place += indices[static_cast<std::size_t>(tuple * depth + k)] * strides[static_cast<std::size_t>(k)];
    return place;
  };
  if (reduction == ScatterReduction::none) {
    const std::int64_t width = element_width(out.element_type());
    const std::byte* from = updates.bytes().data();
    std::byte* to = out.mutable_bytes().data();
    for (std::int64_t t = 0; t < tuples; ++t)
      std::memcpy(to + start(t) * width, from + t * slice * width, static_cast<std::size_t>(slice * width));
    return;
  }
  visit_reduced(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = words<T>(updates);
    T* to = mutable_words<T>(out);
    for (std::int64_t t = 0; t < tuples; ++t) {
      T* target = to + start(t);
      for (std::int64_t i = 0; i < slice; ++i) target[i] = reduce<T>(reduction, target[i], *from++);
    }
  });
}

}  // namespace mo::ops::reference
