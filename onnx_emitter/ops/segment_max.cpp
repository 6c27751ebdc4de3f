#include "ops/segment_max.hpp"

#include <limits>

#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {
namespace {

double lowest_of(ElementType type) {
  switch (type) {
    case ElementType::bf16: return -0x1.FEp127;
    case ElementType::f16: return -65504;
    case ElementType::f32: return static_cast<double>(std::numeric_limits<float>::lowest());
    case ElementType::f64: return std::numeric_limits<double>::lowest();
    default: return -std::numeric_limits<double>::infinity();  // saturates
  }
}

/// Scattered by maximum into rows of the lowest number. There are rows for segments beyond the number asked for, too,
/// which are cut off.
Expected<Outputs> segment_max(Translation& t) {
  if (t.opset < 18) return t.needs_opset(18);
  const auto& op = *t.node.as<ops::SegmentMax>();
  const ElementType type = t.node.output_type().element_type;
  // ONNX Runtime has no kernel of the maximum for halves.
  const ElementType computed = type == ElementType::f16 || type == ElementType::bf16 ? ElementType::f32 : type;
  const Value ids = t.input_i64(1);
  const Value all = t.op("Concat", {t.integers({-1}), ids}, {{"axis", 0}});
  Value rows = t.op("Add", {t.with_axes("ReduceMax", all, {0}, {{"keepdims", 1}}, 18), t.integers({1})});
  Value wanted;
  if (t.input(2)) {
    wanted = sizes::one_as_vector(t, 2);
    rows = t.op("Max", {rows, wanted});
  }
  const Value rest = sizes::part(t, t.op("Shape", {t.input(0)}), 0, 1, sizes::kAfterLast);
  const Value shape = t.op("Concat", {rows, rest}, {{"axis", 0}});
  const Value places = t.with_axes("Unsqueeze", ids, {1});
  const Value start = sizes::filled(t, shape, computed, lowest_of(type));
  Value largest = t.op("ScatterND", {start, places, sizes::typed_input(t, 0, computed)}, {{"reduction", "max"}});
  if (op.fill_mode == ops::SegmentFill::zero) {
    const Value none = sizes::filled(t, rows, ElementType::boolean, 0);
    const Value used = sizes::filled(t, t.op("Shape", {ids}), ElementType::boolean, 1);
    const Value is_used = t.op("ScatterND", {none, places, used});
    const Value ones = sizes::filled(t, t.op("Shape", {rest}), ElementType::i64, 1);
    const Value along_rows = t.op("Reshape", {is_used, t.op("Concat", {rows, ones}, {{"axis", 0}})});
    largest = t.op("Where", {along_rows, largest, t.scalar(computed, 0)});
  }
  if (wanted) largest = t.op("Slice", {largest, t.integers({0}), wanted, t.integers({0})});
  return Outputs{computed == type ? largest : t.cast(largest, type)};
}

}  // namespace

void register_segment_max(OnnxForms& table) { table.add<ops::SegmentMax>(segment_max); }

}  // namespace mo::onnx_emitter
