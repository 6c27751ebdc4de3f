#include "ops/convert.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

/// The range of the integers is that of the quantised numbers.
bool has_range(const Value& low, const Value& high, ElementType type) {
  const auto least = number_of(low);
  const auto most = number_of(high);
  if (type == ElementType::i8) return least == -128 && most == 127;
  return type == ElementType::u8 && least == 0 && most == 255;
}

}  // namespace

void register_convert_quantize_dequantize(PassRegistry& passes) {
  using namespace pattern;
  const Quantize quantize(any());
  const Pat quantized = quantize.op.one_use();
  const Pat integers = op<ops::Convert>(quantized).one_use();
  const Pat reals = op<ops::Convert>(integers).element_type(ElementType::f32).one_use();
  const Pat zero_point = any();
  const Pat factor = any();
  passes.offer(
      rewrite("ConvertQuantizeDequantize")
          .described("(Convert(Convert(FakeQuantize(x, low, high, a, b) to integers) to f32) - zero_point) * scale",
                     "FakeQuantize(x, low, high, (a - zero_point) * scale, (b - zero_point) * scale)",
                     "256 levels; the integers are i8 from -128 to 127 or u8 from 0 to 255; the new limits broadcast "
                     "to the data")
          .match((op<ops::Subtract>(reals, zero_point).one_use()) * factor)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.node(quantized);
            if (node.as<ops::FakeQuantize>()->levels != 256) return declined("the levels are not 256");
            if (!has_range(m[quantize.out_low], m[quantize.out_high], m[integers].type().element_type))
              return declined("the range is not that of the integers");
            const auto limit = [&](const Pat& end) {
              return rw.fold(ops::Multiply{}, rw.fold(ops::Subtract{}, m[end], m[zero_point]), m[factor]);
            };
            const Value low = limit(quantize.out_low);
            const Value high = limit(quantize.out_high);
            if (!broadcasts_to(low, m[quantized]))
              return declined("the factor or the zero point changes the shape, or the rank is unknown");
            return rw.copy_with_new_inputs(node, {m[quantize.data], m[quantize.low], m[quantize.high], low, high})
                .output();
          }));
}

}  // namespace mo::transformations
