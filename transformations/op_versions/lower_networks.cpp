#include <cmath>
#include <limits>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/build/attention.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/group_normalization.hpp"
#include "ops/mvn.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/reshape.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"

namespace mo::transformations {
namespace {

/// GroupNormalization(x, scale, bias) -> x with each group as one row, normalised, in its old shape, times scale, plus
/// bias.
Replacement group_normalization(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::GroupNormalization>();
  const auto shape = node.input_type(0).shape.to_shape();
  if (!shape || shape->size() < 2 || op.num_groups < 1 || (*shape)[1] % op.num_groups != 0)
    return Replacement::declined();
  const auto count = element_count(*shape);
  if (!count || *count == 0) return Replacement::declined();
  const std::int64_t row = *count / ((*shape)[0] * op.num_groups);
  const Value rows =
      rw.create(ops::Reshape{.special_zero = false}, node.input(0), rw.integers({(*shape)[0], op.num_groups, row}));
  const Value normal = rw.create(ops::MVN{.eps = op.epsilon}, rows, rw.integers({2}));
  const Value again = rw.create(ops::Reshape{.special_zero = false}, normal, rw.integers(*shape));
  Shape per_channel(shape->size(), 1);
  per_channel[1] = (*shape)[1];
  const auto along_channels = [&](const Value& vector) {
    return rw.fold(ops::Reshape{.special_zero = false}, vector, rw.integers(per_channel));
  };
  const Value scaled = rw.create(ops::Multiply{}, again, along_channels(node.input(1)));
  return rw.create(ops::Add{}, scaled, along_channels(node.input(2)));
}

Replacement attention(const Node& node, Rewriter& rw) { return build::attention_in_parts(rw, node); }

Replacement detection_output(const Node& node, Rewriter& rw) {
  return detection_output_of_opset1(node, *node.as<ops::v8::DetectionOutput>(), rw);
}

/// The next larger f32; of a computed threshold one of the next two.
Value next_threshold(Rewriter& rw, const Value& threshold) {
  if (const auto known = threshold ? single_real_of(threshold) : std::optional<double>(0))
    return rw.scalar<float>(std::nextafter(static_cast<float>(*known), std::numeric_limits<float>::infinity()));
  const Value step = rw.create(ops::Multiply{}, rw.create(ops::Abs{}, threshold),
                               rw.scalar_like(threshold, static_cast<double>(std::numeric_limits<float>::epsilon())));
  const Value least = rw.scalar_like(threshold, static_cast<double>(std::numeric_limits<float>::min()));
  return rw.create(ops::Add{}, threshold, rw.create(ops::Maximum{}, least, step));
}

/// NonMaxSuppression of opset5 drops a box whose overlap is the threshold, later ones keep it; the runtimes drop it in
/// either. The next larger threshold makes them equal. Soft suppression knows no such drop.
Replacement non_max_suppression(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v9::NonMaxSuppression>();
  std::vector<Value> inputs = inputs_of(node);
  for (std::size_t i = inputs.size(); i <= 3; ++i) inputs.push_back(i == 2 ? rw.scalar<std::int64_t>(0) : Value());
  if (!inputs[2]) inputs[2] = rw.scalar<std::int64_t>(0);
  const bool is_soft = node.input(5) && single_real_of(node.input(5)).value_or(0) != 0;
  if (!is_soft) inputs[3] = next_threshold(rw, inputs[3]);
  const Node made = rw.create_node(ops::v5::NonMaxSuppression{op}, inputs, 3);
  return Outputs{made.output(0), made.output(1), made.output(2)};
}

}  // namespace

/// Normalisation, attention and detection ops that the target does not read, and NonMaxSuppression, which older ones
/// can say, for all targets.
void register_lower_networks(PassRegistry& passes) {
  passes.add(
      graph_rewrite("LowerNetworks")
          .phase(Phase::back)
          .run_after({"LowerOpSets"})
          .add(where_too_new(lowering<ops::GroupNormalization>("GroupNormalizationDecomposition", group_normalization)))
          .add(where_too_new(lowering<ops::ScaledDotProductAttention>("AttentionOfOlderOps", attention)))
          .add(where_too_new(lowering<ops::v8::DetectionOutput>("DetectionOutputWithClasses", detection_output)))
          .add(lowering<ops::v9::NonMaxSuppression>("NonMaxSuppressionWithNextThreshold", non_max_suppression)));
}

}  // namespace mo::transformations
