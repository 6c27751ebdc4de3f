#include "core/registry/operator_table.hpp"
#include "frontends/onnx/ops/support/front_only.hpp"
#include "frontends/onnx/ops/support/window.hpp"

namespace mo::onnx {
namespace {

/// The axis is only given when there is a scale for each place along it.
Expected<Op> linear(const FrameworkNode& node, std::string_view name) {
  node.ignore({"saturate", "block_size"});
  if (node.attr<std::int64_t>("block_size", 0) != 0)
    return node.error("MO-ONNX-0444", "block_size is given").hint("use the operator of the default domain, opset 21, for blocks");
  if (const auto axis = node.optional_attr<std::int64_t>("axis")) return front_op(name, {{"axis", *axis}});
  return front_op(name);
}

Expected<Op> quantized_average_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_window(node));
  if (window.kernel.empty()) return node.error("MO-ONNX-0103", "attribute kernel_shape is missing").hint("check how the model was exported");
  AttributeMap attributes = to_attributes(window);
  for (const std::string_view name : {"ceil_mode", "count_include_pad", "channels_last"}) attributes.set(name, node.attr(name, false));
  return front_op("MicrosoftQLinearAveragePool", std::move(attributes));
}

Expected<Op> quantized_convolution(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_window(node));
  AttributeMap attributes = to_attributes(window);
  const auto group = node.attr<std::int64_t>("group", 1);
  if (group < 1) return node.error("MO-ONNX-0102", "group is {}, which is not positive", group).hint("check how the model was exported");
  attributes.set("group", group);
  return front_op(node.attr("channels_last", false) ? "MicrosoftQLinearConv" : "OnnxQLinearConv", std::move(attributes));
}

/// `opset` says by which version of ONNX's Softmax the axis counts: until 12 the data are a matrix that is split there.
Expected<Op> softmax(const FrameworkNode& node) {
  const bool rows = node.attr<std::int64_t>("opset", 13) < 13;
  return front_op("MicrosoftQLinearSoftmax", {{"axis", node.attr<std::int64_t>("axis", rows ? 1 : -1)}, {"rows", rows}});
}

Expected<Op> reduction(const FrameworkNode& node, std::string_view name) {
  return front_op(name, {{"axes", node.attr<std::vector<std::int64_t>>("axes", {})}, {"keepdims", node.attr("keepdims", true)}});
}

Expected<Op> matmul_of_bits(const FrameworkNode& node) {
  node.ignore({"accuracy_level", "weight_prepacked"});
  const auto bits = node.attr<std::int64_t>("bits", 4);
  const auto rows = node.required<std::int64_t>("N");
  const auto columns = node.required<std::int64_t>("K");
  const auto block = node.required<std::int64_t>("block_size");
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  constexpr std::int64_t kLargestBlock = 1 << 16;
  if (bits != 4 && bits != 8)
    return node.error("MO-ONNX-0444", "weights have {} bits", bits).hint("constants of an IR have 4 or 8: quantise the model to one of them");
  if (rows < 1 || rows > kMost || columns < 1 || columns > kMost || block < 2 || block > kLargestBlock || block % 2 != 0)
    return node.error("MO-ONNX-0445", "N is {}, K is {}, block_size is {}", rows, columns, block).hint("check how the model was exported");
  if (node.has_input(4))
    return node.error("MO-ONNX-0444", "the columns are reordered (g_idx), so that blocks are not next to each other")
        .hint("quantise the model without reordering (act_order, desc_act)");
  return front_op("MicrosoftMatMulNBits", {{"bits", bits}, {"N", rows}, {"K", columns}, {"block_size", block}});
}

}  // namespace

/// Quantised operators of ONNX Runtime (domain com.microsoft).
void register_microsoft_quantization(OperatorTable& table) {
  table.extract("com.microsoft::QuantizeLinear", since(1), [](const FrameworkNode& node) { return linear(node, "OnnxQuantizeLinear"); });
  table.extract("com.microsoft::DequantizeLinear", since(1), [](const FrameworkNode& node) { return linear(node, "OnnxDequantizeLinear"); });
  table.extract("com.microsoft::QLinearAdd", since(1), front_only("MicrosoftQLinearAdd"));
  table.extract("com.microsoft::QLinearMul", since(1), front_only("MicrosoftQLinearMul"));
  table.extract("com.microsoft::QLinearWhere", since(1), front_only("MicrosoftQLinearWhere"));
  table.extract("com.microsoft::QLinearSigmoid", since(1), front_only("MicrosoftQLinearSigmoid"));
  table.extract("com.microsoft::QLinearSoftmax", since(1), softmax);
  table.extract("com.microsoft::QLinearLeakyRelu", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQLinearLeakyRelu", {{"alpha", node.attr("alpha", 0.01)}});
  });
  table.extract("com.microsoft::QLinearConcat", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQLinearConcat", {{"axis", node.required<std::int64_t>("axis")}});
  });
  table.extract("com.microsoft::QLinearGlobalAveragePool", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQLinearGlobalAveragePool", {{"channels_last", node.attr("channels_last", false)}});
  });
  table.extract("com.microsoft::QLinearAveragePool", since(1), quantized_average_pool);
  table.extract("com.microsoft::QLinearReduceMean", since(1), [](const FrameworkNode& node) { return reduction(node, "MicrosoftQLinearReduceMean"); });
  table.extract("com.microsoft::QLinearConv", since(1), quantized_convolution);
  table.extract("com.microsoft::QGemm", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQGemm",
                    {{"alpha", node.attr("alpha", 1.0)}, {"transA", node.attr("transA", false)}, {"transB", node.attr("transB", false)}});
  });
  table.extract("com.microsoft::MatMulIntegerToFloat", since(1), front_only("MicrosoftMatMulIntegerToFloat"));
  table.extract("com.microsoft::MatMulInteger16", since(1), front_only("OnnxMatMulInteger"));
  table.extract("com.microsoft::DynamicQuantizeMatMul", since(1), front_only("MicrosoftDynamicQuantizeMatMul"));
  table.extract("com.microsoft::MulInteger", since(1), front_only("MicrosoftMulInteger"));
  table.extract("com.microsoft::ReduceSumInteger", since(1), [](const FrameworkNode& node) { return reduction(node, "MicrosoftReduceSumInteger"); });
  table.extract("com.microsoft::MatMulNBits", since(1), matmul_of_bits);
}

}  // namespace mo::onnx
