#include "ops/embedding_bag.hpp"

#include "core/graph/values.hpp"
#include "onnx_emitter/support/scatter_loop.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The type in which rows are added: half types as f32.
Expected<ElementType> bag_type(const Translation& t) {
  const ElementType type = t.node.input_type(0).element_type;
  if (type == ElementType::f16 || type == ElementType::bf16) return ElementType::f32;
  if (is_real(type) || type == ElementType::i32 || type == ElementType::i64) return type;
  return t.refused("sums of short or unsigned integers");
}

Value in_given_type(Translation& t, const Value& value) {
  const ElementType type = t.node.output_type().element_type;
  return type == ElementType::f16 || type == ElementType::bf16 ? t.cast(value, type) : value;
}

/// `value`, one number for each of its `from` dimensions, with dimensions of size 1 for those of a row of the table.
Expected<Value> per_row_of_table(Translation& t, const Value& value, std::int64_t from) {
  MO_ASSIGN(const std::int64_t rank, t.rank(0));
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis + 1 < rank; ++axis) axes.push_back(from + axis);
  return axes.empty() ? value : t.with_axes("Unsqueeze", value, axes);
}

/// A row of the table for each index, multiplied by the weight in input `weights`.
Expected<Value> weighted_rows(Translation& t, std::size_t weights, ElementType type) {
  const Value table = sizes::typed_input(t, 0, type);
  const Value rows = t.op("Gather", {table, t.input_i64(1)}, {{"axis", 0}});
  if (!t.input(weights)) return rows;
  MO_ASSIGN(const std::int64_t rank, t.rank(1));
  MO_ASSIGN(const Value factors, per_row_of_table(t, sizes::typed_input(t, weights, type), rank));
  return t.op("Mul", {rows, factors});
}

/// The mean of no rows is zeros, as their sum is.
Expected<Outputs> packed_bags(Translation& t, ops::BagReduction reduction) {
  MO_ASSIGN(const ElementType type, bag_type(t));
  const PartialShape& indices = t.node.input_type(1).shape;
  const bool is_empty = indices.has_rank() && indices.size() == 2 && indices[1] == Dimension(0);
  const bool is_mean = reduction == ops::BagReduction::mean && !is_empty;
  if (is_mean && !is_real(type)) return t.refused("means of integers");
  MO_ASSIGN(const Value rows, weighted_rows(t, 2, type));
  return Outputs{in_given_type(
      t, t.with_axes(is_mean ? "ReduceMean" : "ReduceSum", rows, {1}, {{"keepdims", 0}}, is_mean ? 18 : 13))};
}

/// Adds up numbers or rows by bag: result[bag_of[i]] += updates[i]. `type`: of the zeros.
Value added_by_bag(Translation& t, const Value& zeros, const Value& bag_of, const Value& updates,
                   const TensorType& type) {
  const Value places = t.with_axes("Unsqueeze", bag_of, {1});
  if (t.opset < 16) return scattered_slices(t, {zeros, places, updates, type}, "Add");
  return t.op("ScatterND", {zeros, places, updates}, {{"reduction", "add"}});
}

/// Where the inputs of an op with bags of different sizes are.
struct BagInputs {
  std::size_t default_index;
  std::size_t weights;
};

/// The sums of `count` bags (a vector of one i64); `bag_of` has the bag of each index. An empty bag takes the row
/// default_index.
Expected<Value> bag_sums(Translation& t, const Value& count, const Value& bag_of, const BagInputs& inputs,
                         ops::BagReduction reduction) {
  MO_ASSIGN(const ElementType type, bag_type(t));
  const bool is_mean = reduction == ops::BagReduction::mean;
  if (is_mean && !is_real(type)) return t.refused("means of integers");
  std::int64_t default_index = -1;
  if (t.input(inputs.default_index)) {
    const auto known = single_integer_of(t.node.input(inputs.default_index));
    if (!known) return t.refused("its default index is computed");
    default_index = *known;
  }
  MO_ASSIGN(const Value rows, weighted_rows(t, inputs.weights, type));
  const Value table_shape = t.op("Shape", {t.input(0)});
  const Value row_shape = sizes::part(t, table_shape, 0, 1, sizes::kAfterLast);
  const Value shape = t.op("Concat", {count, row_shape}, {{"axis", 0}});
  MO_ASSIGN(const std::int64_t rank, t.rank(0));
  const TensorType sum_type{type, PartialShape::of_rank(static_cast<std::size_t>(rank))};
  const TensorType count_type{ElementType::i64, PartialShape::of_rank(1)};
  Value sums = added_by_bag(t, sizes::filled(t, shape, type, 0), bag_of, rows, sum_type);
  if (default_index == -1 && !is_mean) return sums;
  const Value ones = sizes::filled(t, t.op("Shape", {bag_of}), ElementType::i64, 1);
  const Value lengths = added_by_bag(t, sizes::filled(t, count, ElementType::i64, 0), bag_of, ones, count_type);
  if (default_index != -1) {
    MO_ASSIGN(const Value is_empty, per_row_of_table(t, t.op("Equal", {lengths, sizes::scalar(t, 0)}), 1));
    const Value row = t.op("Gather", {sizes::typed_input(t, 0, type), sizes::scalar(t, default_index)}, {{"axis", 0}});
    sums = t.op("Where", {is_empty, row, sums});
  }
  if (!is_mean) return sums;
  const Value divisor = t.cast(t.op("Max", {lengths, sizes::scalar(t, 1)}), type);
  MO_ASSIGN(const Value divisors, per_row_of_table(t, divisor, 1));
  return t.op("Div", {sums, divisors});
}

/// The bag of an index is the number of bags that have begun there, so bag 0 has the indices before the first offset:
/// it is dropped. An offset may be the number of indices: there is one place more.
Expected<Outputs> bags_of_offsets(Translation& t, ops::BagReduction reduction) {
  const Value one = t.integers({1});
  const Value places = t.op("Add", {t.op("Shape", {t.input(1)}), one});
  const Value offsets = t.input_i64(2);
  const Value bags = t.op("Shape", {offsets});
  const Value begun =
      added_by_bag(t, sizes::filled(t, places, ElementType::i64, 0), offsets,
                   sizes::filled(t, bags, ElementType::i64, 1), {ElementType::i64, PartialShape::of_rank(1)});
  const Value numbers = t.op("CumSum", {begun, sizes::scalar(t, 0)});
  MO_ASSIGN(const Value sums, bag_sums(t, t.op("Add", {bags, one}), sizes::part(t, numbers, 0, 0, -1),
                                       {.default_index = 3, .weights = 4}, reduction));
  return Outputs{in_given_type(t, sizes::part(t, sums, 0, 1, sizes::kAfterLast))};
}

Expected<Outputs> bags_of_segments(Translation& t) {
  MO_ASSIGN(const Value sums, bag_sums(t, sizes::one_as_vector(t, 3), t.input_i64(2),
                                       {.default_index = 4, .weights = 5}, ops::BagReduction::sum));
  return Outputs{in_given_type(t, sums)};
}

}  // namespace

void register_embedding_bag(OnnxForms& table) {
  table.add<ops::EmbeddingBagPackedSum>([](Translation& t) { return packed_bags(t, ops::BagReduction::sum); });
  table.add<ops::EmbeddingBagPacked>(
      [](Translation& t) { return packed_bags(t, t.node.as<ops::EmbeddingBagPacked>()->reduction); });
  table.add<ops::EmbeddingBagOffsetsSum>([](Translation& t) { return bags_of_offsets(t, ops::BagReduction::sum); });
  table.add<ops::EmbeddingBagOffsets>(
      [](Translation& t) { return bags_of_offsets(t, t.node.as<ops::EmbeddingBagOffsets>()->reduction); });
  table.add<ops::EmbeddingSegmentsSum>(bags_of_segments);
}

}  // namespace mo::onnx_emitter
