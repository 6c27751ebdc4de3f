#pragma once

#include "ops/build/tensors.hpp"

/// Shape arithmetic. A "length" is an i64 vector with one element: what Concat puts together to a shape.
namespace mo::build {

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

}  // namespace mo::build
