#include "extensions/support/front.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/lrn.hpp"
#include "ops/pooling.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

/// LRN(x) -> LRN across channels. ONNX sums from c - floor((size - 1) / 2) to c + ceil((size - 1) / 2); the IR has the same window for odd
/// sizes only. For even ones the sum is a pooling over [N, 1, C, rest] with the odd element behind.
Replacement local_response_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const double alpha = node.attr<double>("alpha").value_or(1e-4);
  const double beta = node.attr<double>("beta").value_or(0.75);
  const double bias = node.attr<double>("bias").value_or(1);
  const std::int64_t size = node.attr<std::int64_t>("size").value_or(1);
  if (size % 2 == 1) return rw.create(ops::LRN{.alpha = alpha, .beta = beta, .bias = bias, .size = size}, x, rw.integers({1}));
  const Value squares = rw.create(ops::Multiply{}, x, x);
  const Value flat = rw.create(ops::Reshape{.special_zero = true}, squares, rw.integers({0, 0, -1}));
  const Value image = rw.create(ops::Unsqueeze{}, flat, rw.integers({1}));
  // alpha / size * sum = alpha * mean, since padding counts.
  const Value mean = rw.create(
      ops::v1::AvgPool{.kernel = {size, 1}, .strides = {1, 1}, .pads_begin = {(size - 1) / 2, 0}, .pads_end = {size / 2, 0}, .exclude_pad = false},
      image);
  const Value nearby = rw.create(ops::Reshape{}, mean, shape_of(rw, x));
  const Value base = rw.create(ops::Add{}, rw.create(ops::Multiply{}, nearby, number_like(rw, x, alpha)), number_like(rw, x, bias));
  return rw.create(ops::Divide{}, x, rw.create(ops::Power{}, base, number_like(rw, x, beta)));
}

}  // namespace

void register_local_response_normalization(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxLRN").replace_op(local_response_normalization));
}

}  // namespace mo::front::onnx
