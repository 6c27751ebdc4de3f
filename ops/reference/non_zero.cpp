#include "ops/reference/non_zero.hpp"

#include <algorithm>

#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// Calls `fn` with the type to read elements in: booleans are bytes, of which every value but 0 is true.
template <class Fn>
auto visit_bytes_or_number(ElementType type, Fn&& fn) {
  return type == ElementType::boolean ? fn(std::type_identity<std::uint8_t>{}) : visit_number(type, fn);
}

template <class Index>
void write_places(const std::vector<std::int64_t>& found, const Shape& shape, Tensor& out) {
  const auto to = out.mutable_values<Index>();
  const std::size_t count = found.size();
  std::int64_t divisor = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    for (std::size_t i = 0; i < count; ++i) to[d * count + i] = static_cast<Index>(found[i] / divisor % shape[d]);
    divisor *= shape[d];
  }
}

}  // namespace

Expected<Tensor> non_zero(const Tensor& data, ElementType index_type) {
  std::vector<std::int64_t> found;
  visit_bytes_or_number(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = reinterpret_cast<const T*>(data.bytes().data());
    for (std::int64_t i = 0; i < data.element_count(); ++i)
      if (from[i] != static_cast<T>(0)) found.push_back(i);
  });
  MO_ASSIGN(Tensor out, Tensor::allocate(index_type, {data.rank(), static_cast<std::int64_t>(found.size())}));
  if (found.empty()) return out;
  if (index_type == ElementType::i32)
    write_places<std::int32_t>(found, data.shape(), out);
  else
    write_places<std::int64_t>(found, data.shape(), out);
  return out;
}

}  // namespace mo::ops::reference
