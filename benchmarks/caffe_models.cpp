#include "benchmarks/caffe_models.hpp"

#include <fmt/format.h>

#include "benchmarks/caffe_writer.hpp"
#include "benchmarks/resnet50.hpp"

namespace mo::benchmarks {
namespace {

std::string convolution(CaffeWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                        std::int64_t to, std::int64_t kernel, std::int64_t stride, bool activation) {
  // A spread that keeps activations in range through fifty layers.
  const CaffeBlob weights{{to, from, kernel, kernel}, 1.0F / static_cast<float>(kernel * 16)};
  const std::string conv =
      w.layer("Convolution", name, {x},
              fmt::format("convolution_param {{ num_output: {} kernel_size: {} stride: {} pad: {} bias_term: false }}",
                          to, kernel, stride, kernel / 2),
              {weights});
  w.layer("BatchNorm", name + "/bn", {conv}, "batch_norm_param { use_global_stats: true eps: 1e-5 }",
          {{{to}, 0.1F}, {{to}, 0.5F, 1.0F}, {{1}, 0, 1.0F}}, conv);
  w.layer("Scale", name + "/scale", {conv}, "scale_param { bias_term: true }", {{{to}, 0.2F, 1.0F}, {{to}, 0.1F}},
          conv);
  if (activation) w.layer("ReLU", name + "/relu", {conv}, {}, {}, conv);
  return conv;
}

std::string bottleneck(CaffeWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                       std::int64_t middle, std::int64_t stride) {
  const std::int64_t to = 4 * middle;
  const std::string reduced = convolution(w, name + "/conv1", x, from, middle, 1, stride, true);
  const std::string spatial = convolution(w, name + "/conv2", reduced, middle, middle, 3, 1, true);
  const std::string expanded = convolution(w, name + "/conv3", spatial, middle, to, 1, 1, false);
  const std::string shortcut =
      from == to && stride == 1 ? x : convolution(w, name + "/shortcut", x, from, to, 1, stride, false);
  const std::string sum = w.layer("Eltwise", name + "/sum", {shortcut, expanded});
  return w.layer("ReLU", name + "/relu", {sum}, {}, {}, sum);
}

}  // namespace

bool write_caffe_resnet50(const std::string& path) {
  CaffeWriter w(path);
  std::string x = convolution(w, "stem", w.input("data", {1, 3, 224, 224}), 3, 64, 7, 2, true);
  x = w.layer("Pooling", "pool1", {x}, "pooling_param { pool: MAX kernel_size: 3 stride: 2 }");
  x = resnet50_bottlenecks(
      x, [&](const std::string& name, const std::string& from, std::int64_t channels, std::int64_t middle,
             std::int64_t stride) { return bottleneck(w, name, from, channels, middle, stride); });
  x = w.layer("Pooling", "pool5", {x}, "pooling_param { pool: AVE global_pooling: true }");
  x = w.layer("InnerProduct", "fc1000", {x}, "inner_product_param { num_output: 1000 }",
              {{{1000, kResnet50Channels}, 0.05F}, {{1000}, 0.05F}});
  w.layer("Softmax", "prob", {x});
  return w.finish();
}

bool write_caffe_inner_product(const std::string& path) {
  constexpr std::int64_t kWidth = 2048;
  constexpr int kLayers = 6;  // 16 MB each
  CaffeWriter w(path);
  std::string x = w.input("data", {1, kWidth});
  for (int i = 0; i < kLayers; ++i) {
    x = w.layer("InnerProduct", fmt::format("fc{}", i), {x},
                fmt::format("inner_product_param {{ num_output: {} }}", kWidth),
                {{{kWidth, kWidth}, 0.02F}, {{kWidth}, 0.02F}});
    w.layer("ReLU", fmt::format("relu{}", i), {x}, {}, {}, x);
  }
  return w.finish();
}

}  // namespace mo::benchmarks
