#include "frontends/caffe/ops/support/layer_ports.hpp"

namespace mo::caffe {
namespace {

/// All kinds share `convolution_param`. The number of spatial axes is that of the filters: the replacer spreads the lists over them.
Expected<Op> convolution(const Layer& layer, std::string_view name, bool depthwise) {
  constexpr std::string_view kMessage = "convolution_param";
  MO_TRY(expect_bottoms_from(layer, 1));
  MO_TRY(expect_tops(layer, layer.bottoms()));
  const bool bias = layer.flag("convolution_param.bias_term", true);
  MO_TRY(expect_blobs(layer, bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "convolution_param.num_output", 0));
  // Forks whose layer is depthwise by its type: every channel is a group of its own unless `group` says otherwise.
  MO_ASSIGN(const std::int64_t group, size_of(layer, "convolution_param.group", depthwise ? outputs : 1));
  if (outputs % group != 0)
    return layer.error("MO-CAFFE-0102", "num_output {} does not divide into {} groups", outputs, group).hint("correct the prototxt");
  MO_ASSIGN(const std::vector<std::int64_t> kernel, window_numbers(layer, kMessage, "kernel_size", "kernel", 1));
  if (kernel.empty()) return layer.error("MO-CAFFE-0102", "kernel_size is missing").hint("give kernel_size, or kernel_h and kernel_w");
  MO_ASSIGN(const std::vector<std::int64_t> strides, window_numbers(layer, kMessage, "stride", "stride", 1));
  MO_ASSIGN(const std::vector<std::int64_t> pads, window_numbers(layer, kMessage, "pad", "pad", 0));
  MO_ASSIGN(const std::vector<std::int64_t> dilations, window_numbers(layer, kMessage, "dilation", "dilation", 1));
  return layer_op(layer, name,
                  {{"num_output", outputs},
                   {"group", group},
                   {"bias_term", bias},
                   {"axis", layer.integer("convolution_param.axis", 1)},
                   {"kernel", kernel},
                   {"strides", strides},
                   {"pads", pads},
                   {"dilations", dilations}});
}

Extractor convolution_as(std::string_view name, bool depthwise = false) {
  return [=](const FrameworkNode& node) { return convolution(Layer(node), name, depthwise); };
}

}  // namespace

void register_convolution(OperatorTable& table) {
  table.extract("Convolution", convolution_as("CaffeConvolution"));
  table.extract("DepthwiseConvolution", convolution_as("CaffeConvolution", true));
  table.extract("ConvolutionDepthwise", convolution_as("CaffeConvolution", true));
  table.extract("Deconvolution", convolution_as("CaffeDeconvolution"));
}

}  // namespace mo::caffe
