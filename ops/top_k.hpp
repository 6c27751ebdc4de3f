#pragma once

#include "core/op.hpp"

namespace mo::ops {

enum class TopKMode { max, min };
inline constexpr std::array<std::string_view, 2> kTopKModeNames{"max", "min"};
constexpr const auto& names_of(TopKMode) { return kTopKModeNames; }

/// Order of the results: by value (the best first), by index, or any.
enum class TopKSort { value, index, none };
inline constexpr std::array<std::string_view, 3> kTopKSortNames{"value", "index", "none"};
constexpr const auto& names_of(TopKSort) { return kTopKSortNames; }

// The k (input 1) largest or smallest elements along `axis`, and their indices. Among equal elements the one with the
// lower index comes first. NaN counts as larger than every number.

namespace v11 {

/// `stable` asks the runtime to keep equal elements in order (here they always are).
struct TopK {
  static constexpr OpId id{"TopK", 11};
  std::int64_t axis = -1;
  TopKMode mode = TopKMode::max;
  TopKSort sort = TopKSort::value;
  ElementType index_element_type = ElementType::i32;
  bool stable = false;
  static constexpr auto attributes =
      Attributes{attr("axis", &TopK::axis), attr("mode", &TopK::mode), attr("sort", &TopK::sort),
                 attr("index_element_type", &TopK::index_element_type), attr("stable", &TopK::stable)};
  static constexpr OpTraits traits{.outputs = 2, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v11

namespace v3 {

/// As opset11, and cannot ask for a stable order.
struct TopK : v11::TopK {
  static constexpr OpId id{"TopK", 3};
  static constexpr auto attributes =
      Attributes{attr("axis", &v11::TopK::axis), attr("mode", &v11::TopK::mode), attr("sort", &v11::TopK::sort),
                 attr("index_element_type", &v11::TopK::index_element_type)};
};

}  // namespace v3

namespace v1 {

/// As opset3; runtimes take no k of other integer types than i32 and i64.
struct TopK : v3::TopK {
  static constexpr OpId id{"TopK", 1};
};

}  // namespace v1

using v11::TopK;

}  // namespace mo::ops
