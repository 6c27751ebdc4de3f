#include "extensions/support/front.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/reduce.hpp"
#include "ops/select.hpp"
#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

Value total(Rewriter& rw, const Value& x) { return rw.create(ops::ReduceSum{.keep_dims = false}, flattened(rw, x), rw.integers({0})); }

/// -weights[target] * log_probabilities[n, target, …], reduced as the attribute says. Targets equal to ignore_index weigh nothing; the mean
/// is the weighted one.
Value negative_log_likelihood(const Node& node, Rewriter& rw, const Value& log_probabilities) {
  Value target = node.input(1);
  const Value weights = node.input(2);
  Value ignored;
  if (const auto index = node.attr<std::int64_t>("ignore_index")) {
    ignored = rw.create(ops::Equal{}, target, as_type_of(rw, rw.scalar<std::int64_t>(*index), target));
    // Any class will do instead: ignore_index may be none.
    target = rw.create(ops::Select{}, ignored, as_type_of(rw, rw.scalar<std::int64_t>(0), target), target);
  }
  const Value one = rw.integers({1});
  const Value picked = rw.create(ops::GatherElements{.axis = 1}, log_probabilities, rw.create(ops::Unsqueeze{}, target, one));
  Value loss = rw.create(ops::Negative{}, rw.create(ops::Squeeze{}, picked, one));
  Value weight;
  if (weights) weight = rw.create(ops::Gather{}, weights, target, rw.scalar<std::int64_t>(0));
  if (ignored)
    weight = rw.create(ops::Select{}, ignored, number_like(rw, log_probabilities, 0), weight ? weight : number_like(rw, log_probabilities, 1));
  if (weight) loss = rw.create(ops::Multiply{}, loss, weight);
  const std::string reduction = node.attr<std::string>("reduction").value_or("mean");
  if (reduction == "none") return loss;
  if (reduction == "sum") return total(rw, loss);
  if (weight) return rw.create(ops::Divide{}, total(rw, loss), total(rw, weight));
  return rw.create(ops::ReduceMean{.keep_dims = false}, flattened(rw, loss), rw.integers({0}));
}

/// SoftmaxCrossEntropyLoss(scores, labels, weights) -> the loss of LogSoftmax(scores) along the classes; output 1: LogSoftmax(scores)
Replacement softmax_cross_entropy(const Node& node, Rewriter& rw) {
  const Value log_probabilities = rw.create(ops::LogSoftmax{.axis = 1}, node.input(0));
  Outputs outputs(node.out_port_count());
  outputs[0] = negative_log_likelihood(node, rw, log_probabilities);
  if (outputs.size() > 1) outputs[1] = log_probabilities;
  return outputs;
}

}  // namespace

void register_loss(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxNegativeLogLikelihoodLoss").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return negative_log_likelihood(node, rw, node.input(0));
  }));
  passes.add(front_replacement_op("OnnxSoftmaxCrossEntropyLoss").replace_op(softmax_cross_entropy));
}

}  // namespace mo::front::onnx
