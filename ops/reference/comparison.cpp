#include "ops/reference/comparison.hpp"

#include "core/tensor/convert.hpp"
#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

template <class T>
void compare_elements(ComparisonKind kind, const T* a, const Shape& a_shape, const T* b, const Shape& b_shape,
                      Tensor& out) {
  const auto walk = [&](auto holds) {
    broadcast_binary(a, a_shape, b, b_shape, mutable_boolean_bytes(out), out.shape(),
                     [holds](const T& x, const T& y) { return static_cast<std::uint8_t>(holds(x, y)); });
  };
  switch (kind) {
    case ComparisonKind::equal: return walk([](const T& x, const T& y) { return x == y; });
    case ComparisonKind::not_equal: return walk([](const T& x, const T& y) { return x != y; });
    case ComparisonKind::greater: return walk([](const T& x, const T& y) { return x > y; });
    case ComparisonKind::greater_equal: return walk([](const T& x, const T& y) { return x >= y; });
    case ComparisonKind::less: return walk([](const T& x, const T& y) { return x < y; });
    case ComparisonKind::less_equal: return walk([](const T& x, const T& y) { return x <= y; });
  }
}

/// A truth value in a byte that may hold anything but 0 for true.
struct Truth {
  std::uint8_t byte;
  friend auto operator<=>(Truth a, Truth b) { return (a.byte != 0) <=> (b.byte != 0); }
  friend bool operator==(Truth a, Truth b) { return (a.byte != 0) == (b.byte != 0); }
};
static_assert(sizeof(Truth) == 1);

}  // namespace

Expected<void> compare(ComparisonKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  const ElementType type = a.element_type();
  if (type == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> x, to_strings(a));
    MO_ASSIGN(const std::vector<std::string> y, to_strings(b));
    compare_elements(kind, x.data(), a.shape(), y.data(), b.shape(), out);
  } else if (type == ElementType::boolean) {
    compare_elements(kind, reinterpret_cast<const Truth*>(boolean_bytes(a)), a.shape(),
                     reinterpret_cast<const Truth*>(boolean_bytes(b)), b.shape(), out);
  } else if (is_small_real(type)) {
    MO_ASSIGN(const Tensor x, convert(a, ElementType::f32));
    MO_ASSIGN(const Tensor y, convert(b, ElementType::f32));
    return compare(kind, x, y, out);
  } else if (bit_width(type) < 8) {
    MO_ASSIGN(const Tensor x, convert(a, ElementType::i8));
    MO_ASSIGN(const Tensor y, convert(b, ElementType::i8));
    return compare(kind, x, y, out);
  } else {
    visit_number(type, [&]<class T>(std::type_identity<T>) {
      compare_elements(kind, a.values<T>().data(), a.shape(), b.values<T>().data(), b.shape(), out);
    });
  }
  return {};
}

}  // namespace mo::ops::reference
