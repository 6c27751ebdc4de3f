#include "frontends/onnx/ops/support/translate.hpp"
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

namespace mo::onnx {
namespace {

Value total(Rewriter& rw, const Value& x) {
  return rw.create(ops::ReduceSum{.keep_dims = false}, flattened(rw, x), rw.integers({0}));
}

/// -weights[target] * log_probabilities[n, target, …], reduced as the attribute says. Targets equal to ignore_index
/// weigh nothing; the mean is the weighted one.
Expected<Value> loss_of(const FrameworkNode& node, Rewriter& rw, const Value& log_probabilities) {
  const std::string reduction = node.attr("reduction", "mean");
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    return node.error("MO-ONNX-0140", "reduction is \"{}\"", reduction).hint("it is one of none, sum, mean");
  Value target = node.input(1);
  Value ignored;
  if (const auto index = node.optional_attr<std::int64_t>("ignore_index")) {
    ignored = rw.create(ops::Equal{}, target, as_type_of(rw, rw.scalar<std::int64_t>(*index), target));
    // Any class will do instead: ignore_index may be none.
    target = rw.create(ops::Select{}, ignored, as_type_of(rw, rw.scalar<std::int64_t>(0), target), target);
  }
  const Value one = rw.integers({1});
  const Value picked =
      rw.create(ops::GatherElements{.axis = 1}, log_probabilities, rw.create(ops::Unsqueeze{}, target, one));
  Value loss = rw.create(ops::Negative{}, rw.create(ops::Squeeze{}, picked, one));
  Value weight;
  if (node.input(2)) weight = rw.create(ops::Gather{}, node.input(2), target, rw.scalar<std::int64_t>(0));
  if (ignored)
    weight = rw.create(ops::Select{}, ignored, number_like(rw, log_probabilities, 0),
                       weight ? weight : number_like(rw, log_probabilities, 1));
  if (weight) loss = rw.create(ops::Multiply{}, loss, weight);
  if (reduction == "none") return loss;
  if (reduction == "sum") return total(rw, loss);
  if (weight) return rw.create(ops::Divide{}, total(rw, loss), total(rw, weight));
  return rw.create(ops::ReduceMean{.keep_dims = false}, flattened(rw, loss), rw.integers({0}));
}

Replacement negative_log_likelihood(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Value loss, loss_of(node, rw, node.input(0)));
  return loss;
}

/// SoftmaxCrossEntropyLoss(scores, labels, weights) -> the loss of LogSoftmax(scores) along the classes; output 1:
/// LogSoftmax(scores)
Replacement softmax_cross_entropy(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value log_probabilities = rw.create(ops::LogSoftmax{.axis = 1}, node.input(0));
  MO_ASSIGN(const Value loss, loss_of(node, rw, log_probabilities));
  return Outputs{loss, log_probabilities};
}

}  // namespace

void register_loss(OperatorTable& table) {
  table.translate("NegativeLogLikelihoodLoss", since(12), negative_log_likelihood);
  table.translate("SoftmaxCrossEntropyLoss", since(12), softmax_cross_entropy);
}

}  // namespace mo::onnx
