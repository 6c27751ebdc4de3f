#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather_elements.hpp"
#include "ops/one_hot.hpp"
#include "ops/reduce.hpp"
#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// L2Loss(x) -> sum(x * x) / 2
Replacement l2_loss(const FrameworkNode& node, Rewriter& rw) {
  const Value x = flattened(rw, node.input(0));
  const Value sum = rw.create(ops::ReduceSum{.keep_dims = false}, rw.create(ops::Multiply{}, x, x), rw.integers({0}));
  return rw.create(ops::Multiply{}, sum, number_like(rw, x, 0.5));
}

/// Both have the same number of classes for certain.
bool have_same_classes(const PartialShape& features, const PartialShape& labels) {
  if (!features.has_rank() || !labels.has_rank() || features.size() == 0 || labels.size() == 0) return false;
  const Dimension& classes = features[features.size() - 1];
  return classes.is_known() && classes == labels[labels.size() - 1];
}

/// SoftmaxCrossEntropyWithLogits(features, labels) -> -sum(labels * LogSoftmax(features)), and the gradient with
/// respect to the features SoftMax(features) - labels. The shapes broadcast to each other first: it matters how many
/// classes the features have.
Replacement cross_entropy(const FrameworkNode& node, Rewriter& rw) {
  const Value labels = node.input(1);
  Value features = node.input(0);
  if (!have_same_classes(node.input_type(0).shape, node.input_type(1).shape))
    features = rw.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, features, shape_of(rw, labels));
  const Value gain = rw.create(ops::Multiply{}, labels, rw.create(ops::LogSoftmax{.axis = -1}, features));
  Outputs outputs = {
      rw.create(ops::Negative{}, rw.create(ops::ReduceSum{.keep_dims = false}, gain, rw.integers({-1})))};
  if (node.output_used(1))
    outputs.push_back(rw.create(ops::Subtract{}, rw.create(ops::SoftMax{.axis = -1}, features), labels));
  return outputs;
}

/// SparseSoftmaxCrossEntropyWithLogits(features [rows, classes], labels [rows])
/// -> -LogSoftmax(features)[row, label], SoftMax(features) - OneHot(labels)
Replacement sparse_cross_entropy(const FrameworkNode& node, Rewriter& rw) {
  const Value features = node.input(0);
  const Value labels = node.input(1);
  const Value last_axis = rw.integers({1});
  const Value gains = rw.create(ops::GatherElements{.axis = 1}, rw.create(ops::LogSoftmax{.axis = -1}, features),
                                rw.create(ops::Unsqueeze{}, labels, last_axis));
  Outputs outputs = {rw.create(ops::Negative{}, rw.create(ops::Squeeze{}, gains, last_axis))};
  if (node.output_used(1)) {
    const Value hot = rw.create(ops::OneHot{.axis = -1}, labels, dimension_of(rw, features, 1),
                                number_like(rw, features, 1), number_like(rw, features, 0));
    outputs.push_back(rw.create(ops::Subtract{}, rw.create(ops::SoftMax{.axis = -1}, features), hot));
  }
  return outputs;
}

}  // namespace

void register_loss(OperatorTable& table) {
  table.translate("L2Loss", of_numbers(1, l2_loss));
  table.translate("SoftmaxCrossEntropyWithLogits", of_numbers(2, cross_entropy));
  table.translate("SparseSoftmaxCrossEntropyWithLogits", of_numbers(2, sparse_cross_entropy));
}

}  // namespace mo::tensorflow
