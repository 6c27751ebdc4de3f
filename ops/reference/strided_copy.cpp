#include "ops/reference/strided_copy.hpp"

#include <algorithm>
#include <cstring>

namespace mo::ops::reference {
namespace {

struct Axis {
  std::int64_t size;
  std::int64_t from;
  std::int64_t to;
};

/// Without dimensions of size 1, and with neighbours that both operands walk in one go merged. Never empty.
std::vector<Axis> merged_axes(const Shape& shape, const StridedView& from, const StridedView& to) {
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Axis axis{shape[d], from.strides[d], to.strides[d]};
    if (axis.size == 1) continue;
    if (!axes.empty() && axes.back().from == axis.from * axis.size && axes.back().to == axis.to * axis.size)
      axes.back() = {axes.back().size * axis.size, axis.from, axis.to};
    else
      axes.push_back(axis);
  }
  if (axes.empty()) axes.push_back({1, 1, 1});
  return axes;
}

template <class W>
void copy_row(const W* from, W* to, const Axis& axis) {
  if (axis.from == 1 && axis.to == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(axis.size) * sizeof(W));
  } else if (axis.from == 0 && axis.to == 1) {
    std::fill_n(to, axis.size, *from);
  } else {
    for (std::int64_t i = 0; i < axis.size; ++i) to[i * axis.to] = from[i * axis.from];
  }
}

/// Reads along `read` (packed in the source) and writes along `write` (packed in the destination), square by square.
template <class W>
void copy_transposed(const W* from, W* to, const Axis& read, const Axis& write) {
  constexpr std::int64_t kSide = 32;
  for (std::int64_t r = 0; r < read.size; r += kSide)
    for (std::int64_t w = 0; w < write.size; w += kSide) {
      const std::int64_t r_end = std::min(r + kSide, read.size);
      const std::int64_t w_end = std::min(w + kSide, write.size);
      for (std::int64_t i = r; i < r_end; ++i)
        for (std::int64_t j = w; j < w_end; ++j) to[i * read.to + j * write.to] = from[i * read.from + j * write.from];
    }
}

/// Calls `fn(from_offset, to_offset)` for every index of `axes`.
template <class Fn>
void for_each_index(const std::vector<Axis>& axes, Fn fn) {
  std::vector<std::int64_t> index(axes.size());
  std::int64_t from = 0;
  std::int64_t to = 0;
  while (true) {
    fn(from, to);
    std::size_t d = axes.size();
    while (d-- > 0) {
      if (++index[d] < axes[d].size) {
        from += axes[d].from;
        to += axes[d].to;
        break;
      }
      index[d] = 0;
      from -= axes[d].from * (axes[d].size - 1);
      to -= axes[d].to * (axes[d].size - 1);
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace

std::int64_t element_width(ElementType type) {
  const std::size_t bits = bit_width(type);
  MO_ASSERT(bits >= 8 && bits % 8 == 0, "a kernel moves whole bytes");
  return static_cast<std::int64_t>(bits / 8);
}

std::vector<std::int64_t> row_major_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<std::int64_t>(shape[d], 1);
  return strides;
}

void strided_copy(const Tensor& from, StridedView from_view, Tensor& to, StridedView to_view, Shape shape) {
  if (element_count(shape).value_or(0) == 0) return;
  std::vector<Axis> axes = merged_axes(shape, from_view, to_view);
  const Axis inner = axes.back();
  axes.pop_back();
  // The dimension that is packed in the source, when that is not the one that is packed in the destination.
  const auto packed = inner.to == 1 && inner.from != 1
                          ? std::find_if(axes.begin(), axes.end(), [](const Axis& a) { return a.from == 1; })
                          : axes.end();
  visit_width(element_width(from.element_type()), [&]<class W>(W) {
    const W* source = words<W>(from) + from_view.offset;
    W* target = mutable_words<W>(to) + to_view.offset;
    if (packed != axes.end()) {
      const Axis read = *packed;
      axes.erase(packed);
      for_each_index(axes,
                     [&](std::int64_t f, std::int64_t t) { copy_transposed(source + f, target + t, read, inner); });
    } else {
      for_each_index(axes, [&](std::int64_t f, std::int64_t t) { copy_row(source + f, target + t, inner); });
    }
  });
}

void copy_all(const Tensor& from, Tensor& to) {
  if (from.byte_size() > 0) std::memcpy(to.mutable_bytes().data(), from.bytes().data(), from.byte_size());
}

}  // namespace mo::ops::reference
