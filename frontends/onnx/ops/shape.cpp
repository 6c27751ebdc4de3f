#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Expected<Op> whole_shape(const FrameworkNode&) { return ops::ShapeOf{.output_type = ElementType::i64}; }

/// Shape-15: only the dimensions from `start` to `end`.
Replacement part_of_shape(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
  const auto start = node.attr<std::int64_t>("start", 0);
  const auto end = node.attr("end", kToTheEnd);
  const Value shape = shape_of(rw, node.input(0));
  return start == 0 && end == kToTheEnd ? shape : slice_along(rw, shape, 0, start, end);
}

/// Size(x) -> the product of the dimensions; 1 for a scalar
Replacement number_of_elements(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::ReduceProd{}, shape_of(rw, node.input(0)), rw.integers({0}));
}

/// Reshape-1. A 0 in the target copies the dimension of the input.
Replacement reshape_by_attribute(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::Reshape{.special_zero = true}, node.input(0), rw.integers(node.required<Integers>("shape")));
}

/// Flatten(x, axis) -> Reshape(x, [product of the dimensions before axis, -1])
Replacement flatten(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto axis = node.attr<std::int64_t>("axis", 1);
  if (axis < 0 && node.version() < 11)
    return node.error("MO-ONNX-0200", "axis {} counts from the back", axis)
        .hint("Flatten takes negative axes from opset 11 on");
  const Value x = node.input(0);
  if (const auto rank = x.type().rank(); rank && (axis < -*rank || axis > *rank))
    return node.error("MO-ONNX-0112", "axis {} is outside of the tensor, which has {} dimensions", axis, *rank)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (axis == 0) return rw.create(ops::Reshape{}, x, rw.integers({1, -1}));
  if (axis == 1) return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, -1}));
  const Value front = slice_along(rw, shape_of(rw, x), 0, 0, axis);
  const Value rows = rw.create(ops::ReduceProd{.keep_dims = true}, front, rw.integers({0}));
  return rw.create(ops::Reshape{}, x, join(rw, {rows, rw.integers({-1})}));
}

/// Squeeze-1, without the attribute all dimensions of 1.
Replacement squeeze_by_attribute(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto axes = node.optional_attr<Integers>("axes");
  return axes ? rw.create(ops::Squeeze{}, node.input(0), rw.integers(*axes)) : rw.create(ops::Squeeze{}, node.input(0));
}

Replacement unsqueeze_by_attribute(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::Unsqueeze{}, node.input(0), rw.integers(node.required<Integers>("axes")));
}

}  // namespace

/// Shapes and dimensions: what a tensor is like, and views of it. Axes and target shapes are attributes at first,
/// inputs later.
void register_shape(OperatorTable& table) {
  table.extract("Shape", versions(1, 14), whole_shape);
  table.translate("Shape", since(15), part_of_shape);
  table.translate("Size", since(1), number_of_elements);

  table.translate("Reshape", versions(1, 4), reshape_by_attribute);
  // From opset 14 on `allowzero` makes a 0 an empty dimension.
  table.extract("Reshape", versions(5, 13),
                [](const FrameworkNode&) -> Expected<Op> { return ops::Reshape{.special_zero = true}; });
  table.extract("Reshape", since(14), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::Reshape{.special_zero = !node.attr("allowzero", false)};
  });
  table.translate("Flatten", since(1), flatten);
  table.translate("Squeeze", versions(1, 12), squeeze_by_attribute);
  table.extract("Squeeze", since(13), [](const FrameworkNode&) -> Expected<Op> { return ops::Squeeze{}; });
  table.translate("Unsqueeze", versions(1, 12), unsqueeze_by_attribute);
  table.extract("Unsqueeze", since(13), [](const FrameworkNode&) -> Expected<Op> { return ops::Unsqueeze{}; });
}

}  // namespace mo::onnx
