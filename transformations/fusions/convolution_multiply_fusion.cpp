#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/convolutions.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// Convolution(x, w) * c -> Convolution(x, w * c), c one number for each output channel, or one.
template <OpLike T>
Pass multiply_behind(std::string name) {
  const Pat convolution = op<T>().one_use();
  const Pat factor = constant();
  const std::string type(T::id.type);
  return rewrite(std::move(name))
      .described(type + "(x, w) * c", type + "(x, w * c)",
                 "c is a constant: one number, or one for each output channel; nothing else reads the result")
      .match(convolution * factor)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.node(convolution);
        const WeightAxes axes = *weight_axes(node);
        const Value aligned = factor_on_weights(rw, m[factor], m[convolution], node.input(1), axes.group, axes.output);
        if (!aligned) return declined("the constant does not vary along the output channels alone");
        std::vector<Value> inputs;
        for (const InPort& port : node.in_ports()) inputs.push_back(port.get_source());
        inputs[1] = rw.fold(ops::Multiply{}, inputs[1], aligned);
        return rw.copy_with_new_inputs(node, inputs).output();
      });
}

}  // namespace

void register_convolution_multiply_fusion(PassRegistry& passes) {
  passes.offer(multiply_behind<ops::Convolution>("ConvolutionMultiplyFusion"));
  passes.offer(multiply_behind<ops::GroupConvolution>("GroupConvolutionMultiplyFusion"));
  passes.offer(multiply_behind<ops::ConvolutionBackpropData>("ConvolutionBackpropDataMultiplyFusion"));
  passes.offer(multiply_behind<ops::GroupConvolutionBackpropData>("GroupConvolutionBackpropDataMultiplyFusion"));
}

}  // namespace mo::transformations
