#pragma once

#include <string_view>

#include "onnx_emitter/support/inner_graph.hpp"
#include "onnx_emitter/support/sizes.hpp"

/// Updates one after the other, for reductions that the scatter operators of an op set lack.
namespace mo::onnx_emitter {

/// How an update changes an element: Add, Mul, Min or Max of ONNX. Comparisons stand for the last two, which have few
/// types; NaN wins, as in the operators.
inline Value updated(Translation& t, std::string_view op, const Value& old, const Value& update, bool is_real) {
  if (op == "Add" || op == "Mul" || is_real) return t.op(op, {old, update});
  const std::vector<Value> pair = op == "Min" ? std::vector<Value>{update, old} : std::vector<Value>{old, update};
  return t.op("Where", {t.op("Less", pair), update, old});
}

/// What a scatter changes: its data, indices and updates, and the element type and rank of the data.
struct ScatterInputs {
  Value data, indices, updates;
  TensorType type;
};

/// A loop over `count` (a scalar of i64) places; `change` computes the data after one of them.
template <class Change>
Value updated_by_loop(Translation& t, const ScatterInputs& scatter, const Value& count, Change change) {
  InnerGraph body(t);
  Translation& inner = body.operators();
  const TensorType counter{ElementType::i64, PartialShape(Shape{})};
  const TensorType truth{ElementType::boolean, PartialShape(Shape{})};
  const Value turn = body.add_input(counter, "turn");
  const Value go_on = body.add_input(truth, "go_on");
  const Value data = body.add_input(scatter.type, "data");
  const Value place = inner.op("Reshape", {turn, inner.integers({1})});
  const Value changed = change(inner, data, body.captured(scatter.indices), body.captured(scatter.updates), place);
  body.add_output(go_on, truth);
  body.add_output(changed, scatter.type);
  return InnerGraph::create(t, "Loop", {count, Value(), scatter.data}, 1, {{"body", &body}}).front();
}

/// data[…, indices[…, i, …], …] changes by updates[…, i, …], for each i along `axis`: no two updates of one i are for
/// the same element.
inline Value scattered_elements(Translation& t, const ScatterInputs& scatter, std::int64_t axis, std::string_view op) {
  const Value count = t.op("Gather", {t.op("Shape", {scatter.indices}), sizes::scalar(t, axis)}, {{"axis", 0}});
  const bool real = is_real(scatter.type.element_type);
  return updated_by_loop(
      t, scatter, count,
      [&](Translation& inner, const Value& data, const Value& all_indices, const Value& all_updates,
          const Value& place) {
        const Value indices = inner.op("Gather", {all_indices, place}, {{"axis", axis}});
        const Value update = inner.op("Gather", {all_updates, place}, {{"axis", axis}});
        const Value old = inner.op("GatherElements", {data, indices}, {{"axis", axis}});
        return inner.op("ScatterElements", {data, indices, updated(inner, op, old, update, real)}, {{"axis", axis}});
      });
}

/// The slice at each row of `indices` [rows, depth] changes by the row of the updates.
inline Value scattered_slices(Translation& t, const ScatterInputs& scatter, std::string_view op) {
  const Value count = t.op("Gather", {t.op("Shape", {scatter.indices}), sizes::scalar(t, 0)}, {{"axis", 0}});
  const bool real = is_real(scatter.type.element_type);
  return updated_by_loop(t, scatter, count,
                         [&](Translation& inner, const Value& data, const Value& all_indices, const Value& all_updates,
                             const Value& place) {
                           const Value row = inner.op("Gather", {all_indices, place}, {{"axis", 0}});
                           const Value update = inner.op("Gather", {all_updates, place}, {{"axis", 0}});
                           const Value old = inner.op("GatherND", {data, row});
                           return inner.op("ScatterND", {data, row, updated(inner, op, old, update, real)});
                         });
}

}  // namespace mo::onnx_emitter
