#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/support/fusing.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/whole_numbers.hpp"

namespace mo::transformations {
namespace {

/// +, -, * or / of a tensor and a constant.
bool is_linear(const Node& node) {
  if (!node.is<ops::Add>() && !node.is<ops::Multiply>() && !node.is<ops::Subtract>() && !node.is<ops::Divide>())
    return false;
  return tensor_and_constant(node).has_value();
}

bool has_weights(const Node& node) {
  const bool kind = node.is<ops::Convolution>() || node.is<ops::GroupConvolution>() ||
                    node.is<ops::ConvolutionBackpropData>() || node.is<ops::GroupConvolutionBackpropData>() ||
                    node.is<ops::MatMul>();
  return kind && node.input(1) && node.input(1).node().is<Const>();
}

/// A neighbour could take the operation in.
bool is_in_chain(const Value& result, const Value& operand) {
  if (is_linear(operand.node()) || has_weights(operand.node())) return true;
  return result.has_one_destination() &&
         (is_linear(result.get_destinations().front().node()) || has_weights(result.get_destinations().front().node()));
}

bool has_zero(const Value& constant) {
  constexpr std::int64_t kMost = 1 << 16;
  const Tensor& tensor = constant.node().as<Const>()->value;
  const auto numbers = tensor.element_count() <= kMost ? std::optional(to_reals(tensor)) : std::nullopt;
  return !numbers || !*numbers || std::any_of((*numbers)->begin(), (*numbers)->end(), [](double v) { return v == 0; });
}

}  // namespace

/// x - c -> x + (-c), x / c -> x * (1 / c) where a neighbour is linear as well,
/// so that batch normalisation in its arithmetic spellings comes down to the
/// chains of + and * that LinearOperationFusion takes into weights. What is
/// rounded then stays a quotient: 49 * (1 / 49) is less than 1.
void register_linear_normalization(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any().where([](const Value& v) { return is_real(v.type().element_type) && !v.node().is<Const>(); },
                            "floating-point values that are computed");
  const Pat c = constant();
  passes.add(
      graph_rewrite("LinearNormalization")
          .run_after({"CommonSubexpressions", "ClampFusion", "GeluFusion", "HSigmoidFusion", "MVNFusion",
                      "NormalizeL2Fusion", "PReLUFusion", "SoftPlusFusion", "SwishFusion"})
          .run_before({"LinearOperationFusion"})
          .add(rewrite("SubtractToAdd")
                   .match(op<ops::Subtract>(x, c))
                   .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
                     const auto& op = *m.root().node().as<ops::Subtract>();
                     if (!is_in_chain(m.root(), m[x]) || !may_fuse(m.root().node(), ctx))
                       return declined("it is not part of a linear chain, or fusing is switched off for this node");
                     return rw.create(
                         ops::Add{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
                         m[x], rw.fold(ops::Negative{}, m[c]));
                   }))
          .add(rewrite("DivideToMultiply")
                   .match(op<ops::Divide>(x, c))
                   .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
                     const auto& op = *m.root().node().as<ops::Divide>();
                     if (!is_in_chain(m.root(), m[x]) || !may_fuse(m.root().node(), ctx) || has_zero(m[c]))
                       return declined("it is not part of a linear chain, fusing is switched off, or it divides by 0");
                     if (is_rounded(m.root()))
                       return declined("the quotient is rounded, and a product with 1 / c may have another last bit");
                     return rw.create(ops::Multiply{.auto_broadcast = op.auto_broadcast,
                                                    .auto_broadcast_axis = op.auto_broadcast_axis},
                                      m[x], rw.fold(ops::Divide{}, rw.scalar_like(m[c], 1), m[c]));
                   })));
}

}  // namespace mo::transformations
