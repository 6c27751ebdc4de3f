#include "ops/reference/compute.hpp"

namespace mo::ops::reference {

Expected<Tensor> to_compute(const Tensor& tensor) {
  const ElementType type = compute_type(tensor.element_type());
  if (type == tensor.element_type()) return tensor;
  if (tensor.element_type() == ElementType::i64) return tensor.reinterpreted(ElementType::u64);
  MO_ASSIGN(Tensor result, Tensor::allocate(type, tensor.shape()));
  visit_type(tensor.element_type(), [&]<class T>(std::type_identity<T>) {
    using C = std::conditional_t<std::is_integral_v<T>, std::uint64_t, Accumulator<T>>;
    const auto from = tensor.values<T>();
    const auto to = result.mutable_values<C>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<C>(from[i]);
  });
  return result;
}

void from_compute(const Tensor& computed, Tensor& out) {
  visit_type(out.element_type(), [&]<class T>(std::type_identity<T>) {
    using C = std::conditional_t<std::is_integral_v<T>, std::uint64_t, Accumulator<T>>;
    const auto from = computed.values<C>();
    const auto to = out.mutable_values<T>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(from[i]);
  });
}

}  // namespace mo::ops::reference
