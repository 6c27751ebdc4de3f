#pragma once

#include <optional>
#include <vector>

#include "core/graph/model_ends.hpp"
#include "core/rewrite.hpp"

/// What fusions ask of constants, shapes and matches.
namespace mo::transformations {

/// A Const of one element that is `value`: exactly for integers; for reals
/// after rounding to their type, or within 1e-5 of it relatively (exporters
/// write 1.41421 for the square root of two).
Pat number(double value);
/// A Const of one element.
Pat one_number();
/// The element of a Const of one element; nothing for anything else.
std::optional<double> number_of(const Value& value);

/// A known list of axes, counted from the front, sorted. Nothing when one is out of range or duplicate.
std::optional<std::vector<std::int64_t>> known_axes(const Value& value, std::int64_t rank);
/// The order of a Transpose of `rank` dimensions (an empty one reverses them).
std::optional<std::vector<std::size_t>> known_order(const Node& transpose, std::size_t rank);

/// The same in every run: each dimension known, or equal by symbol.
bool same_shape(const PartialShape& a, const PartialShape& b);
/// Both ranks are known and equal.
bool same_rank(const Value& a, const Value& b);
/// Two Consts of the same type, shape and bytes; large ones (above 64 KB) only
/// when they share their buffer.
bool same_constant(const Value& a, const Value& b);

/// A Squeeze of either class whose axes all are of size 1.
bool is_squeeze(const Node& node);
using mo::is_model_output;

/// No tensor inside of the match is read from outside, so that the match
/// disappears when its root is replaced.
bool is_closed(const Match& match);
/// The root is a function of `x` alone, element by element, of real numbers, and the match is closed: one op can take
/// its place. Constants and other tensors of one element do not change the shape; beside an `x` of unknown rank they
/// are scalars.
bool is_activation_of(const Match& match, const Value& x);

/// A Const under another shape of as many elements.
Value reshaped(Rewriter& rw, const Value& constant, const std::vector<std::int64_t>& shape);
/// A Const of one element as a scalar.
Value as_scalar(Rewriter& rw, const Value& constant);
/// The other input of a node with two inputs of which one is a Const: (tensor,
/// constant). Nothing when none or both are.
struct TensorAndConstant {
  Value tensor;
  Value constant;
};
std::optional<TensorAndConstant> tensor_and_constant(const Node& node);

}  // namespace mo::transformations
