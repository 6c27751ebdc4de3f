#include "ops/reference/bitwise.hpp"

#include <algorithm>

#include "ops/reference/logical.hpp"
#include "ops/reference/number.hpp"
#include "ops/reference/stretches.hpp"

namespace mo::ops::reference {
namespace {

template <class W>
W shift_left(W x, W by, W bits) {
  return by >= bits ? W(0) : static_cast<W>(static_cast<Wrapping<W>>(x) << static_cast<unsigned>(by));
}

template <class W>
W shift_right(W x, W by, W bits) {
  return by >= bits ? static_cast<W>(x < 0 ? -1 : 0) : static_cast<W>(x >> static_cast<unsigned>(by));
}

/// Integers are computed sign-extended; the lowest bits are those of the narrower type, which has `bits`.
template <class W>
void bitwise(BitwiseKind kind, const PairStretch<W>& s, W bits, W* out) {
  switch (kind) {
    case BitwiseKind::and_: return map_pairs(s, out, [](W x, W y) { return x & y; });
    case BitwiseKind::or_: return map_pairs(s, out, [](W x, W y) { return x | y; });
    case BitwiseKind::xor_: return map_pairs(s, out, [](W x, W y) { return x ^ y; });
    case BitwiseKind::left_shift: return map_pairs(s, out, [bits](W x, W y) { return shift_left(x, y, bits); });
    case BitwiseKind::right_shift: return map_pairs(s, out, [bits](W x, W y) { return shift_right(x, y, bits); });
  }
}

template <class W>
bool any_negative(const Tensor& tensor) {
  WidenedElements<W> elements(tensor);
  for (std::int64_t first = 0; first < tensor.element_count();) {
    const std::int64_t count = elements.stretch(tensor.element_count() - first);
    const W* element = elements.read(first, count);
    if (std::any_of(element, element + count, [](W each) { return each < 0; })) return true;
    first += count;
  }
  return false;
}

}  // namespace

bool bitwise_binary(BitwiseKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  if (a.element_type() == ElementType::boolean) {
    MO_ASSERT(kind <= BitwiseKind::xor_, "booleans are not shifted");
    logical_binary(kind == BitwiseKind::and_  ? LogicalKind::and_
                   : kind == BitwiseKind::or_ ? LogicalKind::or_
                                              : LogicalKind::xor_,
                   a, b, out);
    return true;
  }
  return visit_widened_integer(a.element_type(), [&]<class W>(std::type_identity<W>) {
    const bool shifts = kind == BitwiseKind::left_shift || kind == BitwiseKind::right_shift;
    if (shifts && out.element_count() != 0 && any_negative<W>(b)) return false;
    NarrowedElements<W> results(out);
    for_each_pair_stretch<W>(a, b, out.shape(), [&](const PairStretch<W>& stretch) {
      bitwise(kind, stretch, static_cast<W>(bit_width(a.element_type())), results.place(stretch.first));
      results.store(stretch.first, stretch.count);
    });
    return true;
  });
}

void bitwise_not(const Tensor& in, Tensor& out) {
  if (in.element_type() == ElementType::boolean) return logical_not(in, out);
  map_integer(in, out, []<class T>(T x) { return static_cast<T>(~x); });
}

}  // namespace mo::ops::reference
