#include <cmath>

#include "core/tensor/convert.hpp"
#include "ops/binary_convolution.hpp"
#include "ops/convolution.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

/// The sums of the weights of each output channel, [O, 1, …] as long as the spatial dimensions are many.
Value sums_of_channels(Rewriter& rw, const Value& like, const Shape& shape, const std::vector<double>& weights) {
  const auto channels = static_cast<std::size_t>(shape.front());
  const std::size_t count = weights.size() / channels;
  std::vector<double> sums(channels, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) sums[i / count] += weights[i];
  Shape aligned(shape.size() - 1, 1);
  aligned.front() = shape.front();
  return reals_like(rw, like, aligned, sums);
}

}  // namespace

void register_conv_to_binary_conv(PassRegistry& passes) {
  using namespace pattern;
  const Quantize quantize(any());
  const Pat weights = constant();
  const Pat root = op<ops::Convolution>(quantize.op, weights);
  passes.offer(rewrite("ConvToBinaryConv")
                   .described("Convolution(FakeQuantize(x) to 0 and 1, or to -1 and 1; w)",
                              "BinaryConvolution with weights of u1; (… + sum(w)) * 0.5 for 0 and 1",
                              "2 levels, constant output limits; all weights are -1 or 1")
                   .match(root)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     if (m.node(quantize.op).as<ops::FakeQuantize>()->levels != 2)
                       return declined("the levels are not 2");
                     const auto low = number_of(m[quantize.out_low]);
                     if (number_of(m[quantize.out_high]) != 1.0 || (low != 0.0 && low != -1.0))
                       return declined("the output limits are not 0 and 1, or -1 and 1");
                     const auto numbers = constant_reals_of(m[weights]);
                     if (!numbers || numbers->empty() ||
                         std::any_of(numbers->begin(), numbers->end(), [](double v) { return std::abs(v) != 1; }))
                       return declined("the weights are not -1 or 1");
                     const auto& op = *m.node(root).as<ops::Convolution>();
                     if (op.layout != DataLayout::channels_first) return declined("the channels are last");
                     const Shape& shape = shape_of_constant(m[weights]);
                     std::vector<std::int64_t> bits;
                     for (const double v : *numbers) bits.push_back(v > 0 ? 1 : 0);
                     auto packed = from_integers(ElementType::u1, shape, bits);
                     if (!packed) return std::move(packed).error();
                     // Padding is 0, which lies below the numbers that stand for 0 and 1, and between -1 and 1.
                     const ops::BinaryConvolution made{.pad_value = *low == 0 ? -1.0 : 0.0,
                                                       .strides = op.strides,
                                                       .pads_begin = op.pads_begin,
                                                       .pads_end = op.pads_end,
                                                       .dilations = op.dilations,
                                                       .auto_pad = op.auto_pad};
                     const Value result = rw.create(made, m[quantize.op], rw.constant(*std::move(packed)));
                     if (*low != 0) return result;
                     const Value sum = rw.create(ops::Add{}, result, sums_of_channels(rw, m[weights], shape, *numbers));
                     return rw.create(ops::Multiply{}, sum, rw.scalar_like(m[weights], 0.5));
                   }));
}

}  // namespace mo::transformations
