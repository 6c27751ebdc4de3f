#include "ops/slice.hpp"

#include <numeric>

#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {
namespace {

/// Slice-1: attributes, and steps of one.
Replacement slice_by_attributes(const FrameworkNode& node, Rewriter& rw) {
  using Integers = std::vector<std::int64_t>;
  MO_TRY(node.expect_inputs(1));
  const auto starts = node.required<Integers>("starts");
  const auto ends = node.required<Integers>("ends");
  Integers in_order(starts.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  const auto axes = node.attr("axes", in_order);
  if (node.failure()) return *node.failure();
  if (starts.size() != ends.size() || axes.size() != starts.size())
    return node
        .error("MO-ONNX-0210", "there are {} starts, {} ends and {} axes", starts.size(), ends.size(), axes.size())
        .hint("each sliced axis has one start and one end");
  return rw.create(ops::Slice{}, node.input(0), rw.integers(starts), rw.integers(ends),
                   rw.integers(Integers(starts.size(), 1)), rw.integers(axes));
}

/// Ones, as many as `starts` has elements.
Value unit_steps(Rewriter& rw, const Value& starts) {
  if (const auto count = starts.type().shape.element_count(); count && *count <= kMostKnownNumbers)
    return rw.integers(std::vector<std::int64_t>(static_cast<std::size_t>(*count), 1));
  return repeat(rw, rw.scalar<std::int64_t>(1), shape_of(rw, starts));
}

/// ONNX: data, starts, ends, axes, steps; the IR has the steps before the axes.
Replacement slice_by_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Value starts = node.input(1);
  std::vector<Value> inputs = {node.input(0), starts, node.input(2),
                               node.input(4) ? node.input(4) : unit_steps(rw, starts)};
  if (node.input(3)) inputs.push_back(node.input(3));
  return rw.create(ops::Slice{}, inputs);
}

}  // namespace

void register_slice(OperatorTable& table) {
  table.translate("Slice", versions(1, 9), slice_by_attributes);
  table.translate("Slice", since(10), slice_by_inputs);
  table.translate("DynamicSlice", since(1), slice_by_inputs);  // an experiment of old exporters: Slice-10 without steps
}

}  // namespace mo::onnx
