#pragma once

#include <optional>

#include "core/pass/rewriter.hpp"

/// FakeQuantize in other ops, for releases that compute some forms of it wrongly. All folds what is constant.
namespace mo::transformations {

/// How the input limits of a FakeQuantize lie to each other, over all pairs of a low one and its high one.
struct LimitPairs {
  bool any_ascending = false;
  bool any_equal = false;
  bool any_descending = false;
};

/// Nothing unless the input limits are known, and have one shape or are single numbers.
std::optional<LimitPairs> limit_pairs(const Node& quantize);

/// Whether one of the four limits depends on more than constants and static shapes.
bool has_computed_limits(const Node& quantize);

/// A BinaryConvolution, which takes nothing but a FakeQuantize, reads the result.
bool feeds_binary_convolution(const Node& quantize);

/// The arithmetic of `quantize` on data between its input limits, which are il and ih, the output limits ol and oh:
/// round((data - il) * (levels - 1) / (ih - il)) * (oh - ol) / (levels - 1) + ol, in the type of the limits, as `data`
/// is.
Value quantized_between_limits(Rewriter& rw, const Node& quantize, const Value& data);

/// ol where x <= min(il, ih), oh where x > max(il, ih), and the arithmetic between limits elsewhere. A division by 0
/// (of equal limits) is not taken.
Value quantized_by_cases(Rewriter& rw, const Node& quantize);

/// Select(t < x, oh, ol) with t = (il + ih) / 2, where no more than two values come out and no low limit lies above its
/// high one; else by cases.
Value quantized_by_threshold_or_cases(Rewriter& rw, const Node& quantize, const LimitPairs& pairs);

/// `x` in this type; of a constant a constant.
Value folded_as(Rewriter& rw, const Value& x, ElementType type);

}  // namespace mo::transformations
