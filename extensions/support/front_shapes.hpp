#pragma once

#include "extensions/support/front.hpp"

/// Shape arithmetic of front replacers. A "length" is an i64 vector with one element: what Concat puts together to a shape.
namespace mo::front {

/// Error MO-ONNX-0223: an input that the op cannot do without is not connected.
[[nodiscard]] Diagnostic missing_input(const Node& node);

/// The element type as far as constants, inputs of the model and conversions tell; dynamic otherwise.
ElementType known_element_type(const Value& value);

/// The rank of x, a length.
Value rank_length(Rewriter& rw, const Value& x);
/// The dimension of x at `axis`, a length. A negative axis counts from the back.
Value length_along(Rewriter& rw, const Value& x, std::int64_t axis);
/// Vectors, one after the other.
Value join(Rewriter& rw, const std::vector<Value>& vectors);
/// `number` `count` times; `count` is a length.
Value repeat(Rewriter& rw, const Value& number, const Value& count);

/// x as i64.
Value as_i64(Rewriter& rw, const Value& x);
/// A tensor of one element as a scalar, and as a length.
Value as_scalar(Rewriter& rw, const Value& x);
Value as_length(Rewriter& rw, const Value& x);

/// x from `begin` to `end` along `axis`.
Value slice_along(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t begin, std::int64_t end);

}  // namespace mo::front
