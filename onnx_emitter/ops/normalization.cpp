#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "onnx_emitter/translator.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/grn.hpp"
#include "ops/group_normalization.hpp"
#include "ops/lrn.hpp"
#include "ops/mvn.hpp"
#include "ops/normalize_l2.hpp"

namespace mo::onnx_emitter {
namespace {

Expected<Outputs> batch_norm(Translation& t) {
  return Outputs{
      t.op("BatchNormalization", t.inputs(), {{"epsilon", t.node.as<ops::v5::BatchNormInference>()->epsilon}})};
}

/// Its first inputs are gamma, beta, data.
Expected<Outputs> old_batch_norm(Translation& t) {
  return Outputs{t.op("BatchNormalization", {t.input(2), t.input(0), t.input(1), t.input(3), t.input(4)},
                      {{"epsilon", t.node.as<ops::v0::BatchNormInference>()->epsilon}})};
}

Value mean_of(Translation& t, const Value& value, const std::vector<std::int64_t>& axes) {
  return t.with_axes("ReduceMean", value, axes, {{"keepdims", 1}}, 18);
}

/// (x - mean) / sqrt(variance + eps)
Outputs standardized(Translation& t, const std::vector<std::int64_t>& axes, double eps, bool outside, bool divide) {
  const ElementType type = t.node.output_type().element_type;
  const Value centered = t.op("Sub", {t.input(0), mean_of(t, t.input(0), axes)});
  if (!divide) return {centered};
  const Value variance = mean_of(t, t.op("Mul", {centered, centered}), axes);
  const Value least = t.scalar(type, eps);
  const Value deviation =
      outside ? t.op("Add", {t.op("Sqrt", {variance}), least}) : t.op("Sqrt", {t.op("Add", {variance, least})});
  return {t.op("Div", {centered, deviation})};
}

Expected<Outputs> mvn(Translation& t) {
  const auto& op = *t.node.as<ops::v6::MVN>();
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(1));
  return standardized(t, axes, op.eps, op.eps_mode == ops::MVNEpsMode::outside_sqrt, op.normalize_variance);
}

Expected<Outputs> old_mvn(Translation& t) {
  const auto& op = *t.node.as<ops::v0::MVN>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  std::vector<std::int64_t> axes = op.reduction_axes;
  if (axes.empty())
    for (std::int64_t axis = op.across_channels ? 1 : 2; axis < rank; ++axis) axes.push_back(axis);
  return standardized(t, axes, op.eps, false, op.normalize_variance);
}

Expected<Outputs> normalize_l2(Translation& t) {
  const auto& op = *t.node.as<ops::NormalizeL2>();
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(1));
  const ElementType type = t.node.output_type().element_type;
  const Value square = t.op("Mul", {t.input(0), t.input(0)});
  // Without axes each element is divided by its own length.
  const Value sum = axes.empty() ? square : t.with_axes("ReduceSum", square, axes, {{"keepdims", 1}});
  const Value least = t.scalar(type, op.eps);
  const bool adds = op.eps_mode == ops::NormalizeL2EpsMode::add;
  const Value length = t.op("Sqrt", {t.op(adds ? "Add" : "Max", {sum, least})});
  return Outputs{t.op("Div", {t.input(0), length})};
}

Expected<Outputs> grn(Translation& t) {
  const Value square = t.op("Mul", {t.input(0), t.input(0)});
  const Value sum = t.with_axes("ReduceSum", square, {1}, {{"keepdims", 1}});
  const Value bias = t.scalar(t.node.output_type().element_type, t.node.as<ops::GRN>()->bias);
  return Outputs{t.op("Div", {t.input(0), t.op("Sqrt", {t.op("Add", {sum, bias})})})};
}

/// Sums over `reach` elements before and after each along these axes: of slices of the padded data.
Value nearby_sum(Translation& t, const Value& value, const std::vector<std::int64_t>& axes, std::int64_t reach,
                 std::int64_t rank) {
  if (reach == 0 || axes.empty()) return value;
  std::vector<std::int64_t> pads(static_cast<std::size_t>(2 * rank), 0);
  for (const std::int64_t axis : axes) pads[static_cast<std::size_t>(axis)] = reach;
  for (const std::int64_t axis : axes) pads[static_cast<std::size_t>(rank + axis)] = reach;
  Value sum = t.op("Pad", {value, t.integers(pads)}, {{"mode", "constant"}});
  for (const std::int64_t axis : axes) {
    const Value padded = sum;
    for (std::int64_t i = 0; i <= 2 * reach; ++i) {
      const std::int64_t end = i == 2 * reach ? std::numeric_limits<std::int64_t>::max() : i - 2 * reach;
      const Value slice = t.op("Slice", {padded, t.integers({i}), t.integers({end}), t.integers({axis})});
      sum = i == 0 ? slice : t.op("Add", {sum, slice});
    }
  }
  return sum;
}

/// x / (bias + alpha / size^n * (sum of squares nearby))^beta. The operator works across channels; its windows of an
/// even size are not those of the IR.
Expected<Outputs> lrn(Translation& t) {
  const auto& op = *t.node.as<ops::LRN>();
  MO_ASSIGN(std::vector<std::int64_t> axes, t.axes(1));
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  if (axes == std::vector<std::int64_t>{1} && op.size % 2 == 1)
    return Outputs{
        t.op("LRN", {t.input(0)}, {{"alpha", op.alpha}, {"beta", op.beta}, {"bias", op.bias}, {"size", op.size}})};
  MO_ASSIGN(const std::int64_t rank, t.rank());
  std::int64_t reach = (op.size - 1) / 2;
  std::int64_t longest = 0;  // more elements than the longest axis has change nothing
  for (const std::int64_t axis : axes) {
    const Dimension& size = t.node.input_type(0).shape[static_cast<std::size_t>(axis)];
    longest = std::max(longest, size.is_known() ? size.value() - 1 : reach);
  }
  reach = std::min(reach, longest);
  if (reach > 64) return t.refused("windows of more than 129 elements");
  const ElementType type = t.node.output_type().element_type;
  const ElementType computed = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  const Value data = type == computed ? t.input(0) : t.cast(t.input(0), computed);
  const Value sum = nearby_sum(t, t.op("Mul", {data, data}), axes, reach, rank);
  const double factor = op.alpha / std::pow(static_cast<double>(op.size), static_cast<double>(axes.size()));
  const Value scaled = t.op("Mul", {sum, t.scalar(computed, factor)});
  const Value base = t.op("Add", {scaled, t.scalar(computed, op.bias)});
  const Value normal = t.op("Div", {data, t.op("Pow", {base, t.scalar(computed, op.beta)})});
  return Outputs{type == computed ? normal : t.cast(normal, type)};
}

/// Groups are normalized as instances: InstanceNormalization of [N, G, rest], then scale and bias of each channel.
Expected<Outputs> group_norm(Translation& t) {
  const auto& op = *t.node.as<ops::GroupNormalization>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const ElementType type = t.node.output_type().element_type;
  const Value groups = t.op("Reshape", {t.input(0), t.integers({0, op.num_groups, -1})});
  const Value centered = t.op("Sub", {groups, mean_of(t, groups, {2})});
  const Value variance = mean_of(t, t.op("Mul", {centered, centered}), {2});
  const Value deviation = t.op("Sqrt", {t.op("Add", {variance, t.scalar(type, op.epsilon)})});
  const Value normal = t.op("Reshape", {t.op("Div", {centered, deviation}), t.op("Shape", {t.input(0)})});
  std::vector<std::int64_t> behind;
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) behind.push_back(axis);
  const auto of_channels = [&](std::size_t i) {
    return behind.empty() ? t.input(i) : t.with_axes("Unsqueeze", t.input(i), behind);
  };
  return Outputs{t.op("Add", {t.op("Mul", {normal, of_channels(1)}), of_channels(2)})};
}

}  // namespace

void register_normalization(OnnxForms& table) {
  table.add<ops::v5::BatchNormInference>(batch_norm);
  table.add<ops::v0::BatchNormInference>(old_batch_norm);
  table.add<ops::v6::MVN>(mvn);
  table.add<ops::v0::MVN>(old_mvn);
  table.add<ops::NormalizeL2>(normalize_l2);
  table.add<ops::GRN>(grn);
  table.add<ops::LRN>(lrn);
  table.add<ops::GroupNormalization>(group_norm);
}

}  // namespace mo::onnx_emitter
