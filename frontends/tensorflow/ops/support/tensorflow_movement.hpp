#pragma once

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"

/// What translators of ops that move elements share. Where the elements are complex numbers (attribute `type` of the
/// node says so), tensors have a hidden last dimension of 2, which the model does not see.
namespace mo::tensorflow {

using Integers = std::vector<std::int64_t>;

/// The numbers at input `i`, called `what`. Errors: MO-FRONT-0006 (not connected), MO-TF-0551 (computed when the model
/// runs).
Expected<Integers> known_list(const FrameworkNode& node, std::size_t i, std::string_view what);
/// The same for one number. Error MO-TF-0556 when there are several.
Expected<std::int64_t> known_number(const FrameworkNode& node, std::size_t i, std::string_view what);

/// The axis as the model counts it, with the hidden dimension counted too.
std::int64_t with_hidden_axis(const FrameworkNode& node, std::int64_t axis, std::string_view type = "T");
/// The shape of `x` that the model sees, as a vector of `element_type`.
Value visible_shape(Rewriter& rw, const FrameworkNode& node, const Value& x, ElementType element_type);
/// `list` (i32 or i64), which has a number for each dimension, followed by one for the hidden dimension.
Value with_hidden(Rewriter& rw, const FrameworkNode& node, const Value& list, std::int64_t hidden);

/// Integers with this element type: scalar or vector.
Value typed_scalar(Rewriter& rw, ElementType type, std::int64_t number);
Value typed_vector(Rewriter& rw, ElementType type, const Integers& numbers);

/// How many numbers a list has that has one for each dimension: an i64 scalar, constant where the type of the list
/// tells it, as no reshape changes a rank.
Value list_length(Rewriter& rw, const Value& list);
/// 0, 1 … count - 1 as i64; `count` is a scalar.
Value index_range(Rewriter& rw, const Value& count);
/// A matrix [count, rank] of the places where `condition` holds, in row-major order.
Value places_of(Rewriter& rw, const Value& condition);

}  // namespace mo::tensorflow
