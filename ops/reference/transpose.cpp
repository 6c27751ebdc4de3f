#include "ops/reference/transpose.hpp"

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {

void transpose(const Tensor& data, const std::vector<std::int64_t>& order, Tensor& out) {
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  StridedView from{0, {}};
  for (const std::int64_t axis : order) from.strides.push_back(strides[static_cast<std::size_t>(axis)]);
  strided_copy(data, std::move(from), out, whole(out.shape()), out.shape());
}

}  // namespace mo::ops::reference
