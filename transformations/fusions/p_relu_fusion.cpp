#include "core/rewrite.hpp"
#include "ops/activations.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// A vector of slopes lies along the last dimension in a product, along dimension 1 in PReLU.
bool means_the_same(const Value& slope, const Value& x) {
  const Shape& shape = shape_of_constant(slope);
  return shape.size() != 1 || shape.front() == 1 || x.type().rank() == 2;
}

Pass prelu_fusion(std::string name, const Pat& root, const Pat& x, const Pat& slope, bool negative,
                  std::string before) {
  return rewrite(std::move(name))
      .described(std::move(before), negative ? "PReLU(x, -a)" : "PReLU(x, a)",
                 "a is a constant that does not change the shape")
      .match(root)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_real(m[x].type().element_type) || !can_stand_for(m.root(), m[x]))
          return declined("x is not real, or the slope changes its shape");
        if (may_be_stretched_by(m[x], m[slope])) return declined("the slopes may change the shape of x");
        if (!means_the_same(m[slope], m[x])) return declined("PReLU takes a vector of slopes along another dimension");
        return rw.create(ops::PReLU{}, m[x], negative ? rw.fold(ops::Negative{}, m[slope]) : m[slope]);
      });
}

}  // namespace

void register_p_relu_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat slope = constant();
  const Pat mirrored = relu(op<ops::Negative>(x));
  const Pat scaled_mirrored = relu(x * number(-1));
  passes.offer(prelu_fusion("PReluFusionNegativeAdd", relu(x) + op<ops::Negative>(mirrored) * slope, x, slope, false,
                            "relu(x) + -relu(-x) * a"));
  passes.offer(
      prelu_fusion("PReluFusionNegativeSub", relu(x) - mirrored * slope, x, slope, false, "relu(x) - relu(-x) * a"));
  passes.offer(prelu_fusion("PReluFusionMultiplyAdd", relu(x) + scaled_mirrored * slope, x, slope, true,
                            "relu(x) + relu(x * -1) * a"));
  passes.offer(prelu_fusion("PReluFusionMultiplySub", relu(x) - scaled_mirrored * slope, x, slope, false,
                            "relu(x) - relu(x * -1) * a"));
  passes.offer(pipeline("PReluFusion")
                   .described("the positive part of x and a times its negative part", "PReLU(x, a)")
                   .group("PReluFusion", {"PReluFusionNegativeAdd", "PReluFusionNegativeSub", "PReluFusionMultiplyAdd",
                                          "PReluFusionMultiplySub"}));
}

}  // namespace mo::transformations
