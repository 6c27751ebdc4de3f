#pragma once

#include <vector>

#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"

/// What transformations of single nodes share.
namespace mo::transformations {

/// For RewriteBuilder::replace: calls `fn(node, op, rewriter)` for the node of op T that the pattern `op<T>` matched.
template <OpLike T, class Fn>
auto of_op(Fn fn) {
  return [fn = std::move(fn)](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    return fn(node, *node.as<T>(), rw);
  };
}

/// `number` as a constant of the type of `data` that does not change its shape: a vector of one element, as nGraph
/// writes it, where the data certainly has a dimension, otherwise a scalar.
Value one_number_for(Rewriter& rw, const Value& data, double number);

/// A Reshape to a known shape; `special_zero` only matters where the shape has a 0.
Value reshaped_to(Rewriter& rw, const Value& data, const std::vector<std::int64_t>& shape, bool special_zero = false);
/// A Transpose by a known order.
Value transposed_by(Rewriter& rw, const Value& data, const std::vector<std::int64_t>& order);

}  // namespace mo::transformations
