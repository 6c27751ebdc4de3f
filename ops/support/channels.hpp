#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Error MO-OPS-0341 unless input `i` may be a vector of `channels` elements.
inline Expected<void> expect_per_channel(const InferContext& ctx, std::size_t i, const Dimension& channels) {
  const PartialShape& shape = ctx.input_shape(i);
  if (shape.compatible(PartialShape{channels})) return {};
  return ctx
      .error("MO-OPS-0341", "input {} of shape {} is not one number for each of {} channels", i, shape.to_string(),
             channels.to_string())
      .hint("channels are dimension 1 of the data; check the layout of the model and --input_shape");
}

}  // namespace mo::ops
