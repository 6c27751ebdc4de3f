#include "core/rewrite.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"

namespace mo::transformations {

namespace {

struct Statistics {
  Value gamma;
  Value beta;
  Value mean;
  Value variance;
};

Replacement decomposed(const Value& x, const Statistics& of, double epsilon, Rewriter& rw) {
  const auto rank = x.type().rank();
  const auto channels = of.gamma.type().shape;
  if (!rank || *rank < 2) return declined("the rank is unknown or below 2");
  if (!channels.has_rank() || channels.size() != 1) return declined("gamma is not a vector");
  const Value deviation = rw.fold(ops::Sqrt{}, rw.fold(ops::Add{}, of.variance, rw.scalar_like(of.variance, epsilon)));
  const Value scale = rw.fold(ops::Divide{}, of.gamma, deviation);
  const Value shift = rw.fold(ops::Subtract{}, of.beta, rw.fold(ops::Multiply{}, of.mean, scale));
  // [C] -> [1, C, 1, …], as far as the rank of x asks for it.
  std::vector<std::int64_t> aligned(static_cast<std::size_t>(*rank), 1);
  aligned[1] = -1;
  const auto per_channel = [&](const Value& v) {
    return rw.fold(ops::Reshape{.special_zero = false}, v, rw.integers(aligned));
  };
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, x, per_channel(scale)), per_channel(shift));
}

/// A rule for one class; the place of its data among its inputs: the others follow in the same order.
template <OpLike T>
RewriteRule decomposition(std::string name, std::size_t data) {
  return rewrite(std::move(name)).match(pattern::op<T>()).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    std::vector<Value> others;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (i != data) others.push_back(node.input(i));
    return decomposed(node.input(data), {others[0], others[1], others[2], others[3]}, node.as<T>()->epsilon, rw);
  });
}

}  // namespace

/// BatchNormInference(x, gamma, beta, mean, variance) -> x * s + (beta - mean * s), s = gamma / sqrt(variance +
/// epsilon), so that fusions can take the multiplication into the weights before it. Needs the rank of x to put the
/// channels at dimension 1.
void register_batch_norm_to_scale_shift(PassRegistry& passes) {
  passes.add(graph_rewrite("BatchNormToScaleShift")
                 .run_before({"ConstantFolding"})
                 .add(decomposition<ops::v0::BatchNormInference>("BatchNormOfOpset1", 2))
                 .add(decomposition<ops::v5::BatchNormInference>("BatchNormOfOpset5", 0)));
}

}  // namespace mo::transformations
