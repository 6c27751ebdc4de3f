#pragma once

#include "core/rewrite.hpp"

namespace mo::front {

/// What is known of tensors in the front phase, and the small sub-graphs of shape arithmetic that front replacers are made of.
/// Shapes are vectors of i64; a "length" is such a vector with one element.

/// Error MO-ONNX-0223: an input that the op cannot do without is not connected.
Diagnostic missing_input(const Node& node);

/// The tensor when it is a constant, also behind ops that only rename it; an empty one otherwise.
Tensor constant_of(const Value& value);
/// The elements of a constant; nothing when it is none, has strings, or is too large to be a list of axes or sizes.
std::optional<std::vector<std::int64_t>> constant_integers(const Value& value);
std::optional<std::vector<double>> constant_reals(const Value& value);
/// The element type as far as constants, inputs of the model and conversions tell; dynamic otherwise.
ElementType known_element_type(const Value& value);
/// The rank as far as constants and declared shapes tell.
std::optional<std::int64_t> known_rank(const Value& value);

/// A constant of the element type of `like`, converted at once when that is known, else by ConvertLike.
Value constant_like(Rewriter& rw, const Tensor& tensor, const Value& like);
Value number_like(Rewriter& rw, double number, const Value& like);

/// The shape of x.
Value shape_of(Rewriter& rw, const Value& x);
/// The rank of x, a length.
Value rank_of(Rewriter& rw, const Value& x);
/// The dimension of x at `axis`, a length. A negative axis counts from the back.
Value dimension_of(Rewriter& rw, const Value& x, std::int64_t axis);
/// One after the other along axis 0.
Value join(Rewriter& rw, const std::vector<Value>& vectors);
/// `number` `count` times; `count` is a length.
Value repeat(Rewriter& rw, const Value& number, const Value& count);
/// x as i64.
Value as_i64(Rewriter& rw, const Value& x);
/// A tensor of one element as a scalar, and as a length.
Value as_scalar(Rewriter& rw, const Value& x);
Value as_length(Rewriter& rw, const Value& x);
/// x from `begin` to `end` by `step` along `axis`.
Value slice_along(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1);

}  // namespace mo::front
