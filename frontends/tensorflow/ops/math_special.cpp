#include <algorithm>

#include "frontends/tensorflow/ops/support/number_type.hpp"

namespace mo::tensorflow {
namespace {

Expected<Op> bucketize(const FrameworkNode& node) {
  MO_TRY(number_type(node));
  const auto boundaries = node.attr<std::vector<double>>("boundaries", {});
  if (!std::is_sorted(boundaries.begin(), boundaries.end()))
    return node.error("MO-TF-0506", "the boundaries are not in ascending order").hint("sort the attribute boundaries in the model");
  return front_op("TfBucketize", {{"boundaries", boundaries}});
}

/// Losses have two outputs: the loss of each row and its gradient with respect to the features.
Extractor cross_entropy(std::string_view name) {
  return [name](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    node.declare_outputs(2);
    return front_op(name, {{"T", type}});
  };
}

/// How often each number from 0 to size - 1 occurs. `index_type` is the type of the numbers, T that of weights and counts.
Expected<Op> count(const FrameworkNode& node, bool by_row, std::string_view index_attribute, bool binary) {
  MO_ASSIGN(const ElementType type, number_type(node, "T", ElementType::f32));
  MO_ASSIGN(const ElementType index_type, number_type(node, index_attribute, ElementType::i32));
  return front_op("TfCount", {{"T", type}, {"index_type", index_type}, {"by_row", by_row}, {"binary", binary}});
}

}  // namespace

void register_math_special(OperatorTable& table) {
  table.extract("L2Loss", typed("TfL2Loss"));
  table.extract("ClipByValue", typed("TfClipByValue"));
  table.extract("SoftmaxCrossEntropyWithLogits", cross_entropy("TfSoftmaxCrossEntropy"));
  table.extract("SparseSoftmaxCrossEntropyWithLogits", cross_entropy("TfSparseSoftmaxCrossEntropy"));
  table.extract("Bucketize", bucketize);
  table.extract("Bincount", [](const FrameworkNode& node) { return count(node, false, "Tidx", false); });
  table.extract("DenseBincount", [](const FrameworkNode& node) { return count(node, true, "Tidx", node.attr("binary_output", false)); });
}

}  // namespace mo::tensorflow
