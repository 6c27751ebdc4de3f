#include "core/tensor/permute.hpp"

#include <algorithm>
#include <numeric>

namespace mo {
namespace {

/// Copies elements of `N` bytes in the order of the result; the innermost
/// dimension is a plain loop.
template <std::size_t N>
void gather(const std::byte* from, const std::vector<std::int64_t>& steps, const Shape& shape, std::byte* to) {
  const std::size_t last = shape.size() - 1;
  std::vector<std::int64_t> index(shape.size());
  std::int64_t offset = 0;
  for (;;) {
    for (std::int64_t i = 0; i < shape[last]; ++i, to += N)
      std::memcpy(to, from + (offset + i * steps[last]) * static_cast<std::int64_t>(N), N);
    std::size_t d = last;
    for (;;) {
      if (d == 0) return;
      --d;
      offset += steps[d];
      if (++index[d] < shape[d]) break;
      offset -= index[d] * steps[d];
      index[d] = 0;
    }
  }
}

}  // namespace

std::vector<std::int64_t> order_to_channels_first(std::size_t rank) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank >= 3) std::rotate(order.begin() + 1, order.end() - 1, order.end());
  return order;
}

std::vector<std::int64_t> order_to_channels_last(std::size_t rank) {
  return inverse_order(order_to_channels_first(rank));
}

bool is_identity_order(const std::vector<std::int64_t>& order) { return std::is_sorted(order.begin(), order.end()); }

std::vector<std::int64_t> inverse_order(const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

PartialShape permuted(const PartialShape& shape, const std::vector<std::int64_t>& order) {
  if (!shape.has_rank()) return shape;
  MO_ASSERT(shape.size() == order.size(), "an order for another rank");
  PartialShape result = shape;
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = shape[static_cast<std::size_t>(order[i])];
  return result;
}

Expected<Tensor> permuted(const Tensor& tensor, const std::vector<std::int64_t>& order) {
  MO_ASSERT(tensor.shape().size() == order.size(), "an order for another rank");
  const std::size_t bits = bit_width(tensor.element_type());
  if (bits < 8)
    return error("MO-EXEC-0005", "elements of type {} cannot be permuted here", to_string(tensor.element_type()))
        .hint("convert the tensor to a type with whole bytes first");
  MO_ASSIGN(const Tensor loaded, tensor.load());
  Shape shape(order.size());
  std::vector<std::int64_t> strides(order.size(), 1);
  for (std::size_t d = order.size(); d-- > 1;) strides[d - 1] = strides[d] * loaded.shape()[d];
  std::vector<std::int64_t> steps(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    shape[i] = loaded.shape()[static_cast<std::size_t>(order[i])];
    steps[i] = strides[static_cast<std::size_t>(order[i])];
  }
  MO_ASSIGN(Tensor result, Tensor::allocate(loaded.element_type(), shape));
  if (loaded.element_count() == 0) return result;
  const std::byte* from = loaded.bytes().data();
  std::byte* to = result.mutable_bytes().data();
  if (shape.empty())
    std::memcpy(to, from, bits / 8);
  else if (bits == 8)
    gather<1>(from, steps, shape, to);
  else if (bits == 16)
    gather<2>(from, steps, shape, to);
  else if (bits == 32)
    gather<4>(from, steps, shape, to);
  else
    gather<8>(from, steps, shape, to);
  return result;
}

}  // namespace mo
