#include "ops/reference/select.hpp"

#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"
#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

template <class T>
void select_elements(const Tensor& condition, const T* then, const Shape& then_shape, const T* otherwise,
                     const Shape& otherwise_shape, T* out, const Shape& shape) {
  if (element_count(shape).value_or(0) == 0) return;
  const BroadcastPlan plan = plan_broadcast(shape, {&condition.shape(), &then_shape, &otherwise_shape});
  const std::uint8_t* truth = boolean_bytes(condition);
  const std::int64_t condition_step = plan.strides[0].back();
  const std::int64_t then_step = plan.strides[1].back();
  const std::int64_t otherwise_step = plan.strides[2].back();
  for_each_row<3>(plan, [&](std::int64_t start, const std::array<std::int64_t, 3>& at, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i)
      out[start + i] =
          truth[at[0] + i * condition_step] != 0 ? then[at[1] + i * then_step] : otherwise[at[2] + i * otherwise_step];
  });
}

/// Elements of equal width move alike, whatever they mean.
template <class T>
Expected<Tensor> select_bits(const Tensor& condition, const Tensor& then, const Tensor& otherwise, const Shape& shape) {
  MO_ASSIGN(Tensor out, Tensor::allocate(then.element_type(), shape));
  select_elements(condition, reinterpret_cast<const T*>(then.bytes().data()), then.shape(),
                  reinterpret_cast<const T*>(otherwise.bytes().data()), otherwise.shape(),
                  reinterpret_cast<T*>(out.mutable_bytes().data()), shape);
  return out;
}

}  // namespace

Expected<Tensor> select(const Tensor& condition, const Tensor& then, const Tensor& otherwise, const Shape& shape) {
  switch (const ElementType type = then.element_type(); bit_width(type)) {
    case 8: return select_bits<std::uint8_t>(condition, then, otherwise, shape);
    case 16: return select_bits<std::uint16_t>(condition, then, otherwise, shape);
    case 32: return select_bits<std::uint32_t>(condition, then, otherwise, shape);
    case 64: return select_bits<std::uint64_t>(condition, then, otherwise, shape);
    case 0: {
      MO_ASSIGN(const std::vector<std::string> x, to_strings(then));
      MO_ASSIGN(const std::vector<std::string> y, to_strings(otherwise));
      std::vector<std::string> out(static_cast<std::size_t>(element_count(shape).value_or(0)));
      select_elements(condition, x.data(), then.shape(), y.data(), otherwise.shape(), out.data(), shape);
      return from_strings(shape, out);
    }
    default: {  // packed below 8 bits
      MO_ASSIGN(const Tensor x, unpacked_patterns(then));
      MO_ASSIGN(const Tensor y, unpacked_patterns(otherwise));
      MO_ASSIGN(const Tensor out, select_bits<std::uint8_t>(condition, x, y, shape));
      return packed_patterns(out, type);
    }
  }
}

}  // namespace mo::ops::reference
