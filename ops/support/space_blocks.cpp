#include "ops/support/space_blocks.hpp"

namespace mo::ops {

Expected<std::int64_t> block_volume(const InferContext& ctx, std::int64_t block_size, std::int64_t rank) {
  std::int64_t volume = 1;
  bool overflow = block_size < 1;
  for (std::int64_t d = 2; d < rank && !overflow; ++d) overflow = __builtin_mul_overflow(volume, block_size, &volume);
  if (overflow)
    return ctx.error("MO-OPS-0216", "block_size {} does not fit {}", block_size, ctx.input_shape(0).to_string())
        .hint("block_size is at least 1 and divides the data");
  return volume;
}

Expected<Dimension> divide_dimension(const InferContext& ctx, const Dimension& size, std::int64_t divisor) {
  if (size.is_known() && size.value() % divisor != 0)
    return ctx.error("MO-OPS-0216", "a dimension of {} cannot be divided by {}", size.value(), divisor)
        .hint("check the attributes of the node and --input_shape");
  return size.floor_div(divisor);
}

}  // namespace mo::ops
