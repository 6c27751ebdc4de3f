#pragma once

#include <array>

#include "core/op.hpp"

namespace mo::ops {

/// The order of the channels: the position inside a block before (blocks_first) or after (depth_first) the channel
/// itself.
enum class DepthMode { blocks_first, depth_first };
inline constexpr std::array<std::string_view, 2> kDepthModeNames{"blocks_first", "depth_first"};
constexpr const auto& names_of(DepthMode) { return kDepthModeNames; }

/// block_size ^ spatial dimensions, for a block size of at least 1 and a known rank of at least 3. Error MO-OPS-0216.
Expected<std::int64_t> block_volume(const InferContext& ctx, std::int64_t block_size, std::int64_t rank);
/// A dimension divided by a block. Error MO-OPS-0216 when it is known and no multiple.
Expected<Dimension> divide_dimension(const InferContext& ctx, const Dimension& size, std::int64_t divisor);

}  // namespace mo::ops
