#include "core/rewrite.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"

namespace mo::middle {

/// BatchNormInference(x, gamma, beta, mean, variance) -> x * s + (beta - mean * s), s = gamma / sqrt(variance + epsilon),
/// so that fusions can take the multiplication into the weights before it. Needs the rank of x to put the channels at dimension 1.
void register_batch_norm_decomposition(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat gamma = any();
  const Pat beta = any();
  const Pat mean = any();
  const Pat variance = any();
  const Pat norm = op<ops::v5::BatchNormInference>(x, gamma, beta, mean, variance);

  passes.add(rewrite("BatchNormDecomposition").run_before({"ConstantFolding"}).match(norm).replace([=](const Match& m, Rewriter& rw) -> Replacement {
    const auto rank = m[x].type().rank();
    const auto channels = m[gamma].type().shape;
    if (!rank || *rank < 2) return declined("the rank is unknown or below 2");
    if (!channels.has_rank() || channels.size() != 1) return declined("gamma is no vector");
    const double epsilon = m.node(norm).as<ops::v5::BatchNormInference>()->epsilon;
    const Value deviation = rw.fold(ops::Sqrt{}, rw.fold(ops::Add{}, m[variance], rw.scalar_like(m[variance], epsilon)));
    const Value scale = rw.fold(ops::Divide{}, m[gamma], deviation);
    const Value shift = rw.fold(ops::Subtract{}, m[beta], rw.fold(ops::Multiply{}, m[mean], scale));
    // [C] -> [1, C, 1, …], as far as the rank of x asks for it.
    std::vector<std::int64_t> aligned(static_cast<std::size_t>(*rank), 1);
    aligned[1] = -1;
    const auto per_channel = [&](const Value& v) { return rw.fold(ops::Reshape{.special_zero = false}, v, rw.integers(aligned)); };
    return rw.create(ops::Add{}, rw.create(ops::Multiply{}, m[x], per_channel(scale)), per_channel(shift));
  }));
}

}  // namespace mo::middle
