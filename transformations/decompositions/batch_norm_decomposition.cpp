#include "core/registry/pass_registry.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

struct NormInputs {
  Value data, gamma, beta, mean, variance;
  double epsilon = 0;
};

NormInputs inputs_of(const Node& norm) {
  if (const auto* const op = norm.as<ops::v5::BatchNormInference>())
    return {norm.input(0), norm.input(1), norm.input(2), norm.input(3), norm.input(4), op->epsilon};
  // opset1 has the data after gamma and beta.
  return {norm.input(2), norm.input(0), norm.input(1),
          norm.input(3), norm.input(4), norm.as<ops::v0::BatchNormInference>()->epsilon};
}

}  // namespace

/// The conversion has a rule of its own for this: it computes x * s + t, which fuses into the weights before it at
/// once. Here the mean goes first, as in nGraph, whose LinOpSequenceFusion brings that form about.
void register_batch_norm_decomposition(PassRegistry& passes) {
  const Pat norm = pattern::any_op<ops::v0::BatchNormInference, ops::v5::BatchNormInference>();
  passes.offer(rewrite("BatchNormDecomposition")
                   .described("BatchNormInference(x, gamma, beta, mean, variance)",
                              "(x + (-mean)) * (gamma / Sqrt(variance + epsilon)) + beta",
                              "the rank of x is known and at least 2, the number of channels is known")
                   .match(norm)
                   .replace([](const Match& m, Rewriter& rw) -> Replacement {
                     const NormInputs in = inputs_of(m.root().node());
                     const auto rank = in.data.type().rank();
                     const PartialShape& channels = in.gamma.type().shape;
                     if (!rank || *rank < 2) return declined("the rank is unknown or below 2");
                     if (!channels.has_rank() || channels.size() != 1 || !channels[0].is_known())
                       return declined("the number of channels is unknown");
                     std::vector<std::int64_t> aligned(static_cast<std::size_t>(*rank), 1);
                     aligned[1] = channels[0].value();
                     const auto per_channel = [&](const Value& v) {
                       return rw.fold(ops::Reshape{.special_zero = false}, v, rw.integers(aligned));
                     };
                     const Value deviation = rw.fold(
                         ops::Sqrt{}, rw.fold(ops::Add{}, in.variance, rw.scalar_like(in.variance, in.epsilon)));
                     const Value scale = per_channel(rw.fold(ops::Divide{}, in.gamma, deviation));
                     const Value shift = rw.fold(ops::Multiply{}, per_channel(in.mean), rw.scalar_like(in.mean, -1));
                     const Value scaled = rw.create(ops::Multiply{}, rw.create(ops::Add{}, in.data, shift), scale);
                     return rw.create(ops::Add{}, scaled, per_channel(in.beta));
                   }));
}

}  // namespace mo::transformations
