#include <cmath>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::caffe {
namespace {

/// One bottom, one top.
Expected<void> expect_function(const Layer& layer) {
  MO_TRY(expect_bottoms(layer, 1));
  return expect_tops(layer, 1);
}

/// A function without parameters.
template <class T>
Expected<Op> plain(const FrameworkNode& node) {
  MO_TRY(expect_function(Layer(node)));
  return T{};
}

/// Error MO-CAFFE-0104 for a parameter that is no finite number.
Expected<double> number_of(const Layer& layer, std::string_view path, double fallback) {
  const double number = layer.real(path, fallback);
  return std::isfinite(number) ? Expected<double>(number) : bad_value(layer, path, number, "a finite number");
}

Replacement relu(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  MO_ASSIGN(const double slope, number_of(layer, "relu_param.negative_slope", 0));
  return slope == 0 ? rw.create(ops::ReLU{}, layer.bottom(0))
                    : rw.create(ops::PReLU{}, layer.bottom(0), real(rw, slope));
}

Expected<Op> relu6(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  const double top = layer.real("relu6_param.n", 6);
  if (!(top >= 0)) return bad_value(layer, "relu6_param.n", top, "a number that is not negative");
  return ops::Clamp{.min = 0, .max = top};
}

/// A vector of slopes lies along the channels, as in the IR.
Replacement prelu(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  MO_TRY(expect_blobs(layer, 1));
  const bool shared = layer.flag("prelu_param.channel_shared", false);
  MO_ASSIGN(const Value slope, shaped_blob(layer, rw, 0, shared ? Integers{1} : Integers{-1}));
  return rw.create(ops::PReLU{}, layer.bottom(0), slope);
}

Expected<Op> elu(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  return ops::Elu{.alpha = layer.real("elu_param.alpha", 1)};
}

Replacement swish(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  return rw.create(ops::Swish{}, layer.bottom(0), real(rw, layer.real("swish_param.beta", 1)));
}

/// Both bounds have no default in Caffe.
Expected<Op> clip(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  if (!layer.has("clip_param.min") || !layer.has("clip_param.max"))
    return layer.error("MO-CAFFE-0103", "clip_param needs min and max").hint("correct the prototxt");
  const double low = layer.real("clip_param.min", 0);
  const double high = layer.real("clip_param.max", 0);
  if (!(low <= high)) return bad_value(layer, "clip_param.min", low, fmt::format("at most clip_param.max, {}", high));
  return ops::Clamp{.min = std::max(low, -ops::Clamp::kOpenEnd), .max = std::min(high, ops::Clamp::kOpenEnd)};
}

/// No layer of upstream Caffe; the numbers are those of the op when the model has none.
Replacement hard_sigmoid(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  MO_ASSIGN(const double alpha,
            number_of(layer, "hardsigmoid_param.alpha", layer.real("hard_sigmoid_param.alpha", 0.2)));
  MO_ASSIGN(const double beta, number_of(layer, "hardsigmoid_param.beta", layer.real("hard_sigmoid_param.beta", 0.5)));
  return rw.create(ops::HardSigmoid{}, layer.bottom(0), real(rw, alpha), real(rw, beta));
}

/// x > threshold as 1 or 0
Replacement threshold(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  const Value above = rw.create(ops::Greater{}, layer.bottom(0), real(rw, layer.real("threshold_param.threshold", 0)));
  return as_type(rw, above, ElementType::f32);
}

/// Caffe scales in training, so that nothing is left to do. Forks with scale_train: false scale when the network is
/// used.
Replacement dropout(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_function(layer));
  const double ratio = layer.real("dropout_param.dropout_ratio", 0.5);
  const Value x = layer.bottom(0);
  if (layer.flag("dropout_param.scale_train", true)) return rw.create(ops::Identity{}, x);
  if (!(ratio >= 0 && ratio <= 1))
    return bad_value(layer, "dropout_param.dropout_ratio", ratio, "a number from 0 to 1");
  return ratio == 0 ? rw.create(ops::Identity{}, x) : rw.create(ops::Multiply{}, x, real(rw, 1 - ratio));
}

}  // namespace

void register_activation(OperatorTable& table) {
  table.translate("ReLU", relu);
  table.extract("ReLU6", relu6);
  table.translate("PReLU", prelu);
  table.extract("ELU", elu);
  table.extract("Sigmoid", plain<ops::Sigmoid>);
  table.extract("TanH", plain<ops::Tanh>);
  table.extract("AbsVal", plain<ops::Abs>);
  table.extract("BNLL", plain<ops::SoftPlus>);  // log(1 + exp(x))
  table.translate("Swish", swish);
  table.extract("Clip", clip);
  table.extract("Mish", plain<ops::Mish>);
  for (const char* name : {"HardSwish", "HSwish", "Hswish"}) table.extract(name, plain<ops::HSwish>);
  table.extract("HSigmoid", plain<ops::HSigmoid>);
  table.translate("HardSigmoid", hard_sigmoid);
  table.translate("Threshold", threshold);
  table.translate("Dropout", dropout);
}

}  // namespace mo::caffe
