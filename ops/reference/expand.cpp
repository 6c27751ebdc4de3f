#include "ops/reference/expand.hpp"

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {

void tile(const Tensor& data, Tensor& out) {
  if (out.element_count() == 0) return;
  // Each dimension is two: the repetitions, which do not advance in the data, and the data.
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  const std::size_t missing = out.shape().size() - data.shape().size();
  Shape shape;
  StridedView from;
  for (std::size_t d = 0; d < out.shape().size(); ++d) {
    const std::int64_t size = d < missing ? 1 : data.shape()[d - missing];
    shape.insert(shape.end(), {out.shape()[d] / size, size});
    from.strides.insert(from.strides.end(), {0, d < missing ? 0 : strides[d - missing]});
  }
  strided_copy(data, std::move(from), out, whole(shape), shape);
}

void stretch(const Tensor& data, const std::vector<std::size_t>& places, Tensor& out) {
  if (out.element_count() == 0) return;
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  StridedView from{0, std::vector<std::int64_t>(out.shape().size())};
  for (std::size_t d = 0; d < places.size(); ++d)
    if (data.shape()[d] != 1) from.strides[places[d]] = strides[d];
  strided_copy(data, std::move(from), out, whole(out.shape()), out.shape());
}

}  // namespace mo::ops::reference
