#pragma once

#include "core/op.hpp"

namespace mo::ops {

// `data` (input 0) with some elements replaced by, or combined with, `updates` (input 2) at `indices` (input 1).
// Negative indices and axes count from the back; an index outside is an error when the op is evaluated. Of several
// updates of one element the last one wins.

/// Whole slices: data[…, indices[i], …] = updates[…, i, …] along the axis that input 3 gives.
struct ScatterUpdate {
  static constexpr OpId id{"ScatterUpdate", 3};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b101, .shape_inputs = 0b1000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

namespace v3 {

/// Element by element along the axis that input 3 gives.
struct ScatterElementsUpdate {
  static constexpr OpId id{"ScatterElementsUpdate", 3};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b101, .shape_inputs = 0b1000};
  static constexpr LayoutRule layout_rule{.follows = true, .data_inputs = 0b111, .axes_inputs = 0b1000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Slices at places that the last dimension of the indices describes. First in opset4.
struct ScatterNDUpdate {
  static constexpr OpId id{"ScatterNDUpdate", 3, 4};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b101};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

namespace v12 {

enum class ElementsReduction { none, sum, prod, min, max, mean };
inline constexpr std::array<std::string_view, 6> kElementsReductionNames{"none", "sum", "prod", "min", "max", "mean"};
constexpr const auto& names_of(ElementsReduction) { return kElementsReductionNames; }

/// As opset3, with a reduction of old elements and updates; without `use_init_val` of the updates alone.
struct ScatterElementsUpdate {
  static constexpr OpId id{"ScatterElementsUpdate", 12};
  ElementsReduction reduction = ElementsReduction::none;
  bool use_init_val = true;
  static constexpr auto attributes = Attributes{attr("reduction", &ScatterElementsUpdate::reduction),
                                                attr("use_init_val", &ScatterElementsUpdate::use_init_val)};
  static constexpr OpTraits traits{.shape_inputs = 0b1000};
  static constexpr LayoutRule layout_rule{.follows = true, .data_inputs = 0b111, .axes_inputs = 0b1000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v12

namespace v15 {

enum class NDReduction { none, sum, sub, prod, min, max };
inline constexpr std::array<std::string_view, 6> kNDReductionNames{"none", "sum", "sub", "prod", "min", "max"};
constexpr const auto& names_of(NDReduction) { return kNDReductionNames; }

/// As opset4, with a reduction of old elements and updates.
struct ScatterNDUpdate {
  static constexpr OpId id{"ScatterNDUpdate", 15};
  NDReduction reduction = NDReduction::none;
  static constexpr auto attributes = Attributes{attr("reduction", &ScatterNDUpdate::reduction)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v15

using v12::ScatterElementsUpdate;
using v3::ScatterNDUpdate;

}  // namespace mo::ops
