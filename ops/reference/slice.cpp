#include "ops/reference/slice.hpp"

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

StridedView view_of(const Shape& shape, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& step,
                    const Shape& counts) {
  StridedView view{0, row_major_strides(shape)};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    view.offset += first[d] * view.strides[d];
    // The step of a single element is not walked, and may be as large as it likes.
    view.strides[d] = counts[d] > 1 ? view.strides[d] * step[d] : 0;
  }
  return view;
}

}  // namespace

void slice(const Tensor& data, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& step,
           const Shape& counts, Tensor& out) {
  if (out.element_count() == 0) return;
  strided_copy(data, view_of(data.shape(), first, step, counts), out, whole(counts), counts);
}

void slice_assign(const Tensor& updates, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& step,
                  const Shape& counts, Tensor& out) {
  if (updates.element_count() == 0) return;
  strided_copy(updates, whole(counts), out, view_of(out.shape(), first, step, counts), counts);
}

}  // namespace mo::ops::reference
