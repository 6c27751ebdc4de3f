#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Adds up blocks of an image: columns [N, C * block elements, blocks] (or without N) -> [N, C, height, width], the
/// size in input 1; input 2 is the size of a block. What lies in the padding is dropped.
struct Col2Im {
  static constexpr OpId id{"Col2Im", 15};
  std::vector<std::int64_t> strides{1, 1};
  std::vector<std::int64_t> dilations{1, 1};
  std::vector<std::int64_t> pads_begin{0, 0};
  std::vector<std::int64_t> pads_end{0, 0};
  static constexpr auto attributes =
      Attributes{attr("strides", &Col2Im::strides), attr("dilations", &Col2Im::dilations),
                 attr("pads_begin", &Col2Im::pads_begin), attr("pads_end", &Col2Im::pads_end)};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
