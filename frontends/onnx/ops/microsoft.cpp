#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/layer_axes.hpp"
#include "frontends/onnx/ops/support/normalized.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/mvn.hpp"
#include "ops/split.hpp"

namespace mo::onnx {
namespace {

/// BiasGelu(x, b) -> Gelu(x + b); FastGelu likewise with the tanh formula and an optional b
Translator bias_gelu(ops::GeluMode mode) {
  return [mode](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(1));
    const Value x = node.input(1) ? rw.create(ops::Add{}, node.input(0), node.input(1)) : node.input(0);
    return rw.create(ops::v7::Gelu{.approximation_mode = mode}, x);
  };
}

/// QuickGelu(x) -> x * sigmoid(alpha * x)
Replacement quick_gelu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::Swish{}, node.input(0), number_like(rw, node.input(0), node.attr("alpha", 1.702)));
}

/// BiasSplitGelu(x, b) -> left * Gelu(right), the halves of x + b along the last axis
Replacement bias_split_gelu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  const Node halves = rw.create_node(ops::Split{.num_splits = 2}, {sum, rw.scalar<std::int64_t>(-1)}, 2);
  return rw.create(ops::Multiply{}, halves.output(0),
                   rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}, halves.output(1)));
}

/// BiasAdd(x, b, skip) -> x + b + skip
Replacement bias_add(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  Outputs outputs(node.output_count());
  outputs[0] = node.input(2) ? rw.create(ops::Add{}, sum, node.input(2)) : sum;
  return outputs;
}

/// BiasDropout without training: BiasAdd with an optional skip; the mask of what was dropped has no meaning then.
Replacement bias_dropout(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"seed"}, "nothing is dropped in inference");
  node.ignore_input(3, "the ratio of what is dropped in training");
  if (node.has_input(4) || node.output_used(1))
    return node.error("MO-ONNX-0444", "the mode is only known at run time, or the mask of a dropout is read")
        .hint("export the model for inference (model.eval())");
  return bias_add(node, rw);
}

/// SkipLayerNormalization(x, skip, gamma, beta, bias) -> MVN(x + skip + bias) over the last axis * gamma + beta; output
/// 3: the sum. SkipSimplifiedLayerNormalization(x, skip, gamma, bias) likewise by the root mean square.
Translator skip_layer_normalization(bool root) {
  return [root](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(3));
    if (node.output_used(1) || node.output_used(2))
      return node.error("MO-ONNX-0110", "the statistics of training are used")
          .hint("export the model for inference, or cut off what reads them with --output");
    Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
    if (const Value bias = node.input(root ? 3 : 4)) sum = rw.create(ops::Add{}, sum, bias);
    Outputs outputs(node.output_count());
    outputs[0] =
        last_axis_normalized(rw, sum, node.input(2), root ? Value() : node.input(3), node.attr("epsilon", 1e-12), root);
    if (outputs.size() > 3) outputs[3] = sum;
    return outputs;
  };
}

/// SimplifiedLayerNormalization(x, gamma) -> x / sqrt(mean(x^2) + epsilon) * gamma over the axes from `axis` on. The
/// normalisation is done in the type that stash_type names (f32), and its result is rounded to the type of gamma
/// (mostly that of x) before it applies. Output 1: 1 / sqrt(mean(x^2) + epsilon).
Replacement simplified_layer_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  MO_ASSIGN(const Value axes, layer_axes(node, rw));
  MO_ASSIGN(const ElementType stash, data_type_of_number(node, "stash_type", node.attr<std::int64_t>("stash_type", 1)));
  const Value data = as_type(rw, x, stash);
  const RootNormalized normalized = root_normalized(rw, data, axes, node.attr("epsilon", 1e-5));
  Outputs outputs(node.output_count());
  outputs[0] = rw.create(ops::Multiply{}, as_type_of(rw, normalized.result, node.input(1)), node.input(1));
  if (outputs.size() > 1) outputs[1] = rw.create(ops::Divide{}, number_like(rw, data, 1), normalized.divisor);
  return outputs;
}

/// Inputs: ids [B, S], segments, words [V, H], positions [M, H], segment table, gamma, beta, mask [B, S], position ids.
/// Outputs: the normalised sum of what the tables hold, the number of ones in each row of the mask (zeros without one),
/// the sum itself.
Replacement embed_layer_normalization(const FrameworkNode& node, Rewriter& rw) {
  if (const auto type = node.attr<std::int64_t>("mask_index_type", 0); type != 0 && type != 1)
    return node.error("MO-ONNX-0444", "mask_index_type is {}", type)
        .hint("the attribute returns the mask of the result (1) or not (0)");
  MO_TRY(require_inputs(node, {0, 2, 3, 5, 6}));
  const Value ids = node.input(0);
  const Value rows = rw.scalar<std::int64_t>(0);
  const auto look_up = [&](const Value& table, const Value& places) {
    return rw.create(ops::Gather{}, table, places, rows);
  };
  node.ignore_input(4, "the table of segments, where there are none");
  node.ignore_input(7, "the mask, which only output 1 depends on");
  Value position = node.input(8);
  if (!position) position = count_up(rw, dimension_of(rw, ids, 1), ElementType::i64);
  Value sum = rw.create(ops::Add{}, look_up(node.input(2), ids), look_up(node.input(3), position));
  if (node.input(1)) {
    MO_TRY(require_inputs(node, {4}));
    sum = rw.create(ops::Add{}, sum, look_up(node.input(4), node.input(1)));
  }
  Outputs outputs(node.output_count());
  outputs[0] = last_axis_normalized(rw, sum, node.input(5), node.input(6), node.attr("epsilon", 1e-12), false);
  if (outputs.size() > 1) {
    if (const Value mask = node.input(7)) {
      outputs[1] = rw.create(ops::ReduceSum{}, as_type(rw, mask, ElementType::i32), rw.integers({1}));
    } else {
      outputs[1] = rw.create(ops::Broadcast{}, rw.scalar<std::int32_t>(0), length_along(rw, ids, 0));
    }
  }
  if (outputs.size() > 2) outputs[2] = sum;
  return outputs;
}

}  // namespace

/// Activations and normalisations that ONNX Runtime's optimiser writes into models (domain com.microsoft).
void register_microsoft(OperatorTable& table) {
  table.extract("com.microsoft::Gelu", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf};
  });
  table.translate("com.microsoft::BiasGelu", since(1), bias_gelu(ops::GeluMode::erf));
  table.translate("com.microsoft::FastGelu", since(1), bias_gelu(ops::GeluMode::tanh));
  table.translate("com.microsoft::QuickGelu", since(1), quick_gelu);
  table.translate("com.microsoft::BiasSplitGelu", since(1), bias_split_gelu);
  table.translate("com.microsoft::BiasAdd", since(1), bias_add);
  table.translate("com.microsoft::BiasDropout", since(1), bias_dropout);
  table.extract("com.microsoft::SampleOp", since(1),
                [](const FrameworkNode&) -> Expected<Op> { return ops::Identity{}; });
  table.translate("com.microsoft::SkipLayerNormalization", since(1), skip_layer_normalization(false));
  table.translate("com.microsoft::SkipSimplifiedLayerNormalization", since(1), skip_layer_normalization(true));
  table.translate("com.microsoft::EmbedLayerNormalization", since(1), embed_layer_normalization);
  table.translate("com.microsoft::SimplifiedLayerNormalization", since(1), simplified_layer_normalization);
  // ONNX Runtime puts this into the default domain of models of any opset, as its own operator.
  table.translate("SimplifiedLayerNormalization", since(1), simplified_layer_normalization);
}

}  // namespace mo::onnx
