#include "ops/convolution.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

bool is_quantized_convolution(const Node& node) {
  return node.is<ops::Convolution>() || node.is<ops::GroupConvolution>();
}

}  // namespace

void register_fake_quantize_mul_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Quantize quantize(any());
  const Pat quantized = quantize.op.one_use();
  const Pat factor = constant();
  passes.offer(rewrite("FakeQuantizeMulFusion")
                   .described("FakeQuantize(x, low, high, out_low, out_high) * c",
                              "FakeQuantize(x, low, high, out_low * c, out_high * c)",
                              "c is a constant that does not change the shape: one number, or several, unless a "
                              "convolution reads the product")
                   .match(quantized * factor)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const PartialShape& shape = m[quantized].type().shape;
                     if (!shape.has_rank()) return declined("the rank is unknown");
                     const auto multiplier = multiplier_of(rw, m[factor], shape.size());
                     if (!multiplier) return declined("the constant is empty or large");
                     if (!multiplier->is_single && is_read_by(m.root(), is_quantized_convolution))
                       return declined("one factor for each channel before a convolution");
                     if (is_stretched_by(shape, shape_of_constant(m[factor])))
                       return declined("the constant changes the shape");
                     const auto moved = [&](const Pat& limit) {
                       return rw.fold(ops::Multiply{}, m[limit], multiplier->value);
                     };
                     const Value low = moved(quantize.out_low);
                     return rw
                         .copy_with_new_inputs(m.node(quantized), {m[quantize.data], m[quantize.low], m[quantize.high],
                                                                   low, moved(quantize.out_high)})
                         .output();
                   }));
}

}  // namespace mo::transformations
