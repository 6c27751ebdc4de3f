#include "frontends/tensorflow/ops/support/network_tail.hpp"
#include "frontends/tensorflow/ops/support/spatial_window.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/lrn.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"

namespace mo::tensorflow {
namespace {

/// FusedBatchNorm(x, scale, offset, mean, variance), versions 1 to 3 (`exponential_avg_factor` since 3; the types of
/// data and statistics may differ since 2): y, mean, variance, and what training needs.
class FusedBatchNorm {
 public:
  FusedBatchNorm(const FrameworkNode& node, Rewriter& rw) : node_(node), rw_(rw) {}

  /// Reads the attributes. Errors: MO-TF-0621 (data_format), MO-TF-0630 (what training needs is read).
  Expected<void> read() {
    MO_TRY(node_.expect_inputs(5));
    place_.spatial_rank = node_.attr("data_format", "NHWC").size() == 5 ? 3 : 2;
    MO_ASSIGN(place_.layout, read_layout(node_, place_.spatial_rank));
    epsilon_ = node_.attr("epsilon", 1e-4);
    training_ = node_.attr("is_training", true);
    factor_ = node_.attr("exponential_avg_factor", 1.0);
    for (std::size_t i = 3; i < node_.output_count(); ++i)
      if (node_.output_used(i))
        return node_.error("MO-TF-0630", "output {} is read, but is for training only", i)
            .hint("cut off what reads it with --output, or export the model for inference");
    // TensorFlow computes in the type of the statistics: f32 for data of half types.
    x_ = as_type_of(rw_, node_.input(0), node_.input(1));
    return {};
  }

  Value y() { return as_type_of(rw_, training_ ? normalized_by_batch() : normalized_by_statistics(), node_.input(0)); }

  /// All outputs, with `y` as the first one.
  Outputs outputs(const Value& y) {
    Outputs made = {y, node_.input(3), node_.input(4)};
    if (training_ && node_.output_used(1))
      made[1] = averaged(rw_.create(ops::ReduceMean{.keep_dims = false}, x_, axes()), node_.input(3));
    if (training_ && node_.output_used(2)) made[2] = averaged(variance_of_sample(), node_.input(4));
    return made;
  }

 private:
  /// All axes but that of the channels.
  Value axes() {
    std::vector<std::int64_t> list = {0};
    const std::int64_t first = place_.layout == DataLayout::channels_last ? 1 : 2;
    for (std::size_t i = 0; i < place_.spatial_rank; ++i) list.push_back(first + static_cast<std::int64_t>(i));
    return rw_.integers(list);
  }

  Value normalized_by_statistics() {
    return batch_normalized(rw_, x_, {node_.input(1), node_.input(2), node_.input(3), node_.input(4)}, epsilon_,
                            place_);
  }

  Value normalized_by_batch() {
    const Value y = rw_.create(
        ops::MVN{.eps = epsilon_, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x_, axes());
    const Value scaled = rw_.create(ops::Multiply{}, y, along_channels(rw_, node_.input(1), place_));
    return rw_.create(ops::Add{}, scaled, along_channels(rw_, node_.input(2), place_));
  }

  /// TensorFlow FusedBatchNormV3: the new value is factor * that of the batch + (1 - factor) * the old one; only that
  /// of the batch when the factor is 1.
  Value averaged(const Value& batch, const Value& old) {
    if (factor_ == 1) return batch;
    const auto weighted = [&](const Value& v, double weight) {
      return rw_.create(ops::Multiply{}, v, number_like(rw_, v, weight));
    };
    return rw_.create(ops::Add{}, weighted(batch, factor_), weighted(old, 1 - factor_));
  }

  /// The variance that is given out is that of a sample: n / (n - 1) times the one that normalises, with n elements per
  /// channel.
  Value variance_of_sample() {
    const Value mean = rw_.create(ops::ReduceMean{.keep_dims = true}, x_, axes());
    const Value variance =
        rw_.create(ops::ReduceMean{.keep_dims = false}, rw_.create(ops::SquaredDifference{}, x_, mean), axes());
    const Value sizes = rw_.create(ops::Gather{}, shape_of(rw_, x_), axes(), rw_.scalar<std::int64_t>(0));
    const Value count = rw_.create(ops::ReduceProd{.keep_dims = false}, sizes, rw_.scalar<std::int64_t>(0));
    const Value one = rw_.scalar<std::int64_t>(1);
    const Value less = rw_.create(ops::Maximum{}, rw_.create(ops::Subtract{}, count, one), one);
    const Value correction =
        rw_.create(ops::Divide{}, as_type_of(rw_, count, variance), as_type_of(rw_, less, variance));
    return rw_.create(ops::Multiply{}, variance, correction);
  }

  const FrameworkNode& node_;
  Rewriter& rw_;
  ChannelPlace place_;
  double epsilon_ = 0;
  bool training_ = true;
  double factor_ = 1;
  Value x_;
};

Replacement fused_batch_norm(const FrameworkNode& node, Rewriter& rw) {
  FusedBatchNorm norm(node, rw);
  MO_TRY(norm.read());
  return norm.outputs(norm.y());
}

/// Grappler: FusedBatchNorm, plus one more tensor, then an activation.
Replacement fused_batch_norm_ex(const FrameworkNode& node, Rewriter& rw) {
  const std::string activation = node.attr("activation_mode", "Identity");
  if (activation != "Identity" && activation != "Relu")
    return node.error("MO-TF-0631", "activation_mode is {}", activation).hint("it is one of Identity, Relu");
  const auto sides = node.attr<std::int64_t>("num_side_inputs", 0);
  if (sides != 0 && sides != 1) return node.error("MO-TF-0631", "num_side_inputs is {}", sides).hint("it is 0 or 1");
  MO_TRY(node.expect_inputs(sides == 1 ? 6 : 5));
  FusedBatchNorm norm(node, rw);
  MO_TRY(norm.read());
  Value y = norm.y();
  if (sides == 1) y = rw.create(ops::Add{}, y, node.input(5));
  return norm.outputs(activation == "Relu" ? rw.create(ops::ReLU{}, y) : y);
}

/// BatchNormWithGlobalNormalization(x, mean, variance, offset, scale); the scale counts only with
/// scale_after_normalization
Replacement batch_norm_with_global_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(5));
  const Value scale = node.required<bool>("scale_after_normalization") ? node.input(4) : Value();
  node.ignore_input(4, "the scale of scale_after_normalization, which is off");
  const BatchNormInputs inputs{
      .scale = scale, .offset = node.input(3), .mean = node.input(1), .variance = node.input(2)};
  return batch_normalized(rw, node.input(0), inputs, node.required<double>("variance_epsilon"), {});
}

/// TensorFlow LRN: across the last one of four dimensions. The window reaches `depth_radius` channels to both sides,
/// and alpha is not divided by its size as in the IR.
Replacement local_response_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto radius = node.attr<std::int64_t>("depth_radius", 5);
  constexpr std::int64_t kLargestRadius = std::int64_t{1} << 30;
  if (radius < 0 || radius > kLargestRadius)
    return node.error("MO-TF-0622", "depth_radius is {}, which is outside of [0, {}]", radius, kLargestRadius)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const std::int64_t size = 2 * radius + 1;
  const ops::LRN op{.alpha = node.attr("alpha", 1.0) * static_cast<double>(size),
                    .beta = node.attr("beta", 0.5),
                    .bias = node.attr("bias", 1.0),
                    .size = size};
  return rw.create(op, node.input(0), rw.integers({3}));
}

}  // namespace

void register_normalization(OperatorTable& table) {
  table.translate("FusedBatchNorm", fused_batch_norm);
  table.translate("FusedBatchNormV2", fused_batch_norm);
  table.translate("FusedBatchNormV3", fused_batch_norm);
  table.translate("_FusedBatchNormEx", fused_batch_norm_ex);
  table.translate("BatchNormWithGlobalNormalization", batch_norm_with_global_normalization);
  table.translate("LRN", local_response_normalization);
}

}  // namespace mo::tensorflow
