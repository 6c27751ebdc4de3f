#include "benchmarks/models.hpp"

#include <fmt/format.h>

#include <array>

#include "benchmarks/resnet50.hpp"

namespace mo::benchmarks {
namespace {

using A = OnnxAttribute;

/// Names of a scope: `in("query")` is "layer.3/attention/query".
class Scope {
 public:
  explicit Scope(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string operator()(std::string_view name) const { return fmt::format("{}/{}", prefix_, name); }

 private:
  std::string prefix_;
};

constexpr float kWeightSpread = 0.05F;

std::string dense(OnnxWriter& w, const Scope& in, const std::string& x, std::string_view name, std::int64_t from,
                  std::int64_t to) {
  const std::string kernel = w.weight(in(fmt::format("{}/kernel", name)), {from, to}, kWeightSpread);
  const std::string bias = w.weight(in(fmt::format("{}/bias", name)), {to}, kWeightSpread);
  const std::string product = w.node("MatMul", {x, kernel}, in(fmt::format("{}/MatMul", name)));
  return w.node("Add", {product, bias}, in(fmt::format("{}/Add", name)));
}

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, as opsets before 17 spell it.
std::string layer_normalization(OnnxWriter& w, const Scope& in, const std::string& x, std::int64_t hidden) {
  const std::string gamma = w.weight(in("gamma"), {hidden}, 0.1F, 1.0F);
  const std::string beta = w.weight(in("beta"), {hidden}, 0.1F);
  const std::string two = w.constant(in("two"), 2.0F);
  const std::string epsilon = w.constant(in("epsilon"), 1e-5F);
  const std::vector<A> last_axis{A::of("axes", std::vector<std::int64_t>{-1}), A::of("keepdims", std::int64_t{1})};
  const std::string mean = w.node("ReduceMean", {x}, in("mean"), last_axis);
  const std::string centred = w.node("Sub", {x, mean}, in("centred"));
  const std::string squared = w.node("Pow", {centred, two}, in("squared"));
  const std::string variance = w.node("ReduceMean", {squared}, in("variance"), last_axis);
  const std::string shifted = w.node("Add", {variance, epsilon}, in("shifted"));
  const std::string deviation = w.node("Sqrt", {shifted}, in("deviation"));
  const std::string normal = w.node("Div", {centred, deviation}, in("normal"));
  const std::string scaled = w.node("Mul", {normal, gamma}, in("scaled"));
  return w.node("Add", {scaled, beta}, in("out"));
}

/// The length of `axis` of x as a vector of one element.
std::string length_of(OnnxWriter& w, const Scope& in, const std::string& shape, std::string_view name,
                      std::int64_t axis) {
  const std::string index = w.constant(in(fmt::format("{}/index", name)), {}, {axis});
  const std::string axes = w.constant(in(fmt::format("{}/axes", name)), {1}, {0});
  const std::string scalar =
      w.node("Gather", {shape, index}, in(fmt::format("{}/Gather", name)), {A::of("axis", std::int64_t{0})});
  return w.node("Unsqueeze", {scalar, axes}, in(fmt::format("{}/Unsqueeze", name)));
}

std::string attention(OnnxWriter& w, const Scope& in, const std::string& x, const TransformerSize& size) {
  const std::int64_t width = size.hidden / size.heads;
  // [batch, sequence, heads, width]: exporters compute this shape from the input's.
  const std::string shape = w.node("Shape", {x}, in("Shape"));
  const std::string batch = length_of(w, in, shape, "batch", 0);
  const std::string sequence = length_of(w, in, shape, "sequence", 1);
  const std::string heads = w.constant(in("heads"), {1}, {size.heads});
  const std::string head_width = w.constant(in("width"), {1}, {width});
  const std::string all = w.constant(in("all"), {1}, {size.hidden});
  const std::string split =
      w.node("Concat", {batch, sequence, heads, head_width}, in("split_shape"), {A::of("axis", std::int64_t{0})});
  const std::string joined =
      w.node("Concat", {batch, sequence, all}, in("joined_shape"), {A::of("axis", std::int64_t{0})});

  const auto head = [&](std::string_view name, std::vector<std::int64_t> order) {
    const std::string flat = dense(w, in, x, name, size.hidden, size.hidden);
    const std::string parts = w.node("Reshape", {flat, split}, in(fmt::format("{}/Reshape", name)));
    return w.node("Transpose", {parts}, in(fmt::format("{}/Transpose", name)), {A::of("perm", std::move(order))});
  };
  const std::string query = head("query", {0, 2, 1, 3});
  const std::string key = head("key", {0, 2, 3, 1});
  const std::string value = head("value", {0, 2, 1, 3});
  const std::string root = w.constant(in("root_of_width"), 8.0F);
  const std::string scores = w.node("MatMul", {query, key}, in("scores"));
  const std::string scaled = w.node("Div", {scores, root}, in("scaled"));
  const std::string weights = w.node("Softmax", {scaled}, in("Softmax"), {A::of("axis", std::int64_t{-1})});
  const std::string context = w.node("MatMul", {weights, value}, in("context"));
  const std::string ordered =
      w.node("Transpose", {context}, in("ordered"), {A::of("perm", std::vector<std::int64_t>{0, 2, 1, 3})});
  const std::string flat = w.node("Reshape", {ordered, joined}, in("flat"));
  return dense(w, in, flat, "output", size.hidden, size.hidden);
}

/// x * (erf(x / sqrt(2)) + 1) * 0.5
std::string gelu(OnnxWriter& w, const Scope& in, const std::string& x) {
  const std::string root = w.constant(in("root_of_two"), 1.41421356F);
  const std::string one = w.constant(in("one"), 1.0F);
  const std::string half = w.constant(in("half"), 0.5F);
  const std::string divided = w.node("Div", {x, root}, in("Div"));
  const std::string erf = w.node("Erf", {divided}, in("Erf"));
  const std::string shifted = w.node("Add", {erf, one}, in("Add"));
  const std::string product = w.node("Mul", {x, shifted}, in("Mul"));
  return w.node("Mul", {product, half}, in("out"));
}

std::string embeddings(OnnxWriter& w, const TransformerSize& size) {
  const Scope in("embeddings");
  const std::string words = w.weight(in("words"), {size.vocabulary, size.hidden}, kWeightSpread);
  const std::string positions = w.weight(in("positions"), {size.positions, size.hidden}, kWeightSpread);
  const std::string word = w.node("Gather", {words, "input_ids"}, in("word"), {A::of("axis", std::int64_t{0})});
  const std::string shape = w.node("Shape", {"input_ids"}, in("Shape"));
  const std::string sequence = length_of(w, in, shape, "sequence", 1);
  const std::string start = w.constant(in("start"), {1}, {0});
  const std::string axes = w.constant(in("axes"), {1}, {0});
  const std::string position = w.node("Slice", {positions, start, sequence, axes}, in("position"));
  const std::string sum = w.node("Add", {word, position}, in("sum"));
  return layer_normalization(w, Scope("embeddings/normalization"), sum, size.hidden);
}

std::string convolution(OnnxWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                        std::int64_t to, std::int64_t kernel, std::int64_t stride, bool activation) {
  const Scope in(name);
  // A spread that keeps activations in range through fifty layers.
  const std::string weights =
      w.weight(in("weight"), {to, from, kernel, kernel}, 1.0F / static_cast<float>(kernel * 16));
  const std::int64_t pad = kernel / 2;
  const std::string conv = w.node("Conv", {x, weights}, in("Conv"),
                                  {A::of("dilations", std::vector<std::int64_t>{1, 1}), A::of("group", std::int64_t{1}),
                                   A::of("kernel_shape", std::vector<std::int64_t>{kernel, kernel}),
                                   A::of("pads", std::vector<std::int64_t>{pad, pad, pad, pad}),
                                   A::of("strides", std::vector<std::int64_t>{stride, stride})});
  const std::string scale = w.weight(in("scale"), {to}, 0.2F, 1.0F);
  const std::string bias = w.weight(in("bias"), {to}, 0.1F);
  const std::string mean = w.weight(in("mean"), {to}, 0.1F);
  const std::string variance = w.weight(in("variance"), {to}, 0.5F, 1.0F);
  const std::string normal = w.node("BatchNormalization", {conv, scale, bias, mean, variance}, in("BatchNormalization"),
                                    {A::of("epsilon", 1e-5F)});
  return activation ? w.node("Relu", {normal}, in("Relu")) : normal;
}

std::string bottleneck(OnnxWriter& w, const std::string& name, const std::string& x, std::int64_t from,
                       std::int64_t middle, std::int64_t stride) {
  const std::int64_t to = 4 * middle;
  const std::string reduced = convolution(w, name + "/conv1", x, from, middle, 1, 1, true);
  const std::string spatial = convolution(w, name + "/conv2", reduced, middle, middle, 3, stride, true);
  const std::string expanded = convolution(w, name + "/conv3", spatial, middle, to, 1, 1, false);
  const std::string shortcut =
      from == to && stride == 1 ? x : convolution(w, name + "/shortcut", x, from, to, 1, stride, false);
  const std::string sum = w.node("Add", {expanded, shortcut}, name + "/Add");
  return w.node("Relu", {sum}, name + "/Relu");
}

}  // namespace

OnnxWriter transformer(const TransformerSize& size) {
  OnnxWriter w("transformer", 13);
  w.input("input_ids", OnnxType::i64, {"batch", "sequence"});
  std::string x = embeddings(w, size);
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    const std::string prefix = fmt::format("layer.{}", layer);
    const std::string attended = attention(w, Scope(prefix + "/attention"), x, size);
    const std::string residual = w.node("Add", {attended, x}, prefix + "/attention/residual");
    x = layer_normalization(w, Scope(prefix + "/attention/normalization"), residual, size.hidden);
    const Scope in(prefix + "/feed_forward");
    const std::string wide =
        gelu(w, Scope(prefix + "/feed_forward/gelu"), dense(w, in, x, "up", size.hidden, 4 * size.hidden));
    const std::string narrow = dense(w, in, wide, "down", 4 * size.hidden, size.hidden);
    const std::string sum = w.node("Add", {narrow, x}, in("residual"));
    x = layer_normalization(w, Scope(prefix + "/feed_forward/normalization"), sum, size.hidden);
  }
  w.node("Identity", {x}, "last_hidden_state");
  w.output("last_hidden_state", OnnxType::f32, {"batch", "sequence", size.hidden});
  return w;
}

OnnxWriter resnet50() {
  OnnxWriter w("resnet50", 13);
  w.input("data", OnnxType::f32, {"batch", 3, 224, 224});
  std::string x = convolution(w, "stem", "data", 3, 64, 7, 2, true);
  x = w.node("MaxPool", {x}, "stem/MaxPool",
             {A::of("kernel_shape", std::vector<std::int64_t>{3, 3}),
              A::of("pads", std::vector<std::int64_t>{1, 1, 1, 1}), A::of("strides", std::vector<std::int64_t>{2, 2})});
  x = resnet50_bottlenecks(
      x, [&](const std::string& name, const std::string& from, std::int64_t channels, std::int64_t middle,
             std::int64_t stride) { return bottleneck(w, name, from, channels, middle, stride); });
  x = w.node("GlobalAveragePool", {x}, "GlobalAveragePool");
  x = w.node("Flatten", {x}, "Flatten", {A::of("axis", std::int64_t{1})});
  const std::string kernel = w.weight("dense/weight", {1000, kResnet50Channels}, kWeightSpread);
  const std::string bias = w.weight("dense/bias", {1000}, kWeightSpread);
  w.node("Gemm", {x, kernel, bias}, "scores",
         {A::of("alpha", 1.0F), A::of("beta", 1.0F), A::of("transB", std::int64_t{1})});
  w.output("scores", OnnxType::f32, {"batch", 1000});
  return w;
}

OnnxWriter chain(std::int64_t nodes) {
  // No two neighbours that an optimisation would merge.
  constexpr std::array<std::string_view, 5> kOps{"Sigmoid", "Tanh", "Softplus", "Erf", "Add"};
  OnnxWriter w("chain", 13);
  w.input("x", OnnxType::f32, {1, 16});
  std::string last = "x";
  for (std::int64_t i = 0; i < nodes; ++i) {
    const std::string_view op = kOps[static_cast<std::size_t>(i) % kOps.size()];
    std::string name = i + 1 == nodes ? std::string("y") : fmt::format("block_{}/{}_{}", i / 100, op, i);
    last = op == "Add" ? w.node(op, {last, "x"}, name) : w.node(op, {last}, name);
  }
  w.output(last, OnnxType::f32, {1, 16});
  return w;
}

OnnxWriter tiny() {
  OnnxWriter w("tiny", 13);
  w.input("x", OnnxType::f32, {"batch", 16});
  const Scope in("dense");
  const std::string product = dense(w, in, "x", "layer", 16, 10);
  const std::string active = w.node("Relu", {product}, "Relu");
  w.node("Softmax", {active}, "y", {A::of("axis", std::int64_t{-1})});
  w.output("y", OnnxType::f32, {"batch", 10});
  return w;
}

}  // namespace mo::benchmarks
