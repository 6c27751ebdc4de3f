#pragma once

#include <string>

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

/// Axes that the model computes, for operators whose axes are attributes.
namespace mo::onnx_emitter {

/// Whether `axis` of `rank` is among `axes`, a vector of i64: 1 or 0, i64.
inline Value is_among(Translation& t, const Value& axes, std::int64_t axis, std::int64_t rank) {
  const auto equal = [&](std::int64_t number) {
    return t.cast(t.op("Equal", {axes, sizes::scalar(t, number)}), ElementType::i64);
  };
  const Value both = t.op("Add", {equal(axis), equal(axis - rank)});
  const Value count = t.with_axes("ReduceSum", both, {0}, {{"keepdims", 1}});
  return t.cast(t.cast(count, ElementType::boolean), ElementType::i64);
}

/// Reduces axis after axis: what an axis is reduced to comes before its elements, and either the first element is
/// taken or all others. `rank`: of `data`.
inline Value reduced_along_computed(Translation& t, const Value& data, const std::string& type, const Value& axes,
                                    std::int64_t rank, bool keep_dims) {
  Value value = data;
  std::vector<Value> kept;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const Value is_reduced = is_among(t, axes, axis, rank);
    const Value is_kept = t.op("Sub", {t.integers({1}), is_reduced});
    const std::int64_t since = type == "ReduceSum" ? 13 : 18;
    const Value whole = t.with_axes(type, value, {axis}, {{"keepdims", 1}}, since);
    const Value both = t.op("Concat", {whole, value}, {{"axis", axis}});
    const Value end =
        t.op("Where", {t.cast(is_kept, ElementType::boolean), t.integers({sizes::kAfterLast}), t.integers({1})});
    value = t.op("Slice", {both, is_kept, end, t.integers({axis})});
    kept.push_back(is_kept);
  }
  if (keep_dims || rank == 0) return value;
  const Value mask = t.cast(t.op("Concat", kept, {{"axis", 0}}), ElementType::boolean);
  const Value shape = t.op("Compress", {t.op("Shape", {value}), mask}, {{"axis", 0}});
  return t.op("Reshape", {value, shape});
}

}  // namespace mo::onnx_emitter
