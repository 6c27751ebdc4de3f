#include "ops/reference/order.hpp"

#include <bit>

namespace mo::ops::reference {
namespace {

template <class T>
std::int64_t order_key(T value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return static_cast<std::int64_t>(value ^ (std::uint64_t{1} << 63U));
  } else if constexpr (std::is_integral_v<T>) {
    return value;
  } else {
    using A = Accumulator<T>;
    using Bits = std::conditional_t<sizeof(A) == 4, std::int32_t, std::int64_t>;
    const auto number = static_cast<A>(value);
    // The bits of positive numbers are in order, those of negative ones in the opposite order. -0.0 + 0.0 is 0.0.
    const auto bits = std::bit_cast<Bits>(number + A(0));
    const Bits ordered = bits ^ ((bits >> (sizeof(Bits) * 8 - 1)) & std::numeric_limits<Bits>::max());
    return number != number ? std::numeric_limits<Bits>::max() : ordered;
  }
}

}  // namespace

void order_keys(const Tensor& tensor, std::int64_t from, std::int64_t rows, std::int64_t step, std::int64_t columns,
                std::int64_t* keys) {
  const auto convert = [&]<class T>(std::type_identity<T>) {
    const T* element = reinterpret_cast<const T*>(tensor.bytes().data()) + from;
    for (std::int64_t r = 0; r < rows; ++r, element += step)
      for (std::int64_t c = 0; c < columns; ++c) *keys++ = order_key(element[c]);
  };
  if (tensor.element_type() == ElementType::boolean)
    convert(std::type_identity<std::uint8_t>{});
  else
    visit_number(tensor.element_type(), convert);
}

}  // namespace mo::ops::reference
