#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

Expected<Op> loss(const FrameworkNode& node, std::string_view name) {
  const std::string reduction = node.attr("reduction", "mean");
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    return node.error("MO-ONNX-0140", "reduction is \"{}\"", reduction).hint("it is one of none, sum, mean");
  AttributeMap attributes{{"reduction", reduction}};
  if (const auto index = node.optional_attr<std::int64_t>("ignore_index")) attributes.set("ignore_index", *index);
  return front_op(name, std::move(attributes));
}

}  // namespace

void register_loss(OperatorTable& table) {
  table.extract("NegativeLogLikelihoodLoss", since(12), [](const FrameworkNode& node) { return loss(node, "OnnxNegativeLogLikelihoodLoss"); });
  table.extract("SoftmaxCrossEntropyLoss", since(12), [](const FrameworkNode& node) { return loss(node, "OnnxSoftmaxCrossEntropyLoss"); });
}

}  // namespace mo::onnx
