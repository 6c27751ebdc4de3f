#include "ops/sparse_fill_empty_rows.hpp"

#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {
namespace {

/// The elements of empty rows follow the given ones; TopK, which leaves equal numbers in their order, sorts all by
/// row * columns + column.
Expected<Outputs> sparse_fill_empty_rows(Translation& t) {
  const ElementType index_type = t.node.input_type(2).element_type;
  const Value size = t.input_i64(1);
  const Value places = t.input_i64(2);
  const Value row_count = sizes::part(t, size, 0, 0, 1);
  const Value given_rows = sizes::part(t, places, 1, 0, 1);
  const Value all_rows = sizes::filled(t, row_count, ElementType::boolean, 1);
  const Value not_empty = sizes::filled(t, t.op("Shape", {t.input(0)}), ElementType::boolean, 0);
  const Value is_empty = t.op("ScatterND", {all_rows, given_rows, not_empty});
  if (!sizes::is_read(t, 0) && !sizes::is_read(t, 1)) return Outputs{Value(), Value(), is_empty};
  const Value empty_rows = t.transposed(t.op("NonZero", {is_empty}), {1, 0});
  const Value to_column_0 = t.constant(*from_integers(ElementType::i64, {1, 2}, {1, 0}));
  const Value all_places = t.op("Concat", {places, t.op("Mul", {empty_rows, to_column_0})}, {{"axis", 0}});
  const Value by_row = t.op("Mul", {sizes::part(t, all_places, 1, 0, 1), sizes::part(t, size, 0, 1, 2)});
  const Value keys = t.op("Reshape", {t.op("Add", {by_row, sizes::part(t, all_places, 1, 1, 2)}), t.integers({-1})});
  const Value order = t.ops("TopK", {keys, t.op("Shape", {keys})}, 2, {{"axis", 0}, {"largest", 0}})[1];
  Outputs made{Value(), Value(), is_empty};
  if (sizes::is_read(t, 0))
    made[0] = sizes::as_index_type(t, t.op("Gather", {all_places, order}, {{"axis", 0}}), index_type);
  if (sizes::is_read(t, 1)) {
    const Value added = sizes::part(t, t.op("Shape", {empty_rows}), 0, 0, 1);
    const Value all = t.op("Concat", {t.input(0), t.op("Expand", {t.input(3), added})}, {{"axis", 0}});
    made[1] = t.op("Gather", {all, order}, {{"axis", 0}});
  }
  return made;
}

}  // namespace

void register_sparse_fill_empty_rows(OnnxForms& table) { table.add<ops::SparseFillEmptyRows>(sparse_fill_empty_rows); }

}  // namespace mo::onnx_emitter
