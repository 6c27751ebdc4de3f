#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/scan.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"

namespace mo::onnx {
namespace {

std::vector<std::int64_t> other_axes(std::int64_t rank, std::int64_t axis) {
  std::vector<std::int64_t> axes;
  for (std::int64_t i = 0; i < rank; ++i)
    if (i != axis) axes.push_back(i);
  return axes;
}

/// One step: the product so far, and what the result has here.
Body product_step(ElementType type, const PartialShape& slice, bool exclusive) {
  auto graph = std::make_unique<Graph>();
  Rewriter rw(*graph);
  const Value before = graph->create_parameter({type, slice}, "product").output();
  const Value x = graph->create_parameter({type, slice}, "x").output();
  const Value now = rw.create(ops::Multiply{}, before, x);
  graph->create_result(now);
  graph->create_result(exclusive ? before : now);
  return Body(std::move(graph));
}

struct ProductDirection {
  bool exclusive = false;
  bool reverse = false;
};

/// A loop over slices along the axis.
Expected<Value> product_along(const FrameworkNode& node, Rewriter& rw, std::int64_t axis,
                              const ProductDirection& direction) {
  const Value x = node.input(0);
  PartialShape slice = x.type().shape;
  slice.dims().erase(slice.dims().begin() + static_cast<std::ptrdiff_t>(axis));
  const auto rank = static_cast<std::int64_t>(slice.size()) + 1;
  const Value without =
      rw.create(ops::Gather{}, shape_of(rw, x), rw.integers(other_axes(rank, axis)), rw.scalar<std::int64_t>(0));
  ScanPlan plan;
  plan.body = product_step(x.type().element_type, slice, direction.exclusive);
  plan.states = 1;
  plan.scans = 1;
  plan.input_axes = plan.output_axes = {axis};
  plan.input_directions = plan.output_directions = {direction.reverse ? 1 : 0};
  MO_ASSIGN(const Node made,
            make_scan(rw, node.node(), std::move(plan), {repeat(rw, number_like(rw, x, 1), without), x}, 2));
  return made.output(1);
}

/// CumProd-26(x, axis): products of all elements up to each place along the axis, itself included unless `exclusive`;
/// from the back with `reverse`.
Replacement cumulative_product(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const ProductDirection direction{node.attr("exclusive", false), node.attr("reverse", false)};
  const auto given = single_integer_of(node.input(1));
  const auto rank = node.input_type(0).rank();
  if (!rank || *rank < 1)
    return node.error("MO-ONNX-0475", "the number of dimensions is not known, or 0")
        .hint("give the shapes of the model's inputs with --input_shape");
  if (given) {
    const auto axis = normalize_axis(*given, *rank);
    if (!axis)
      return node.error("MO-ONNX-0112", "axis {} is outside of the tensor", *given)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    MO_ASSIGN(const Value y, product_along(node, rw, *axis, direction));
    return y;
  }
  // The run knows the axis: the products along all of them, of which it takes one.
  constexpr std::int64_t kMostAxes = 8;
  if (*rank > kMostAxes)
    return node.error("MO-ONNX-0475", "the axis among {} is not known before the model runs", *rank)
        .hint("make the axis a constant of the model");
  const Value size = rw.scalar(*rank);
  const Value axis = rw.create(ops::FloorMod{}, as_scalar(rw, as_i64(rw, node.input(1))), size);
  MO_ASSIGN(Value y, product_along(node, rw, 0, direction));
  for (std::int64_t i = 1; i < *rank; ++i) {
    MO_ASSIGN(const Value other, product_along(node, rw, i, direction));
    y = rw.create(ops::Select{}, rw.create(ops::Equal{}, axis, rw.scalar(i)), other, y);
  }
  return y;
}

}  // namespace

void register_cum_prod(OperatorTable& table) { table.translate("CumProd", since(26), cumulative_product); }

}  // namespace mo::onnx
