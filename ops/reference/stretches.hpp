#pragma once

#include <algorithm>
#include <array>

#include "core/tensor/visit.hpp"
#include "ops/reference/broadcast.hpp"

/// Kernels with a loop for each kind of op would be compiled for 13 element types each. They are compiled for five
/// instead: elements of other types are converted a stretch at a time, on the way in and out, without loss.
namespace mo::ops::reference {

/// Calls `fn(std::type_identity<W>{})` with the type that elements of `type` are widened to: float for f16, bf16 and
/// f32; i32 for boolean (0 or 1), i8, i16, i32, u8 and u16; u64 for u32 and u64; i64 and f64 for themselves.
template <class Fn>
auto visit_widened_integer(ElementType type, Fn&& fn) {
  switch (type) {
    case ElementType::i64: return fn(std::type_identity<std::int64_t>{});
    case ElementType::u32:
    case ElementType::u64: return fn(std::type_identity<std::uint64_t>{});
    default: return fn(std::type_identity<std::int32_t>{});
  }
}
template <class Fn>
auto visit_widened(ElementType type, Fn&& fn) {
  if (type == ElementType::f64) return fn(std::type_identity<double>{});
  return is_real(type) ? fn(std::type_identity<float>{}) : visit_widened_integer(type, fn);
}

/// Elements that are converted at a time; a multiple of the lanes of fold_in_lanes.
inline constexpr std::int64_t kStretch = 512;

/// Reads the elements of a tensor, at least 8 bits wide, as W, which visit_widened names.
template <class W>
class WidenedElements {
 public:
  explicit WidenedElements(const Tensor& tensor)
      : type_(tensor.element_type()), bytes_(tensor.bytes().data()), is_wide_(type_ == element_type_of<W>) {}

  /// All elements where nothing has to be converted, otherwise null.
  const W* all() const { return is_wide_ ? reinterpret_cast<const W*>(bytes_) : nullptr; }

  /// The most elements that `read` gives at a time when there are `count`.
  std::int64_t stretch(std::int64_t count) const { return is_wide_ ? count : std::min(count, kStretch); }

  /// The elements first … first + count - 1. Valid until the next call.
  const W* read(std::int64_t first, std::int64_t count) {
    if (is_wide_) return reinterpret_cast<const W*>(bytes_) + first;
    convert(first, count);
    return converted_.data();
  }

 private:
  void convert(std::int64_t first, std::int64_t count);

  ElementType type_;
  const std::byte* bytes_;
  bool is_wide_;
  std::array<W, kStretch> converted_;
};

/// Writes elements of type W to a tensor: integers are cut to their lowest bits, reals are rounded.
template <class W>
class NarrowedElements {
 public:
  explicit NarrowedElements(Tensor& tensor)
      : type_(tensor.element_type()), bytes_(tensor.mutable_bytes().data()), is_wide_(type_ == element_type_of<W>) {}

  /// Where to put the elements from `first` on, at most kStretch unless WidenedElements gives more.
  W* place(std::int64_t first) { return is_wide_ ? reinterpret_cast<W*>(bytes_) + first : converted_.data(); }
  /// Stores what was put there.
  void store(std::int64_t first, std::int64_t count) {
    if (!is_wide_) convert(first, count);
  }

 private:
  void convert(std::int64_t first, std::int64_t count);

  ElementType type_;
  std::byte* bytes_;
  bool is_wide_;
  std::array<W, kStretch> converted_;
};

/// Neighbouring elements of the output, and the operands they are computed from: as many, or one for all.
template <class W>
struct PairStretch {
  const W* a;
  const W* b;
  bool a_moves;
  bool b_moves;
  std::int64_t first;  ///< in the output
  std::int64_t count;
};

/// out[i] = fn(a[i], b[i]) for all elements of a stretch.
template <class W, class Out, class Fn>
void map_pairs(PairStretch<W> s, Out* out, Fn fn) {  // a copy of `s`: `out` cannot alias it
  const W* a = s.a;
  const W* b = s.b;
  if (s.a_moves && s.b_moves) {
    for (std::int64_t i = 0; i < s.count; ++i) out[i] = fn(a[i], b[i]);
  } else if (s.a_moves) {
    const W fixed = *b;
    for (std::int64_t i = 0; i < s.count; ++i) out[i] = fn(a[i], fixed);
  } else if (s.b_moves) {
    const W fixed = *a;
    for (std::int64_t i = 0; i < s.count; ++i) out[i] = fn(fixed, b[i]);
  } else {
    const Out result = fn(*a, *b);
    for (std::int64_t i = 0; i < s.count; ++i) out[i] = result;
  }
}

/// Calls `fn(const PairStretch<W>&)` for all stretches of the output of two operands under numpy broadcasting.
template <class W, class Fn>
void for_each_pair_stretch(const Tensor& a, const Tensor& b, const Shape& out, Fn fn) {
  if (element_count(out).value_or(0) == 0) return;
  const BroadcastPlan plan = plan_broadcast(out, {&a.shape(), &b.shape()});
  const bool a_moves = plan.advances(0);
  const bool b_moves = plan.advances(1);
  WidenedElements<W> x(a);
  WidenedElements<W> y(b);
  const W* const all_a = x.all();
  const W* const all_b = y.all();
  for_each_row<2>(plan, [&](std::int64_t start, const std::array<std::int64_t, 2>& at, std::int64_t length) {
    for (std::int64_t done = 0; done < length;) {
      const std::int64_t count = all_a ? length : std::min(length - done, kStretch);
      const std::int64_t i = a_moves ? at[0] + done : at[0];
      const std::int64_t j = b_moves ? at[1] + done : at[1];
      fn(PairStretch<W>{all_a ? all_a + i : x.read(i, a_moves ? count : 1),
                        all_b ? all_b + j : y.read(j, b_moves ? count : 1), a_moves, b_moves, start + done, count});
      done += count;
    }
  });
}

}  // namespace mo::ops::reference
