#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/gather_nd.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"

namespace mo::onnx {
namespace {

Replacement gathered(const FrameworkNode& node, Rewriter& rw, std::int64_t axis) {
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Gather{}, node.input(0), node.input(1), rw.scalar(axis));
}

/// Whether `data` may have more elements along a dimension than `indices`. Two unknown sizes without symbols are taken
/// for equal.
bool may_be_longer(const Dimension& data, const Dimension& indices) {
  if (data.is_known() && indices.is_known()) return data.value() > indices.value();
  if (data.is_known() || indices.is_known()) return true;
  return data.symbol() != 0 && indices.symbol() != 0 && data.symbol() != indices.symbol();
}

/// ONNX GatherElements-11 leaves elements of the data alone that are beside all indices; the IR wants the same sizes
/// beside the axis, so they are cut off.
Replacement gather_elements(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const auto axis = node.attr<std::int64_t>("axis", 0);
  const Value data = node.input(0);
  const Value indices = node.input(1);
  const PartialShape& from = data.type().shape;
  const PartialShape& to = indices.type().shape;
  const ops::GatherElements op{.axis = axis};
  if (!from.has_rank() || !to.has_rank() || from.size() != to.size()) return rw.create(op, data, indices);
  const auto taken = normalize_axis(axis, static_cast<std::int64_t>(from.size()));
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (static_cast<std::int64_t>(i) != taken && may_be_longer(from[i], to[i]))
      axes.push_back(static_cast<std::int64_t>(i));
  if (axes.empty()) return rw.create(op, data, indices);
  const std::vector<std::int64_t> zeros(axes.size(), 0);
  const std::vector<std::int64_t> ones(axes.size(), 1);
  const Value ends = rw.create(ops::Gather{}, shape_of(rw, indices), rw.integers(axes), rw.scalar<std::int64_t>(0));
  const Value part = rw.create(ops::Slice{}, data, rw.integers(zeros), ends, rw.integers(ones), rw.integers(axes));
  return rw.create(op, part, indices);
}

/// What the operator set calls a reduction, as the IR calls it. Version 18 of the operators added min and max;
/// exporters write them in models of op sets 16 and 17 as well, and ONNX Runtime computes them there.
Expected<std::string> ir_reduction(const FrameworkNode& node) {
  const std::string name = node.attr("reduction", "none");
  if (name == "none") return name;
  if (name == "add") return std::string("sum");
  if (name == "mul") return std::string("prod");
  if (name == "min" || name == "max") return name;
  return node.error("MO-ONNX-0211", "expected the reduction none, add, mul, min or max, got \"{}\"", name)
      .hint("export the model again with one of these");
}

/// ScatterElements-16 brought the reduction.
Replacement scatter_elements(const FrameworkNode& node, Rewriter& rw, bool may_reduce) {
  MO_TRY(node.expect_inputs(3));
  const Value axis = rw.scalar(node.attr<std::int64_t>("axis", 0));
  const std::vector<Value> inputs = {node.input(0), node.input(1), node.input(2), axis};
  MO_ASSIGN(const std::string reduction, may_reduce ? ir_reduction(node) : Expected<std::string>("none"));
  if (reduction == "none") return rw.create(ops::v3::ScatterElementsUpdate{}, inputs);
  Op op = ops::v12::ScatterElementsUpdate{};
  MO_TRY(op.set_attribute("reduction", reduction));
  return rw.create(std::move(op), inputs);
}

Replacement scatter_elements_without_reduction(const FrameworkNode& node, Rewriter& rw) {
  return scatter_elements(node, rw, false);
}
Replacement scatter_elements_with_reduction(const FrameworkNode& node, Rewriter& rw) {
  return scatter_elements(node, rw, true);
}

Expected<Op> scatter_nd_with_reduction(const FrameworkNode& node) {
  MO_ASSIGN(const std::string reduction, ir_reduction(node));
  if (reduction == "none") return ops::v3::ScatterNDUpdate{};
  Op op = ops::v15::ScatterNDUpdate{};
  MO_TRY(op.set_attribute("reduction", reduction));
  return op;
}

}  // namespace

/// Ops that pick or place elements by index.
void register_gather_scatter(OperatorTable& table) {
  table.translate("Gather", since(1), [](const FrameworkNode& node, Rewriter& rw) {
    return gathered(node, rw, node.attr<std::int64_t>("axis", 0));
  });
  // Inputs 2 and 3 matter in training only.
  table.translate("com.microsoft::TorchEmbedding", since(1), [](const FrameworkNode& node, Rewriter& rw) {
    for (const std::size_t i : {2U, 3U})
      node.ignore_input(i, "how gradients are computed: padding_idx and scale_grad_by_freq");
    return gathered(node, rw, 0);
  });
  table.translate("GatherElements", since(11), gather_elements);
  // `batch_dims` came with opset 12.
  table.extract("GatherND", versions(11, 11), [](const FrameworkNode&) -> Expected<Op> { return ops::GatherND{}; });
  table.extract("GatherND", since(12), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::GatherND{.batch_dims = node.attr<std::int64_t>("batch_dims", 0)};
  });

  table.translate("Scatter", since(9), scatter_elements_without_reduction);  // deprecated with opset 11, still met
  table.translate("ScatterElements", versions(11, 15), scatter_elements_without_reduction);
  table.translate("ScatterElements", since(16), scatter_elements_with_reduction);
  table.extract("ScatterND", versions(11, 15),
                [](const FrameworkNode&) -> Expected<Op> { return ops::v3::ScatterNDUpdate{}; });
  table.extract("ScatterND", since(16), scatter_nd_with_reduction);
}

}  // namespace mo::onnx
