#include "ops/reference/compute.hpp"

namespace mo::ops::reference {

Expected<Tensor> to_compute(const Tensor& tensor) {
  const ElementType type = compute_type(tensor.element_type());
  if (type == tensor.element_type()) return tensor;
  if (bit_width(tensor.element_type()) == bit_width(type) && !is_real(type)) return tensor.reinterpreted(type);
  MO_ASSIGN(Tensor result, Tensor::allocate(type, tensor.shape()));
  visit_type(tensor.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto from = tensor.values<T>();
    const auto to = result.mutable_values<Compute<T>>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Compute<T>>(from[i]);
  });
  return result;
}

void from_compute(const Tensor& computed, Tensor& out) {
  visit_type(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto from = computed.values<Compute<T>>();
    const auto to = out.mutable_values<T>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(from[i]);
  });
}

}  // namespace mo::ops::reference
