#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/lrn.hpp"
#include "ops/pooling.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// LRN(x) -> LRN across channels. ONNX sums from c - floor((size - 1) / 2) to c + ceil((size - 1) / 2); the IR has the
/// same window for odd sizes only. For even ones the sum is a pooling over [N, 1, C, rest] with the odd element last.
Replacement local_response_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto alpha = node.attr("alpha", 1e-4);
  const auto beta = node.attr("beta", 0.75);
  const auto bias = node.attr("bias", 1.0);
  const auto size = node.required<std::int64_t>("size");
  if (size < 1)
    return node.error("MO-ONNX-0102", "size is {}, which is not positive", size)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (size % 2 == 1)
    return rw.create(ops::LRN{.alpha = alpha, .beta = beta, .bias = bias, .size = size}, x, rw.integers({1}));
  const Value squares = rw.create(ops::Multiply{}, x, x);
  const Value flat = rw.create(ops::Reshape{.special_zero = true}, squares, rw.integers({0, 0, -1}));
  const Value image = rw.create(ops::Unsqueeze{}, flat, rw.integers({1}));
  // alpha / size * sum = alpha * mean, since padding counts.
  const Value mean = rw.create(
      ops::v1::AvgPool{
          {.kernel = {size, 1}, .strides = {1, 1}, .pads_begin = {(size - 1) / 2, 0}, .pads_end = {size / 2, 0}}},
      image);
  const Value nearby = rw.create(ops::Reshape{}, mean, shape_of(rw, x));
  const Value base =
      rw.create(ops::Add{}, rw.create(ops::Multiply{}, nearby, number_like(rw, x, alpha)), number_like(rw, x, bias));
  return rw.create(ops::Divide{}, x, rw.create(ops::Power{}, base, number_like(rw, x, beta)));
}

}  // namespace

void register_local_response_normalization(OperatorTable& table) {
  table.translate("LRN", since(1), local_response_normalization);
}

}  // namespace mo::onnx
