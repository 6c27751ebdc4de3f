#include "core/registry/operator_table.hpp"
#include "ops/gather_elements.hpp"
#include "ops/gather_nd.hpp"
#include "ops/scatter.hpp"

namespace mo::onnx {
namespace {

Expected<Op> extract_scatter_elements(const FrameworkNode& node) {
  return front_op("OnnxScatterElements", {{"axis", node.attr<std::int64_t>("axis", 0)}, {"reduction", "none"}});
}

/// What the op set calls a reduction, as the IR calls it. Opset 16 knows none, add and mul, opset 18 also min and max.
Expected<std::string> ir_reduction(const FrameworkNode& node) {
  const std::string name = node.attr("reduction", "none");
  if (name == "none") return name;
  if (name == "add") return std::string("sum");
  if (name == "mul") return std::string("prod");
  if ((name == "min" || name == "max") && node.version() >= 18) return name;
  return node.error("MO-ONNX-0211", "reduction is \"{}\"", name).hint("reduction is none, add, mul, and from opset 18 on min or max");
}

}  // namespace

/// Ops that pick or place elements by index.
void register_gather_scatter(OperatorTable& table) {
  table.extract("Gather", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxGather", {{"axis", node.attr<std::int64_t>("axis", 0)}});
  });
  table.extract("GatherElements", since(11),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::GatherElements{.axis = node.attr<std::int64_t>("axis", 0)}; });
  // `batch_dims` came with opset 12.
  table.extract("GatherND", versions(11, 11), [](const FrameworkNode&) -> Expected<Op> { return ops::GatherND{}; });
  table.extract("GatherND", since(12),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::GatherND{.batch_dims = node.attr<std::int64_t>("batch_dims", 0)}; });

  table.extract("Scatter", versions(9, 10), extract_scatter_elements);
  table.extract("Scatter", since(11), extract_scatter_elements);  // deprecated, still met
  table.extract("ScatterElements", versions(11, 15), extract_scatter_elements);
  table.extract("ScatterElements", since(16), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::string reduction, ir_reduction(node));
    return front_op("OnnxScatterElements", {{"axis", node.attr<std::int64_t>("axis", 0)}, {"reduction", reduction}});
  });
  table.extract("ScatterND", versions(11, 15), [](const FrameworkNode&) -> Expected<Op> { return ops::v3::ScatterNDUpdate{}; });
  table.extract("ScatterND", since(16), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::string reduction, ir_reduction(node));
    if (reduction == "none") return ops::v3::ScatterNDUpdate{};
    Op op = ops::v15::ScatterNDUpdate{};
    MO_TRY(op.set_attribute("reduction", reduction));
    return op;
  });
}

}  // namespace mo::onnx
