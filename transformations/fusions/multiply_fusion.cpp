#include "core/graph/copying.hpp"
#include "core/rewrite.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "transformations/support/fusing.hpp"
#include "transformations/support/whole_numbers.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

constexpr const char* kExact = "the sums are integers, which a factor in the weights would make inexact";

/// Where the output channels are in the weights of an op.
struct WeightLayout {
  std::size_t output_axis;
  /// grouped weights split the output channels over [group, channels per group]
  std::optional<std::size_t> group_axis;
};

std::optional<WeightLayout> weight_layout(const Node& node) {
  if (node.is<ops::Convolution>()) return WeightLayout{0, {}};
  if (node.is<ops::ConvolutionBackpropData>()) return WeightLayout{1, {}};
  if (node.is<ops::GroupConvolution>()) return WeightLayout{1, 0};
  if (node.is<ops::GroupConvolutionBackpropData>()) return WeightLayout{2, 0};
  return std::nullopt;
}

/// The factor in the shape of the weights; empty when it does not fit.
Value on_weights(Rewriter& rw, const Value& factor, const Value& weights, const WeightLayout& layout) {
  const auto shape = weights.type().shape.to_shape();
  if (!shape || layout.output_axis >= shape->size()) return {};
  if (factor.type().shape.size() == 0) return factor;
  std::vector<std::int64_t> aligned(shape->size(), 1);
  aligned[layout.output_axis] = (*shape)[layout.output_axis];
  if (layout.group_axis) aligned[*layout.group_axis] = (*shape)[*layout.group_axis];
  if (element_count(aligned) != factor.type().shape.element_count()) return {};
  return rw.fold(ops::Reshape{.special_zero = false}, factor, rw.integers(aligned));
}

/// Convolution(x, w) * c -> Convolution(x, w * c), c one number for each output channel. For all kinds of convolution.
RewriteRule convolution_multiply() {
  const Pat x = any();
  const Pat weights = constant();
  const Pat factor = constant();
  const Pat convolution =
      any_op<ops::Convolution, ops::GroupConvolution, ops::ConvolutionBackpropData, ops::GroupConvolutionBackpropData>(
          x, weights)
          .one_use();
  return rewrite("MultiplyIntoConvolution")
      .match(op<ops::Multiply>(convolution, factor))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        const Node node = m.node(convolution);
        if (!may_fuse(node, ctx)) return declined("fusing is switched off for this node");
        if (is_whole(m[convolution])) return declined(kExact);
        const Value channels = as_channel_vector(rw, m[factor], m[convolution], 1);
        const Value aligned = channels ? on_weights(rw, channels, m[weights], *weight_layout(node)) : Value();
        if (!aligned) return declined("the constant does not vary along the output channels alone");
        const Value scaled = rw.fold(ops::Multiply{}, m[weights], aligned);
        return rw.create(copy_op(node), m[x], scaled);
      });
}

/// MatMul(x, w) * c -> MatMul(x, w * c), c one number for each column of the result.
RewriteRule mat_mul_multiply() {
  const Pat x = any();
  const Pat weights = constant();
  const Pat factor = constant();
  const Pat product = op<ops::MatMul>(x, weights).one_use();
  return rewrite("MultiplyIntoMatMul")
      .match(op<ops::Multiply>(product, factor))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        const auto& mat_mul = *m.node(product).as<ops::MatMul>();
        const PartialShape& result = m[product].type().shape;
        const PartialShape& shape = m[weights].type().shape;
        if (!may_fuse(m.node(product), ctx) || !result.has_rank() || result.size() < 2 || shape.size() != 2)
          return declined("fusing is switched off for this node, or the ranks are unknown or below 2");
        if (is_whole(m[product])) return declined(kExact);
        const Value columns = as_channel_vector(rw, m[factor], m[product], result.size() - 1);
        if (!columns) return declined("the constant does not vary along the columns alone");
        const Value aligned = along_axis(rw, columns, 2, mat_mul.transpose_b ? 0 : 1);
        return rw.create(ops::MatMul{mat_mul}, m[x], rw.fold(ops::Multiply{}, m[weights], aligned));
      });
}

/// Convolution(x * c, w) -> Convolution(x, w * c), c one number for each input channel.
RewriteRule multiply_convolution() {
  const Pat x = any();
  const Pat factor = constant();
  const Pat weights = constant();
  const Pat scaled_input = op<ops::Multiply>(x, factor).one_use();
  const Pat convolution = op<ops::Convolution>(scaled_input, weights);
  return rewrite("MultiplyBeforeConvolution")
      .match(convolution)
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        if (!may_fuse(m.node(convolution), ctx) || !m[weights].type().shape.has_rank())
          return declined("fusing is switched off for this node, or the rank of the weights is unknown");
        const Value channels = as_channel_vector(rw, m[factor], m[x], 1);
        if (!channels) return declined("the constant does not vary along the channels of its operand alone");
        const Value aligned = along_axis(rw, channels, m[weights].type().shape.size(), 1);
        return rw.create(ops::Convolution{*m.node(convolution).as<ops::Convolution>()}, m[x],
                         rw.fold(ops::Multiply{}, m[weights], aligned));
      });
}

/// (x + a) * c -> x * c + a * c where x comes from weights that can take the factor.
RewriteRule multiply_through_add() {
  const Pat source = any_op<ops::Convolution, ops::GroupConvolution, ops::ConvolutionBackpropData,
                            ops::GroupConvolutionBackpropData, ops::MatMul>()
                         .one_use();
  const Pat shift = constant();
  const Pat factor = constant();
  const Pat sum = op<ops::Add>(source, shift).one_use();
  return rewrite("MultiplyThroughAdd")
      .match(op<ops::Multiply>(sum, factor))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        if (!may_fuse(m.node(source), ctx)) return declined("fusing is switched off for this node");
        const Value weights = m.node(source).input(1);
        if (!weights || !weights.node().is<Const>()) return declined("the weights are not constant");
        // Nothing may grow: both constants must be spread by the tensor, not the other way round.
        if (m[source].type().shape != m.root().type().shape && !m[source].type().shape.is_static())
          return declined("the constant may change the shape");
        if (m[source].type().shape.to_shape() != m.root().type().shape.to_shape())
          return declined("the constant changes the shape");
        if (is_whole(m[source])) return declined(kExact);
        return rw.create(ops::Add{}, rw.create(ops::Multiply{}, m[source], m[factor]),
                         rw.fold(ops::Multiply{}, m[shift], m[factor]));
      });
}

/// (x ∘ a) ∘ b -> x ∘ (a ∘ b) for constants a, b and ∘ either + or *.
template <class T>
RewriteRule merge_constants(std::string name) {
  const Pat x = any();
  const Pat first = constant();
  const Pat second = constant();
  const Pat inner = op<T>(x, first).one_use();
  return rewrite(std::move(name))
      .match(op<T>(inner, second))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        if (m[x].node().template is<Const>() || !is_real(m[x].type().element_type) || !may_fuse(m.node(inner), ctx))
          return declined("the data are constant or not floating-point, or fusing is switched off for this node");
        if (std::is_same_v<T, ops::Multiply> && is_rounded(m.root()) && is_whole(m[x])) return declined(kExact);
        // Two small constants must not become a large one: [C,1] and [W] would give [C,W].
        const auto a = m[first].type().shape.element_count();
        const auto b = m[second].type().shape.element_count();
        const Value merged = rw.fold(T{}, m[first], m[second]);
        const auto c = merged.type().shape.element_count();
        if (!a || !b || !c || *c > std::max(*a, *b))
          return declined("the product of the constants would be larger than both");
        return rw.create(T{}, m[x], merged);
      });
}

}  // namespace

void register_multiply_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("LinearOperationFusion")
                 .run_after({"BatchNormToScaleShift", "Preprocessing", "ReverseChannelsFusion"})
                 .run_before({"ConstantFolding"})
                 .add(merge_constants<ops::Multiply>("ConstantsOfMultiplies"))
                 .add(merge_constants<ops::Add>("ConstantsOfAdds"))
                 .add(multiply_through_add())
                 .add(convolution_multiply())
                 .add(mat_mul_multiply())
                 .add(multiply_convolution()));
}

}  // namespace mo::transformations
