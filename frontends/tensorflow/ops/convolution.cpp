#include "frontends/tensorflow/ops/support/spatial_window.hpp"

namespace mo::tensorflow {
namespace {

/// The window of a convolution, as attributes of a front-only op.
Expected<AttributeMap> convolution_attributes(const FrameworkNode& node, std::size_t axes) {
  node.ignore({"use_cudnn_on_gpu", "batch_dims"});
  MO_ASSIGN(const DataLayout layout, read_layout(node, axes));
  MO_ASSIGN(const std::vector<std::int64_t> strides, read_spatial(node, "strides", axes, layout));
  const std::vector<std::int64_t> ones(axes + 2, 1);
  MO_ASSIGN(const std::vector<std::int64_t> dilations, read_spatial(node, "dilations", axes, layout, ones));
  MO_ASSIGN(const Padding padding, read_padding(node, axes, layout));
  return AttributeMap{{"strides", strides},
                      {"dilations", dilations},
                      {"pads_begin", padding.begin},
                      {"pads_end", padding.end},
                      {"auto_pad", to_attribute(padding.auto_pad)},
                      {"layout", to_attribute(layout)}};
}

Extractor forward(std::size_t axes, bool depthwise) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, convolution_attributes(node, axes));
    attributes.set("depthwise", depthwise);
    return front_op("TfConvolution", std::move(attributes));
  };
}

/// Grappler's convolutions with what stands behind them.
Extractor fused(bool depthwise) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"num_args", "TArgs", "num_host_args", "host_args"});
    if (const std::string format = node.attr("filter_format", "HWIO"); format != "HWIO")
      return node.error("MO-TF-0621", "filter_format is {}", format).hint("HWIO is possible; other formats are made for one kind of device");
    MO_ASSIGN(AttributeMap attributes, convolution_attributes(node, 2));
    attributes.set("depthwise", depthwise);
    attributes.set("fused_ops", node.attr<std::vector<std::string>>("fused_ops", {}));
    attributes.set("epsilon", node.attr("epsilon", 1e-4));
    attributes.set("leakyrelu_alpha", node.attr("leakyrelu_alpha", 0.2));
    return front_op("TfConvolution", std::move(attributes));
  };
}

/// `sizes_are_data`: input 0 is a tensor whose sizes are meant, not the sizes themselves.
Extractor backward(std::size_t axes, bool depthwise, bool sizes_are_data) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, convolution_attributes(node, axes));
    attributes.set("depthwise", depthwise);
    attributes.set("sizes_are_data", sizes_are_data);
    return front_op("TfConvolutionBackprop", std::move(attributes));
  };
}

}  // namespace

void register_convolution(OperatorTable& table) {
  table.extract("Conv2D", forward(2, false));
  table.extract("Conv3D", forward(3, false));
  table.extract("DepthwiseConv2dNative", forward(2, true));
  table.extract("_FusedConv2D", fused(false));
  table.extract("_FusedDepthwiseConv2dNative", fused(true));
  table.extract("Conv2DBackpropInput", backward(2, false, false));
  table.extract("Conv3DBackpropInput", backward(3, false, true));
  table.extract("Conv3DBackpropInputV2", backward(3, false, false));
  table.extract("DepthwiseConv2dNativeBackpropInput", backward(2, true, false));
}

}  // namespace mo::tensorflow
