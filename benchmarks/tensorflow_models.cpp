#include "benchmarks/tensorflow_models.hpp"

#include <fmt/format.h>

#include <array>

#include "benchmarks/resnet50.hpp"
#include "benchmarks/tensorflow_writer.hpp"

namespace mo::benchmarks {
namespace {

using Attribute = TensorFlowAttribute;

Attribute type() { return Attribute::type("T"); }

std::string convolution(TensorFlowWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                        std::int64_t to, std::int64_t kernel, std::int64_t stride, bool activation) {
  // Attribute spread that keeps activations in range through fifty layers.
  const std::string weights =
      w.weight(name + "/weights", {kernel, kernel, from, to}, 1.0F / static_cast<float>(kernel * 16));
  const std::string conv = w.node(
      "Conv2D", {x, weights}, name + "/Conv2D",
      {Attribute::of("data_format", std::string_view("NHWC")), Attribute::of("padding", std::string_view("SAME")),
       Attribute::of("strides", std::vector<std::int64_t>{1, stride, stride, 1}), type()});
  const std::string gamma = w.weight(name + "/gamma", {to}, 0.2F, 1.0F);
  const std::string beta = w.weight(name + "/beta", {to}, 0.1F);
  const std::string mean = w.weight(name + "/moving_mean", {to}, 0.1F);
  const std::string variance = w.weight(name + "/moving_variance", {to}, 0.5F, 1.0F);
  const std::string normal =
      w.node("FusedBatchNormV3", {conv, gamma, beta, mean, variance}, name + "/FusedBatchNormV3",
             {Attribute::of("data_format", std::string_view("NHWC")), Attribute::of("epsilon", 1e-5F),
              Attribute::of("is_training", false), type(), Attribute::type("U")});
  return activation ? w.node("Relu", {normal}, name + "/Relu", {type()}) : normal;
}

std::string bottleneck(TensorFlowWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                       std::int64_t middle, std::int64_t stride) {
  const std::int64_t to = 4 * middle;
  const std::string reduced = convolution(w, name + "/conv1", x, from, middle, 1, 1, true);
  const std::string spatial = convolution(w, name + "/conv2", reduced, middle, middle, 3, stride, true);
  const std::string expanded = convolution(w, name + "/conv3", spatial, middle, to, 1, 1, false);
  const std::string shortcut =
      from == to && stride == 1 ? x : convolution(w, name + "/shortcut", x, from, to, 1, stride, false);
  const std::string sum = w.node("AddV2", {expanded, shortcut}, name + "/add", {type()});
  return w.node("Relu", {sum}, name + "/Relu", {type()});
}

}  // namespace

bool write_tensorflow_resnet50(const std::string& path) {
  TensorFlowWriter w(path);
  w.placeholder("input", {-1, 224, 224, 3});
  std::string x = convolution(w, "stem", "input", 3, 64, 7, 2, true);
  x = w.node(
      "MaxPool", {x}, "stem/MaxPool",
      {Attribute::of("data_format", std::string_view("NHWC")), Attribute::of("padding", std::string_view("SAME")),
       Attribute::of("ksize", std::vector<std::int64_t>{1, 3, 3, 1}),
       Attribute::of("strides", std::vector<std::int64_t>{1, 2, 2, 1}), type()});
  x = resnet50_bottlenecks(
      x, [&](const std::string& name, const std::string& from, std::int64_t channels, std::int64_t middle,
             std::int64_t stride) { return bottleneck(w, name, from, channels, middle, stride); });
  const std::string axes = w.integers("pool/axes", {1, 2});
  x = w.node("Mean", {x, axes}, "pool", {Attribute::of("keep_dims", false), type()});
  const std::string kernel = w.weight("logits/kernel", {kResnet50Channels, 1000}, 0.05F);
  const std::string bias = w.weight("logits/bias", {1000}, 0.05F);
  const std::string product = w.node("MatMul", {x, kernel}, "logits/MatMul", {type()});
  const std::string logits = w.node("BiasAdd", {product, bias}, "logits/BiasAdd", {type()});
  w.node("Softmax", {logits}, "predictions", {type()});
  return w.finish();
}

bool write_tensorflow_chain(const std::string& path, std::int64_t nodes) {
  // No two neighbours that an optimisation would merge.
  constexpr std::array<std::string_view, 5> kOps{"Sigmoid", "Tanh", "Softplus", "Erf", "AddV2"};
  TensorFlowWriter w(path);
  w.placeholder("input", {1, 8, 8, 3});
  const std::string weights = w.weight("weights", {3, 3, 3, 8}, 0.1F);
  const std::string bias = w.weight("bias", {8}, 0.1F);
  std::string last = w.node("Conv2D", {"input", weights}, "Conv2D",
                            {Attribute::of("padding", std::string_view("SAME")),
                             Attribute::of("strides", std::vector<std::int64_t>{1, 1, 1, 1}), type()});
  for (std::int64_t i = 0; i < nodes; ++i) {
    const std::string_view op = kOps[static_cast<std::size_t>(i) % kOps.size()];
    const std::string name = fmt::format("block_{}/{}_{}", i / 100, op, i);
    last = op == "AddV2" ? w.node(op, {last, bias}, name, {type()}) : w.node(op, {last}, name, {type()});
  }
  return w.finish();
}

bool write_tensorflow_checkpoint(const std::string& path) {
  constexpr std::int64_t kWidth = 2048;
  constexpr int kLayers = 25;  // 16 MB each
  TensorFlowWriter w(path);
  w.placeholder("input", {-1, kWidth});
  std::string x = "input";
  std::vector<CheckpointTensor> values;
  for (int i = 0; i < kLayers; ++i) {
    const std::string name = fmt::format("layer{}", i);
    values.push_back({name + "/kernel", {kWidth, kWidth}});
    const std::string kernel = w.node("VariableV2", {}, name + "/kernel",
                                      {Attribute::type("dtype"), Attribute::shape("shape", {kWidth, kWidth})});
    const std::string read = w.node("Identity", {kernel}, name + "/kernel/read", {type()});
    const std::string product = w.node("MatMul", {x, read}, name + "/MatMul", {type()});
    x = w.node("Relu", {product}, name + "/Relu", {type()});
  }
  return w.finish() && write_checkpoint(path + ".ckpt", std::move(values), 4);
}

}  // namespace mo::benchmarks
