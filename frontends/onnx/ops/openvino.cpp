#include "frontends/onnx/ops/support/openvino_domain.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/group_normalization.hpp"
#include "ops/normalize_l2.hpp"

namespace mo::onnx {
namespace {

/// FakeQuantize(x, input_low, input_high, output_low, output_high): the IR's op as it is.
Expected<Op> fake_quantize(const FrameworkNode& node) {
  return ops::FakeQuantize{.levels = node.required<std::int64_t>("levels")};
}

/// Swish(x, beta): the IR's op, which wants beta (by default 1) as a scalar.
Replacement swish_of_openvino(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  if (!node.input(1)) return rw.create(ops::Swish{}, node.input(0));
  return rw.create(ops::Swish{}, node.input(0), as_scalar(rw, node.input(1)));
}

/// Normalize(x, weights) -> x / ||x|| over the channels (with `across_spatial` over everything but the batch) *
/// weights: a number per channel, or with `channel_shared` one.
Replacement normalize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value axes = node.attr("across_spatial", false) ? axes_from(rw, x, 1) : rw.integers({1});
  const bool is_shared = node.attr("channel_shared", false);
  const Value y = rw.create(ops::NormalizeL2{.eps = node.attr("eps", 0.0)}, x, axes);
  const Value weights = node.input(1);
  if (!weights) return y;
  const Value factors =
      is_shared || has_one_element(weights) ? as_scalar(rw, weights) : per_channel(rw, flattened(rw, weights), x);
  return rw.create(ops::Multiply{}, y, factors);
}

/// GroupNorm(x, scale, bias), both per channel, of any shape.
Replacement grouped_norm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const ops::GroupNormalization op{.num_groups = node.attr<std::int64_t>("num_groups", 1),
                                   .epsilon = node.attr("eps", 1e-6)};
  return rw.create(op, node.input(0), flattened(rw, node.input(1)), flattened(rw, node.input(2)));
}

Expected<Op> ctc_greedy_decoder(const FrameworkNode& node) {
  return ops::CTCGreedyDecoder{.ctc_merge_repeated = node.attr("ctc_merge_repeated", true)};
}

}  // namespace

/// Operators of IR that ONNX models name themselves: quantisation tools and the ancestor's exporters write them.
void register_openvino(OperatorTable& table) {
  extract_openvino(table, "FakeQuantize", fake_quantize);
  translate_openvino(table, "Normalize", normalize);
  translate_openvino(table, "GroupNorm", grouped_norm);
  translate_openvino(table, "ExperimentalDetectronGroupNorm", grouped_norm);
  extract_openvino(table, "CTCGreedyDecoder", ctc_greedy_decoder);
  translate_openvino(table, "Swish", swish_of_openvino, versions(1, 23));  // ONNX's own came with opset 24
}

}  // namespace mo::onnx
