#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// For each index a vector of `depth` (input 1) elements along a new dimension `axis`: on_value (input 2) at the index,
/// off_value (input 3) elsewhere. An index outside of [0, depth) gives off_value only.
struct OneHot {
  static constexpr OpId id{"OneHot", 1};
  std::int64_t axis = -1;
  static constexpr auto attributes = Attributes{attr("axis", &OneHot::axis)};
  static constexpr OpTraits traits{.moves_elements = 0b1100, .shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

namespace v16 {

enum class NegativeIndices { ignore_negative, normalize };
inline constexpr std::array<std::string_view, 2> kNegativeIndicesNames{"ignore_negative", "normalize"};
constexpr const auto& names_of(NegativeIndices) { return kNegativeIndicesNames; }

/// As opset1; with `normalize` a negative index counts from the back.
struct OneHot : ops::OneHot {
  static constexpr OpId id{"OneHot", 16};
  NegativeIndices negative_indices_mode = NegativeIndices::ignore_negative;
  static constexpr auto attributes =
      Attributes{ops::OneHot::attributes, attr("negative_indices_mode", &OneHot::negative_indices_mode)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v16

}  // namespace mo::ops
