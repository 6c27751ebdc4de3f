#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/soft_max.hpp"

namespace mo::tensorflow {
namespace {

/// A front-only op with the bounds of a region around 0.
Extractor shrink(std::string_view name) {
  return [name](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    return front_op(name, {{"T", type}, {"lower", node.attr("lower", -0.5)}, {"upper", node.attr("upper", 0.5)}});
  };
}

}  // namespace

void register_activation(OperatorTable& table) {
  table.extract("Relu", plain<ops::ReLU>());
  table.extract("Relu6", plain(ops::Clamp{.min = 0, .max = 6}));
  table.extract("Elu", plain(ops::Elu{.alpha = 1}));
  table.extract("Selu", typed("TfSelu"));
  table.extract("Softplus", plain<ops::SoftPlus>());
  table.extract("Softsign", plain<ops::SoftSign>());
  table.extract("LeakyRelu", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    return front_op("TfLeakyRelu", {{"T", type}, {"alpha", node.attr("alpha", 0.2)}});
  });
  // Always along the last axis.
  table.extract("Softmax", plain(ops::SoftMax{.axis = -1}));
  table.extract("LogSoftmax", plain(ops::LogSoftmax{.axis = -1}));

  // Names that models have for functions with a gradient of their own, and for kernels of the addons package.
  table.extract("Mish", plain<ops::Mish>());
  table.extract("Swish", plain<ops::Swish>());
  table.extract("swish_f32", plain<ops::Swish>());
  table.extract("Addons>Mish", plain<ops::Mish>());
  table.extract("Addons>Gelu", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return ops::Gelu{.approximation_mode = node.attr("approximate", true) ? ops::GeluMode::tanh : ops::GeluMode::erf};
  });
  table.extract("Addons>Hardshrink", shrink("TfHardShrink"));
  table.extract("Addons>Softshrink", shrink("TfSoftShrink"));
  table.extract("Addons>Tanhshrink", typed("TfTanhShrink"));
  table.extract("Addons>Lisht", typed("TfLisht"));
}

}  // namespace mo::tensorflow
