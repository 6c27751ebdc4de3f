#include "core/registry/operator_table.hpp"
#include "ops/cum_sum.hpp"

namespace mo::onnx {
namespace {

/// Axes as an attribute, in older versions.
Extractor reduction_by_attribute(std::string_view kind) {
  return [kind](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxReduction",
                    {{"kind", kind}, {"keepdims", node.attr("keepdims", true)}, {"axes", node.attr<std::vector<std::int64_t>>("axes", {})}});
  };
}

/// Axes as an input; when there are none, all axes or (noop_with_empty_axes) no reduction.
Expected<Op> reduction_by_input(const FrameworkNode& node, std::string_view kind) {
  return front_op("OnnxReduction",
                  {{"kind", kind}, {"keepdims", node.attr("keepdims", true)}, {"noop_with_empty_axes", node.attr("noop_with_empty_axes", false)}});
}

void add_reduction(OperatorTable& table, std::string_view kind, std::int64_t axes_are_input_since) {
  const std::string op = "Reduce" + std::string(kind);
  table.extract(op, versions(1, axes_are_input_since - 1), reduction_by_attribute(kind));
  table.extract(op, since(axes_are_input_since), [kind](const FrameworkNode& node) { return reduction_by_input(node, kind); });
}

Expected<Op> arg_extreme(const FrameworkNode& node, std::string_view mode, bool may_select_last) {
  return front_op("OnnxArgExtreme", {{"mode", mode},
                                     {"axis", node.attr<std::int64_t>("axis", 0)},
                                     {"keepdims", node.attr("keepdims", true)},
                                     {"select_last_index", may_select_last && node.attr("select_last_index", false)}});
}

void add_arg_extreme(OperatorTable& table, const std::string& op, std::string_view mode) {
  table.extract(op, versions(1, 11), [mode](const FrameworkNode& node) { return arg_extreme(node, mode, false); });
  table.extract(op, since(12), [mode](const FrameworkNode& node) { return arg_extreme(node, mode, true); });
}

}  // namespace

void register_reduction(OperatorTable& table) {
  add_reduction(table, "Sum", 13);
  for (const std::string_view kind : {"Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare"}) add_reduction(table, kind, 18);
  add_arg_extreme(table, "ArgMax", "max");
  add_arg_extreme(table, "ArgMin", "min");

  // TopK-1 has k as an attribute, TopK-10 as an input, TopK-11 chooses the order.
  table.extract("TopK", versions(1, 9), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxTopK", {{"axis", node.attr<std::int64_t>("axis", -1)}, {"k", node.required<std::int64_t>("k")}});
  });
  table.extract("TopK", versions(10, 10), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxTopK", {{"axis", node.attr<std::int64_t>("axis", -1)}});
  });
  table.extract("TopK", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxTopK",
                    {{"axis", node.attr<std::int64_t>("axis", -1)}, {"largest", node.attr("largest", true)}, {"sorted", node.attr("sorted", true)}});
  });
  table.extract("CumSum", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::CumSum{.exclusive = node.attr("exclusive", false), .reverse = node.attr("reverse", false)};
  });
}

}  // namespace mo::onnx
