#include "ops/reference/bitwise.hpp"

#include "ops/reference/broadcast.hpp"
#include "ops/reference/logical.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

template <class T, class Fn>
void bitwise_loop(const Tensor& a, const Tensor& b, Tensor& out, Fn fn) {
  broadcast_binary(a.values<T>().data(), a.shape(), b.values<T>().data(), b.shape(), out.mutable_values<T>().data(),
                   out.shape(), [fn](T x, T y) { return static_cast<T>(fn(x, y)); });
}

template <class T>
bool shift_is_out(T by) {
  return static_cast<std::make_unsigned_t<T>>(by) >= sizeof(T) * 8;
}

template <class T>
T shift_left(T x, T by) {
  return shift_is_out(by) ? T(0) : static_cast<T>(static_cast<Wrapping<T>>(x) << static_cast<unsigned>(by));
}

template <class T>
T shift_right(T x, T by) {
  return shift_is_out(by) ? static_cast<T>(x < 0 ? -1 : 0) : static_cast<T>(x >> static_cast<unsigned>(by));
}

template <class T>
bool bitwise_integers(BitwiseKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  switch (kind) {
    case BitwiseKind::and_: bitwise_loop<T>(a, b, out, [](T x, T y) { return x & y; }); return true;
    case BitwiseKind::or_: bitwise_loop<T>(a, b, out, [](T x, T y) { return x | y; }); return true;
    case BitwiseKind::xor_: bitwise_loop<T>(a, b, out, [](T x, T y) { return x ^ y; }); return true;
    case BitwiseKind::left_shift:
    case BitwiseKind::right_shift: break;
  }
  if (out.element_count() == 0) return true;
  for (const T by : b.values<T>())
    if (by < 0) return false;
  if (kind == BitwiseKind::left_shift)
    bitwise_loop<T>(a, b, out, [](T x, T y) { return shift_left(x, y); });
  else
    bitwise_loop<T>(a, b, out, [](T x, T y) { return shift_right(x, y); });
  return true;
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
  return visit_integer(a.element_type(),
                       [&]<class T>(std::type_identity<T>) { return bitwise_integers<T>(kind, a, b, out); });
}

void bitwise_not(const Tensor& in, Tensor& out) {
  if (in.element_type() == ElementType::boolean) return logical_not(in, out);
  map_integer(in, out, []<class T>(T x) { return static_cast<T>(~x); });
}

}  // namespace mo::ops::reference
