#include "ops/support/infer.hpp"

#include <algorithm>

namespace mo::ops {

Expected<ElementType> common_element_type(const InferContext& ctx, std::initializer_list<std::size_t> indices) {
  ElementType common = ElementType::dynamic;
  for (const std::size_t i : indices) {
    const ElementType type = ctx.input_element_type(i);
    if (type == ElementType::dynamic) continue;
    if (common != ElementType::dynamic && type != common)
      return ctx
          .error("MO-OPS-0002", "inputs have different element types: {} and {}", to_string(common), to_string(type))
          .hint("convert one of them in the model");
    common = type;
  }
  return common;
}

Expected<ElementType> element_type_of_data(const InferContext& ctx, std::initializer_list<std::size_t> others) {
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  for (const std::size_t i : others) MO_TRY(expect_element_type(ctx, i, is_real, "a real type"));
  return ctx.input_element_type(0);
}

Expected<PartialShape> broadcast_shapes(const InferContext& ctx, const PartialShape& a, const PartialShape& b) {
  if (auto shape = broadcast(a, b)) return *std::move(shape);
  return ctx.error("MO-OPS-0004", "shapes {} and {} cannot be broadcast", a.to_string(), b.to_string())
      .hint("aligned at the last dimension, dimensions must be equal or 1; check --input_shape");
}

Expected<std::int64_t> normalize_axis(const InferContext& ctx, std::int64_t axis, std::int64_t rank) {
  if (const auto normal = mo::normalize_axis(axis, rank)) return *normal;
  return ctx.error("MO-OPS-0012", "axis {} is outside [{}, {})", axis, -rank, rank)
      .hint("check the exporter's opset, or override the shape with --input_shape");
}

Expected<std::vector<std::int64_t>> normalize_axes(const InferContext& ctx, const std::vector<std::int64_t>& axes,
                                                   std::int64_t rank) {
  std::vector<std::int64_t> normal;
  for (const std::int64_t axis : axes) {
    MO_ASSIGN(const std::int64_t n, normalize_axis(ctx, axis, rank));
    if (std::find(normal.begin(), normal.end(), n) != normal.end())
      return ctx.error("MO-OPS-0013", "axis {} is given twice", n);
    normal.push_back(n);
  }
  return normal;
}

Expected<PartialShape> shape_from_input(const InferContext& ctx, std::size_t i) {
  if (const auto value = ctx.partial(i)) {
    for (const Dimension& d : value->elements)
      if (d.is_known() && d.value() < 0)
        return ctx.error("MO-OPS-0005", "dimension {} of input {} is negative", d.value(), i);
    return PartialShape(value->elements);
  }
  const PartialShape& shape = ctx.input_shape(i);
  if (shape.has_rank() && shape.size() == 1 && shape[0].is_known() && shape[0].value() <= 1024)
    return PartialShape::of_rank(static_cast<std::size_t>(shape[0].value()));
  return PartialShape::unknown_rank();
}

Expected<void> expect_element_type(const InferContext& ctx, std::size_t i, bool (*accepts)(ElementType),
                                   std::string_view description) {
  const ElementType type = ctx.input_element_type(i);
  if (type == ElementType::dynamic || accepts(type)) return {};
  return ctx.error("MO-OPS-0006", "input {} is {}, {} is expected", i, to_string(type), description);
}

}  // namespace mo::ops
