#pragma once

#include <string_view>

#include "extensions/support/front_shapes.hpp"

/// What front replacers of TensorFlow ops that move elements share. Their nodes
/// carry "T" (the element type, where the model tells it) and "complex"
/// (elements are pairs of numbers in a trailing dimension of 2, which the model
/// does not see).
namespace mo::front::tensorflow {

using Integers = std::vector<std::int64_t>;

/// Error MO-TF-0557 unless the first `count` inputs are connected.
Expected<void> expect_connected(const Node& node, std::size_t count);
/// Elements of the constant at input `i`, called `what`. Errors: MO-TF-0557
/// (not connected), MO-TF-0551 (not a constant).
Expected<Integers> constant_list(const Node& node, std::size_t i, std::string_view what);
/// The same for one number. Error MO-TF-0556 when there are several.
Expected<std::int64_t> constant_number(const Node& node, std::size_t i, std::string_view what);

bool is_complex(const Node& node);
/// An axis that the model counts from the back, with the hidden dimension of
/// complex numbers counted too.
std::int64_t with_hidden_axis(const Node& node, std::int64_t axis);

/// A scalar with the element type of the node, or of `like` where the model
/// does not tell it.
Value number_of_type(Rewriter& rw, const Node& node, const Value& like, double number);
/// Integers with this element type: scalar or vector.
Value typed_scalar(Rewriter& rw, ElementType type, std::int64_t number);
Value typed_vector(Rewriter& rw, ElementType type, const Integers& numbers);

/// A list of integers as i64: a plain constant where it is known.
Value index_list(Rewriter& rw, const Value& list);
/// The shape of `x` that the model sees, as a vector of `type`.
Value visible_shape(Rewriter& rw, const Node& node, const Value& x, ElementType type);
/// `shape` (i32 or i64), followed by the hidden dimension of complex numbers if
/// there is one.
Value with_hidden(Rewriter& rw, const Node& node, const Value& shape, std::int64_t hidden);

/// 0, 1 … count - 1 as i64; `count` is a scalar.
Value index_range(Rewriter& rw, const Value& count);
/// A matrix [count, rank] of the places where `condition` holds, in row-major
/// order.
Value places_of(Rewriter& rw, const Value& condition, ElementType type = ElementType::i64);

}  // namespace mo::front::tensorflow
