#include "core/registry/operator_table.hpp"
#include "frontends/onnx/ops/support/front_only.hpp"
#include "frontends/onnx/ops/support/window.hpp"
#include "ops/gather_nd.hpp"
#include "ops/grid_sample.hpp"

namespace mo::onnx {
namespace {

using Numbers = std::vector<double>;

AttributeMap product(const FrameworkNode& node) {
  return {{"alpha", node.attr("alpha", 1.0)}, {"transA", node.attr("transA", false)}, {"transB", node.attr("transB", false)}};
}

/// The parameters of an activation as up to two numbers; the second one only beside the first.
Numbers numbered(const FrameworkNode& node, std::string_view first, std::string_view second, double usual_first) {
  const auto a = node.optional_attr<double>(first);
  const auto b = node.optional_attr<double>(second);
  if (b) return {a.value_or(usual_first), *b};
  return a ? Numbers{*a} : Numbers{};
}

Expected<Op> fused_matmul(const FrameworkNode& node) {
  AttributeMap attributes = product(node);
  for (const std::string_view name : {"transBatchA", "transBatchB"}) attributes.set(name, node.attr(name, false));
  return front_op("MicrosoftFusedMatMul", std::move(attributes));
}

Expected<Op> fused_matmul_activation(const FrameworkNode& node) {
  MO_ASSIGN(Op op, fused_matmul(node));
  node.ignore({"activation_axis"});
  MO_TRY(op.set_attribute("activation", node.required<std::string>("activation")));
  MO_TRY(op.set_attribute("parameters", numbered(node, "activation_alpha", "activation_beta", 0)));
  return op;
}

Expected<Op> fused_gemm(const FrameworkNode& node) {
  node.ignore({"activation_gamma"});
  AttributeMap attributes = product(node);
  attributes.set("beta", node.attr("beta", 1.0));
  attributes.set("activation", node.attr("activation", ""));
  attributes.set("parameters", numbered(node, "activation_alpha", "activation_beta", 0));
  return front_op("MicrosoftFusedGemm", std::move(attributes));
}

/// A convolution with an activation behind it.
Expected<Op> convolution(const FrameworkNode& node, std::string_view name) {
  MO_ASSIGN(const Window window, read_window(node));
  AttributeMap attributes = to_attributes(window);
  const auto group = node.attr<std::int64_t>("group", 1);
  if (group < 1) return node.error("MO-ONNX-0102", "group is {}, which is not positive", group).hint("check how the model was exported");
  attributes.set("group", group);
  attributes.set("activation", node.attr("activation", ""));
  attributes.set("parameters", node.attr<Numbers>("activation_params", {}));
  return front_op(name, std::move(attributes));
}

/// Pads are an input: the convolution itself is made without.
Expected<Op> transposed_convolution(const FrameworkNode& node) {
  MO_ASSIGN(Window window, read_window(node));
  if (window.auto_pad != ops::AutoPad::explicit_pads && node.has_input(2))
    return node.error("MO-ONNX-0444", "both auto_pad and pads are given").hint("check how the model was exported");
  AttributeMap attributes = to_attributes(window);
  const auto group = node.attr<std::int64_t>("group", 1);
  if (group < 1) return node.error("MO-ONNX-0102", "group is {}, which is not positive", group).hint("check how the model was exported");
  const auto padding = node.attr<std::vector<std::int64_t>>("output_padding", {});
  if (std::any_of(padding.begin(), padding.end(), [](std::int64_t v) { return v < 0; }))
    return node.error("MO-ONNX-0102", "output_padding has a negative number").hint("check how the model was exported");
  attributes.set("group", group);
  attributes.set("output_padding", padding);
  attributes.set("odd_pad_first", window.auto_pad != ops::AutoPad::same_upper);
  return front_op("MicrosoftConvTransposeWithDynamicPads", std::move(attributes));
}

Expected<Op> nhwc_max_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_window(node));
  if (window.kernel.empty()) return node.error("MO-ONNX-0103", "attribute kernel_shape is missing").hint("check how the model was exported");
  AttributeMap attributes = to_attributes(window);
  attributes.set("ceil_mode", node.attr("ceil_mode", false));
  return front_op("MicrosoftNhwcMaxPool", std::move(attributes));
}

Expected<Op> crop_and_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest") return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is bilinear or nearest");
  return front_op("MicrosoftCropAndResize", {{"method", mode}, {"extrapolation_value", node.attr("extrapolation_value", 0.0)}});
}

Expected<Op> grid_sample(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "bilinear");
  const std::string padding = node.attr("padding_mode", "zeros");
  if ((mode != "bilinear" && mode != "nearest" && mode != "bicubic") || (padding != "zeros" && padding != "border" && padding != "reflection"))
    return node.error("MO-ONNX-0214", "mode is \"{}\", padding_mode is \"{}\"", mode, padding)
        .hint("modes are bilinear, nearest and bicubic, paddings zeros, border and reflection");
  Op op = ops::GridSample{};
  MO_TRY(op.set_attribute("align_corners", node.attr("align_corners", false)));
  MO_TRY(op.set_attribute("mode", mode));
  MO_TRY(op.set_attribute("padding_mode", padding));
  return op;
}

Expected<Op> group_norm(const FrameworkNode& node) {
  const auto groups = node.required<std::int64_t>("groups");
  const auto activation = node.attr<std::int64_t>("activation", 0);
  if (groups < 1 || (activation != 0 && activation != 1))
    return node.error("MO-ONNX-0449", "groups is {}, activation is {}", groups, activation).hint("the activation is none (0) or SiLU (1)");
  return front_op(
      "MicrosoftGroupNorm",
      {{"groups", groups}, {"epsilon", node.attr("epsilon", 1e-5)}, {"swish", activation == 1}, {"channels_last", node.attr("channels_last", true)}});
}

Expected<Op> fourier(const FrameworkNode& node, bool inverse) {
  const auto axes = node.required<std::int64_t>("signal_ndim");
  if (axes < 1 || axes > 3) return node.error("MO-ONNX-0449", "signal_ndim is {}", axes).hint("signals have 1 to 3 dimensions");
  if (node.attr("normalized", false) || !node.attr("onesided", true))
    return node.error("MO-ONNX-0444", "the transform is normalized or has both sides").hint("export it with normalized=0 and onesided=1");
  return front_op("MicrosoftFourier", {{"axes", axes}, {"inverse", inverse}});
}

Expected<Op> distances(const FrameworkNode& node) {
  const std::string metric = node.attr("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean")
    return node.error("MO-ONNX-0444", "metric is \"{}\"", metric).hint("distances are euclidean or sqeuclidean");
  return front_op("MicrosoftCDist", {{"squared", metric == "sqeuclidean"}});
}

}  // namespace

/// Products, convolutions and what else has no better place (domain com.microsoft).
void register_microsoft_matrix(OperatorTable& table) {
  table.extract("com.microsoft::FusedMatMul", since(1), fused_matmul);
  table.extract("com.microsoft::TransposeMatMul", since(1), fused_matmul);
  table.extract("com.microsoft::FusedMatMulActivation", since(1), fused_matmul_activation);
  table.extract("com.microsoft::FusedGemm", since(1), fused_gemm);
  table.extract("com.microsoft::GemmFastGelu", since(1), front_only("MicrosoftGemmFastGelu"));
  table.extract("com.microsoft::FusedConv", since(1), [](const FrameworkNode& node) { return convolution(node, "MicrosoftFusedConv"); });
  table.extract("com.microsoft::NhwcConv", since(1), [](const FrameworkNode& node) { return convolution(node, "MicrosoftNhwcConv"); });
  table.extract("com.microsoft::NhwcFusedConv", since(1), [](const FrameworkNode& node) { return convolution(node, "MicrosoftNhwcConv"); });
  table.extract("com.microsoft::NhwcMaxPool", since(1), nhwc_max_pool);
  table.extract("com.microsoft::ConvTransposeWithDynamicPads", since(1), transposed_convolution);
  table.extract("com.microsoft::CropAndResize", since(1), crop_and_resize);
  table.extract("com.microsoft::GridSample", since(1), grid_sample);
  table.extract("com.microsoft::GroupNorm", since(1), group_norm);
  table.extract("com.microsoft::ExpandDims", since(1), front_only("MicrosoftExpandDims"));
  table.extract("com.microsoft::Inverse", since(1), front_only("MicrosoftInverse"));
  table.extract("com.microsoft::Pad", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftPad", {{"mode", node.attr("mode", "constant")}});
  });
  table.extract("com.microsoft::Range", since(1), front_only("MicrosoftRange"));
  table.extract("com.microsoft::Rfft", since(1), [](const FrameworkNode& node) { return fourier(node, false); });
  table.extract("com.microsoft::Irfft", since(1), [](const FrameworkNode& node) { return fourier(node, true); });
  table.extract("com.microsoft::Trilu", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxTrilu", {{"upper", node.attr("upper", true)}});
  });
  table.extract("com.microsoft::Unique", since(1), front_only("MicrosoftUnique"));
  table.extract("com.microsoft::GatherND", since(1), [](const FrameworkNode&) -> Expected<Op> { return ops::GatherND{}; });
  table.extract("com.microsoft::ComplexMul", since(1), front_only("MicrosoftComplexMul"));
  table.extract("com.microsoft::ComplexMulConj", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("MicrosoftComplexMul", {{"conjugate", true}});
  });
  table.extract("com.microsoft::CDist", since(1), distances);
  // Inputs 2 and 3 matter in training only.
  table.extract("com.microsoft::TorchEmbedding", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("OnnxGather", {{"axis", std::int64_t{0}}});
  });
}

}  // namespace mo::onnx
