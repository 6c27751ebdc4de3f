#pragma once

#include <array>

#include "core/op.hpp"
#include "ops/reference/reduce.hpp"

namespace mo::ops {

using reference::ReduceKind;

namespace detail {

/// Identity and domain of each reduction.
struct ReductionRow {
  OpId id;
  bool logical = false;
};
// In the order of ReduceKind.
inline constexpr std::array<ReductionRow, 9> kReductions{{
    {{"ReduceSum", 1}},
    {{"ReduceMean", 1}},
    {{"ReduceMax", 1}},
    {{"ReduceMin", 1}},
    {{"ReduceProd", 1}},
    {{"ReduceL1", 4}},
    {{"ReduceL2", 4}},
    {{"ReduceLogicalAnd", 1}, true},
    {{"ReduceLogicalOr", 1}, true},
}};

}  // namespace detail

/// Takes the dimensions `axes` (input 1: a scalar or a vector, negative ones count from the back) of input 0 together;
/// they disappear, or become 1 with `keep_dims`. Without axes: the data itself.
template <ReduceKind kind>
struct Reduction {
  static constexpr OpId id = detail::kReductions[static_cast<std::size_t>(kind)].id;
  bool keep_dims = false;
  static constexpr auto attributes = Attributes{attr("keep_dims", &Reduction::keep_dims)};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const {
    if (keep_dims || !ctx.has_input(1)) return LayoutNeed::either;
    const auto rank = ctx.input(0).rank();
    const auto axes = ctx.integers(1);
    return rank && axes && keeps_order_without(*axes, *rank) ? LayoutNeed::either : LayoutNeed::original;
  }
};

using ReduceSum = Reduction<ReduceKind::sum>;
using ReduceMean = Reduction<ReduceKind::mean>;
using ReduceMax = Reduction<ReduceKind::max>;
using ReduceMin = Reduction<ReduceKind::min>;
using ReduceProd = Reduction<ReduceKind::prod>;
using ReduceL1 = Reduction<ReduceKind::l1>;
using ReduceL2 = Reduction<ReduceKind::l2>;
using ReduceLogicalAnd = Reduction<ReduceKind::logical_and>;
using ReduceLogicalOr = Reduction<ReduceKind::logical_or>;

}  // namespace mo::ops
