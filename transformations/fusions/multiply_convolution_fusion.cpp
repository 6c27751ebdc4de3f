#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/convolutions.hpp"
#include "transformations/support/dequantization.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// Convolution(x * c, w) -> Convolution(x, w * c), c one number for each input channel, or one.
template <OpLike T>
Pass multiply_in_front(std::string name) {
  const Pat x = any();
  const Pat factor = constant();
  const Pat product = (x * factor).one_use();
  const Pat weights = any().static_shape();
  const Pat convolution = any_of(op<T>(product, weights), op<T>(product, weights, any()));
  const std::string type(T::id.type);
  return rewrite(std::move(name))
      .described(type + "(x * c, w)", type + "(x, w * c)",
                 "c is a constant: one number, or one for each input channel; w has a static shape; the product does "
                 "not undo a quantisation")
      .match(convolution)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (is_dequantization(m.node(product))) return declined("the product undoes a quantisation");
        const Node node = m.root().node();
        const WeightAxes axes = *weight_axes(node);
        const Value aligned = factor_on_weights(rw, m[factor], m[x], m[weights], axes.group, axes.input);
        if (!aligned) return declined("the constant does not vary along the input channels alone");
        std::vector<Value> inputs = {m[x], rw.fold(ops::Multiply{}, m[weights], aligned)};
        for (std::size_t i = 2; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
        return rw.copy_with_new_inputs(node, inputs).output();
      });
}

}  // namespace

void register_multiply_convolution_fusion(PassRegistry& passes) {
  passes.offer(multiply_in_front<ops::Convolution>("MultiplyConvolutionFusion"));
  passes.offer(multiply_in_front<ops::GroupConvolution>("MultiplyGroupConvolutionFusion"));
  passes.offer(multiply_in_front<ops::ConvolutionBackpropData>("MultiplyConvolutionBackpropDataFusion"));
  passes.offer(multiply_in_front<ops::GroupConvolutionBackpropData>("MultiplyGroupConvolutionBackpropDataFusion"));
}

}  // namespace mo::transformations
