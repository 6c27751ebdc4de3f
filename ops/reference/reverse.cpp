#include "ops/reference/reverse.hpp"

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {

void reverse(const Tensor& data, const std::vector<bool>& backwards, Tensor& out) {
  if (data.element_count() == 0) return;
  StridedView from = whole(data.shape());
  for (std::size_t d = 0; d < backwards.size(); ++d) {
    if (!backwards[d]) continue;
    from.offset += (data.shape()[d] - 1) * from.strides[d];
    from.strides[d] = -from.strides[d];
  }
  strided_copy(data, std::move(from), out, whole(out.shape()), out.shape());
}

void reverse_sequences(const Tensor& data, const std::vector<std::int64_t>& lengths, std::int64_t batch_axis,
                       std::int64_t axis, Tensor& out) {
  if (data.element_count() == 0) return;
  copy_all(data, out);
  const auto batch = static_cast<std::size_t>(batch_axis);
  const auto along = static_cast<std::size_t>(axis);
  Shape shape = data.shape();
  shape[batch] = 1;
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    if (lengths[b] < 2) continue;
    shape[along] = lengths[b];
    StridedView to = whole(out.shape());
    to.offset = static_cast<std::int64_t>(b) * to.strides[batch];
    StridedView from = to;
    from.offset += (lengths[b] - 1) * from.strides[along];
    from.strides[along] = -from.strides[along];
    strided_copy(data, std::move(from), out, std::move(to), shape);
  }
}

}  // namespace mo::ops::reference
