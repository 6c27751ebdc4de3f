#include "ops/reference/gather.hpp"

#include <algorithm>
#include <cstring>

#include "ops/reference/axis.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

std::int64_t product(const Shape& shape, std::size_t from, std::size_t to) {
  std::int64_t result = 1;
  for (std::size_t i = from; i < to; ++i) result *= shape[i];
  return result;
}

}  // namespace

void gather(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t axis, std::int64_t batch_dims,
            Tensor& out) {
  if (out.element_count() == 0) return;
  const AxisView view = view_axis(data.shape(), axis);
  const std::int64_t batches = product(data.shape(), 0, static_cast<std::size_t>(batch_dims));
  const std::int64_t outer = view.outer / batches;
  const std::int64_t picks = static_cast<std::int64_t>(indices.size()) / batches;
  visit_width(element_width(data.element_type()), [&]<class W>(W) {
    const W* from = words<W>(data);
    W* to = mutable_words<W>(out);
    for (std::int64_t b = 0; b < batches; ++b) {
      const std::int64_t* index = indices.data() + b * picks;
      for (std::int64_t o = 0; o < outer; ++o) {
        const W* block = from + (b * outer + o) * view.size * view.inner;
        if (view.inner == 1) {
          for (std::int64_t i = 0; i < picks; ++i) *to++ = block[index[i]];
          continue;
        }
        for (std::int64_t i = 0; i < picks; ++i, to += view.inner)
          std::memcpy(to, block + index[i] * view.inner, static_cast<std::size_t>(view.inner) * sizeof(W));
      }
    }
  });
}

void gather_elements(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t axis, Tensor& out) {
  if (out.element_count() == 0) return;
  const Shape& shape = out.shape();
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  const auto along = static_cast<std::size_t>(axis);
  visit_width(element_width(data.element_type()), [&]<class W>(W) {
    const W* from = words<W>(data);
    W* to = mutable_words<W>(out);
    const std::size_t inner = shape.size() - 1;
    const std::int64_t inner_step = inner == along ? 0 : strides[inner];
    std::vector<std::int64_t> place(inner);
    const std::int64_t* index = indices.data();
    while (true) {
      std::int64_t start = 0;
      for (std::size_t d = 0; d < inner; ++d)
        if (d != along) start += place[d] * strides[d];
      for (std::int64_t i = 0; i < shape[inner]; ++i) *to++ = from[start + i * inner_step + *index++ * strides[along]];
      std::size_t d = inner;
      while (d-- > 0) {
        if (++place[d] < shape[d]) break;
        place[d] = 0;
      }
      if (d == static_cast<std::size_t>(-1)) return;
    }
  });
}

void gather_nd(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t depth,
               std::int64_t batch_dims, Tensor& out) {
  if (out.element_count() == 0) return;
  const auto batch = static_cast<std::size_t>(batch_dims);
  const std::size_t last = batch + static_cast<std::size_t>(depth);
  const std::int64_t batches = product(data.shape(), 0, batch);
  const std::int64_t batch_size = product(data.shape(), batch, data.shape().size());
  const std::int64_t slice = product(data.shape(), last, data.shape().size());
  const std::int64_t tuples = out.element_count() / slice / batches;
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  visit_width(element_width(data.element_type()), [&]<class W>(W) {
    const W* from = words<W>(data);
    W* to = mutable_words<W>(out);
    const std::int64_t* index = indices.data();
    for (std::int64_t b = 0; b < batches; ++b)
      for (std::int64_t t = 0; t < tuples; ++t, to += slice) {
        std::int64_t start = b * batch_size;
        for (std::int64_t k = 0; k < depth; ++k) start += *index++ * strides[batch + static_cast<std::size_t>(k)];
        std::memcpy(to, from + start, static_cast<std::size_t>(slice) * sizeof(W));
      }
  });
}

}  // namespace mo::ops::reference
