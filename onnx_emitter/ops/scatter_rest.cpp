#include "onnx_emitter/support/scatter_loop.hpp"
#include "ops/scatter.hpp"

namespace mo::onnx_emitter {
namespace {

/// `count` dimensions from `from` on come first, of `rank`.
std::vector<std::int64_t> brought_to_front(std::int64_t from, std::int64_t count, std::int64_t rank) {
  std::vector<std::int64_t> order;
  for (std::int64_t axis = from; axis < from + count; ++axis) order.push_back(axis);
  for (std::int64_t axis = 0; axis < rank; ++axis)
    if (axis < from || axis >= from + count) order.push_back(axis);
  return order;
}

/// data[…, indices[i], …] = updates[…, i, …]: ScatterND replaces slices of dimension 0.
Expected<Outputs> scatter_slices(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(3));
  const std::int64_t axis = axes.front();
  const Value places = t.with_axes("Unsqueeze", t.input_i64(1), {-1});
  if (axis == 0) return Outputs{t.op("ScatterND", {t.input(0), places, t.input(2)})};
  MO_ASSIGN(const std::int64_t rank, t.rank(0));
  MO_ASSIGN(const std::int64_t of_indices, t.rank(1));
  const Value data = t.transposed(t.input(0), brought_to_front(axis, 1, rank));
  const Value updates = t.transposed(t.input(2), brought_to_front(axis, of_indices, rank - 1 + of_indices));
  const Value scattered = t.op("ScatterND", {data, places, updates});
  return Outputs{t.transposed(scattered, brought_to_front(1, axis, rank))};
}

/// One row of indices after the other. Truth values: Or is the larger one, And the smaller one.
Expected<Outputs> scatter_nd_by_loop(Translation& t, ops::v15::NDReduction reduction, ElementType type) {
  using Reduction = ops::v15::NDReduction;
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const PartialShape& indices = t.node.input_type(1).shape;
  if (!indices.has_rank() || indices.size() == 0 || !indices[indices.size() - 1].is_known())
    return t.refused("the length of its indices is unknown");
  const std::int64_t depth = indices[indices.size() - 1].value();
  const bool is_logical = t.node.output_type().element_type == ElementType::boolean;
  const char* op = "Add";
  if (reduction == Reduction::prod) op = "Mul";
  if (reduction == Reduction::min || (is_logical && reduction == Reduction::prod)) op = "Min";
  if (reduction == Reduction::max || (is_logical && reduction == Reduction::sum)) op = "Max";
  const Value data = sizes::typed_input(t, 0, type);
  const Value slice = sizes::part(t, t.op("Shape", {data}), 0, depth, sizes::kAfterLast);
  const Value all = t.op("Concat", {t.integers({-1}), slice}, {{"axis", 0}});
  Value updates = t.op("Reshape", {sizes::typed_input(t, 2, type), all});
  if (reduction == Reduction::sub) updates = t.op("Neg", {updates});
  const ScatterInputs scatter{data,
                              t.op("Reshape", {t.input_i64(1), t.integers({-1, depth})}),
                              updates,
                              {type, PartialShape::of_rank(static_cast<std::size_t>(rank))}};
  const Value result = scattered_slices(t, scatter, op);
  return Outputs{is_logical ? t.cast(result, ElementType::boolean) : result};
}

/// Subtraction adds the opposite numbers.
Expected<Outputs> scatter_nd_reduced(Translation& t) {
  using Reduction = ops::v15::NDReduction;
  const Reduction reduction = t.node.as<ops::v15::ScatterNDUpdate>()->reduction;
  if (reduction == Reduction::none) return Outputs{t.op("ScatterND", {t.input(0), t.input_i64(1), t.input(2)})};
  const ElementType type = t.node.output_type().element_type;
  const bool is_logical = type == ElementType::boolean;
  if (reduction == Reduction::sub && !is_signed(type)) return t.refused("a subtraction of unsigned integers");
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  const std::int64_t since = is_extreme ? 18 : 16;
  if (is_logical || t.opset < since) return scatter_nd_by_loop(t, reduction, is_logical ? ElementType::i32 : type);
  const char* name = "add";
  if (reduction == Reduction::prod) name = "mul";
  if (reduction == Reduction::min) name = "min";
  if (reduction == Reduction::max) name = "max";
  const Value updates = reduction == Reduction::sub ? t.op("Neg", {t.input(2)}) : t.input(2);
  return Outputs{t.op("ScatterND", {t.input(0), t.input_i64(1), updates}, {{"reduction", name}})};
}

}  // namespace

void register_scatter_rest(OnnxForms& table) {
  table.add<ops::ScatterUpdate>(scatter_slices);
  table.add<ops::v15::ScatterNDUpdate>(scatter_nd_reduced);
}

}  // namespace mo::onnx_emitter
