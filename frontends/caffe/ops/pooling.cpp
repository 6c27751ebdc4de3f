#include <algorithm>

#include "frontends/caffe/ops/support/layer_ports.hpp"

namespace mo::caffe {
namespace {

Expected<std::string> pooling_method(const Layer& layer, std::string_view path) {
  const std::string method = layer.text(path, "MAX", {"MAX", "AVE", "STOCHASTIC"});
  if (method == "MAX" || method == "AVE" || method == "STOCHASTIC") return method;
  return bad_value(layer, path, method, "one of MAX, AVE, STOCHASTIC");
}

/// Whether a last window that does not fit completely counts. Caffe's `round_mode` and the older `ceil_mode` of forks: yes by default.
Expected<bool> rounds_up(const Layer& layer) {
  const std::string mode = layer.text("pooling_param.round_mode", "CEIL", {"CEIL", "FLOOR"});
  if (mode != "CEIL" && mode != "FLOOR") return bad_value(layer, "pooling_param.round_mode", mode, "one of CEIL, FLOOR");
  const bool ceil_mode = layer.flag("pooling_param.ceil_mode", true);
  return mode == "CEIL" && ceil_mode;
}

/// One number is meant for both axes; Caffe pools images.
void spread(std::vector<std::int64_t>& numbers, std::size_t axes, std::int64_t usual) {
  if (numbers.empty()) numbers.push_back(usual);
  if (numbers.size() == 1) numbers.assign(axes, std::int64_t{numbers.front()});
}

Expected<Op> pooling(const FrameworkNode& node) {
  const Layer layer(node);
  constexpr std::string_view kMessage = "pooling_param";
  MO_TRY(expect_bottoms(layer, 1));
  MO_ASSIGN(const std::string method, pooling_method(layer, "pooling_param.pool"));
  // The second top of MAX holds the places of the maxima.
  MO_TRY(expect_tops(layer, 1, method == "MAX" ? 2 : 1));
  MO_ASSIGN(const bool ceil, rounds_up(layer));
  if (layer.flag("pooling_param.global_pooling", false)) {
    for (const char* name : {"pad", "pad_h", "pad_w", "stride", "stride_h", "stride_w", "kernel_size", "kernel_h", "kernel_w"})
      node.ignore({fmt::format("{}.{}", kMessage, name)});
    return layer_op(layer, "CaffeGlobalPooling", {{"method", method}});
  }
  MO_ASSIGN(std::vector<std::int64_t> kernel, window_numbers(layer, kMessage, "kernel_size", "kernel", 1));
  if (kernel.empty())
    return layer.error("MO-CAFFE-0102", "kernel_size is missing").hint("give kernel_size, kernel_h and kernel_w, or global_pooling");
  MO_ASSIGN(std::vector<std::int64_t> strides, window_numbers(layer, kMessage, "stride", "stride", 1));
  MO_ASSIGN(std::vector<std::int64_t> pads, window_numbers(layer, kMessage, "pad", "pad", 0));
  const std::size_t axes = std::max<std::size_t>({kernel.size(), 2});
  spread(kernel, axes, 1);
  spread(strides, axes, 1);
  spread(pads, axes, 0);
  if (strides.size() != axes || pads.size() != axes)
    return layer.error("MO-CAFFE-0102", "the kernel has {} axes, stride has {} and pad has {}", axes, strides.size(), pads.size())
        .hint("give one number, or one for each axis");
  for (std::size_t i = 0; i < axes; ++i)
    if (pads[i] >= kernel[i])
      return layer.error("MO-CAFFE-0102", "pad {} is not smaller than the kernel {}", pads[i], kernel[i]).hint("Caffe does not pool padding alone");
  if (method == "STOCHASTIC" && std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad > 0; }))
    return layer.error("MO-CAFFE-0102", "STOCHASTIC pooling with pad").hint("Caffe pads for MAX and AVE only");
  return layer_op(layer, "CaffePooling", {{"method", method}, {"kernel", kernel}, {"strides", strides}, {"pads", pads}, {"ceil", ceil}});
}

/// Caffe SPP: level i of the pyramid pools into 2^i * 2^i bins.
Expected<Op> spatial_pyramid(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  constexpr std::int64_t kMostLevels = 10;
  const std::int64_t levels = layer.integer("spp_param.pyramid_height", 0);
  if (levels < 1 || levels > kMostLevels)
    return bad_value(layer, "spp_param.pyramid_height", levels, fmt::format("a number from 1 to {}", kMostLevels));
  MO_ASSIGN(const std::string method, pooling_method(layer, "spp_param.pool"));
  if (method == "STOCHASTIC") return bad_value(layer, "spp_param.pool", method, "MAX or AVE; a stochastic pyramid is not supported");
  return layer_op(layer, "CaffeSPP", {{"levels", levels}, {"method", method}});
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.extract("Pooling", pooling);
  table.extract("SPP", spatial_pyramid);
}

}  // namespace mo::caffe
