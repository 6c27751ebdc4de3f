#pragma once

#include "extensions/support/onnx_operands.hpp"

/// What the models of domain ai.onnx.ml share.
namespace mo::front {

/// A list in an attribute; empty when it is not there.
template <class T>
std::vector<T> list_of(const Node& node, std::string_view name) {
  return node.attr<std::vector<T>>(name).value_or(std::vector<T>{});
}

/// Numbers as a constant of a real type, whose count must be that of the shape (asserted by whoever calls).
Expected<Value> real_constant(Rewriter& rw, ElementType type, Shape shape, const std::vector<double>& values);

/// Columns of numbers [N, C] of a real type; a vector is one row.
Value table_of(Rewriter& rw, const Value& x, ElementType type);

/// The function of the attribute post_transform on scores [N, C]; NONE without one.
Value post_transformed(const Node& node, Rewriter& rw, const Value& scores);

/// The label of each row: `labels[place]`. Error MO-ONNX-0458 when labels are strings and somebody reads them; empty when nobody does.
Expected<Value> labels_at(const Node& node, Rewriter& rw, std::string_view integers, std::string_view strings, const Value& place);
/// The place of the largest score in each row [N].
Value best_place(Rewriter& rw, const Value& scores);
/// How many labels there are.
std::size_t label_count(const Node& node, std::string_view integers, std::string_view strings);

}  // namespace mo::front
