#include "frontends/tensorflow/ops/support/network_tail.hpp"

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"

namespace mo::tensorflow {
namespace {

/// The activation of that name; empty when there is none.
Value activated(Rewriter& rw, const Value& x, std::string_view name, double leaky_slope) {
  if (name == "Relu") return rw.create(ops::ReLU{}, x);
  if (name == "Relu6") return rw.create(ops::Clamp{.min = 0, .max = 6}, x);
  if (name == "Elu") return rw.create(ops::Elu{.alpha = 1}, x);
  if (name == "Sigmoid") return rw.create(ops::Sigmoid{}, x);
  if (name == "Tanh") return rw.create(ops::Tanh{}, x);
  if (name == "LeakyRelu") return rw.create(ops::PReLU{}, x, number_like(rw, x, leaky_slope));
  if (name == "GeluExact") return rw.create(ops::Gelu{.approximation_mode = ops::GeluMode::erf}, x);
  if (name == "GeluApproximate") return rw.create(ops::Gelu{.approximation_mode = ops::GeluMode::tanh}, x);
  return {};
}

}  // namespace

Value along_channels(Rewriter& rw, const Value& vector, ChannelPlace place) {
  if (place.layout == DataLayout::channels_last) return vector;
  std::vector<std::int64_t> shape = {-1};
  shape.insert(shape.end(), place.spatial_rank, 1);
  return rw.fold(ops::Reshape{}, vector, rw.integers(shape));
}

Value batch_normalized(Rewriter& rw, const Value& x, const BatchNormInputs& inputs, double epsilon,
                       ChannelPlace place) {
  const Value deviation =
      rw.fold(ops::Sqrt{}, rw.fold(ops::Add{}, inputs.variance, number_like(rw, inputs.variance, epsilon)));
  const Value scale = inputs.scale ? inputs.scale : number_like(rw, inputs.variance, 1);
  const Value factor = rw.fold(ops::Divide{}, scale, deviation);
  const Value shift = rw.fold(ops::Subtract{}, inputs.offset, rw.fold(ops::Multiply{}, inputs.mean, factor));
  const Value scaled = rw.create(ops::Multiply{}, x, along_channels(rw, factor, place));
  return rw.create(ops::Add{}, scaled, along_channels(rw, shift, place));
}

Expected<Value> with_fused_ops(const FrameworkNode& node, Rewriter& rw, Value result, std::size_t first_argument,
                               ChannelPlace place) {
  const auto names = node.attr<std::vector<std::string>>("fused_ops", {});
  const double epsilon = node.attr("epsilon", 1e-4);
  const double slope = node.attr("leakyrelu_alpha", 0.2);
  std::size_t next = first_argument;
  const auto take = [&](std::size_t count) -> Expected<std::vector<Value>> {
    std::vector<Value> taken;
    for (; taken.size() < count; ++next) {
      if (!node.input(next))
        return node.error("MO-TF-0633", "input {} is missing, which a fused op needs", next)
            .hint("save the model again, before it is optimised");
      taken.push_back(node.input(next));
    }
    return taken;
  };
  for (const std::string& name : names) {
    if (name == "BiasAdd") {
      MO_ASSIGN(const std::vector<Value> bias, take(1));
      result = rw.create(ops::Add{}, result, along_channels(rw, bias[0], place));
    } else if (name == "Add") {
      MO_ASSIGN(const std::vector<Value> other, take(1));
      result = rw.create(ops::Add{}, result, other[0]);
    } else if (name == "FusedBatchNorm") {
      MO_ASSIGN(const std::vector<Value> v, take(4));
      result = batch_normalized(rw, result, {v[0], v[1], v[2], v[3]}, epsilon, place);
    } else {
      result = activated(rw, result, name, slope);
      if (!result)
        return node.error("MO-TF-0632", "the fused op {} is not known", name)
            .hint(
                "known are BiasAdd, Add, FusedBatchNorm, Relu, Relu6, Elu, LeakyRelu, Sigmoid, Tanh, GeluExact, "
                "GeluApproximate");
    }
  }
  return result;
}

}  // namespace mo::tensorflow
