#include "ops/reference/concat.hpp"

#include <cstring>

#include "ops/reference/axis.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

/// Copies `outer` blocks of `block` bytes; the blocks of the operands lie `from_step` and `to_step` bytes apart.
void copy_blocks(const std::byte* from, std::int64_t from_step, std::byte* to, std::int64_t to_step, std::int64_t block,
                 std::int64_t outer) {
  if (block == 0) return;
  for (std::int64_t o = 0; o < outer; ++o)
    std::memcpy(to + o * to_step, from + o * from_step, static_cast<std::size_t>(block));
}

}  // namespace

void concat(const std::vector<const Tensor*>& parts, std::int64_t axis, Tensor& out) {
  if (out.element_count() == 0) return;
  const AxisView view = view_axis(out.shape(), axis);
  const std::int64_t slice = view.inner * element_width(out.element_type());
  std::byte* to = out.mutable_bytes().data();
  for (const Tensor* part : parts) {
    const std::int64_t block = part->shape()[static_cast<std::size_t>(axis)] * slice;
    copy_blocks(part->bytes().data(), block, to, view.size * slice, block, view.outer);
    to += block;
  }
}

void split(const Tensor& data, std::int64_t axis, const std::vector<std::int64_t>& lengths,
           const std::vector<Tensor*>& parts) {
  if (data.element_count() == 0) return;
  const AxisView view = view_axis(data.shape(), axis);
  const std::int64_t slice = view.inner * element_width(data.element_type());
  const std::byte* from = data.bytes().data();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t block = lengths[i] * slice;
    if (parts[i]) copy_blocks(from, view.size * slice, parts[i]->mutable_bytes().data(), block, block, view.outer);
    from += block;
  }
}

}  // namespace mo::ops::reference
