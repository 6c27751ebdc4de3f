#include "ops/convert.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {

void register_weights_dequantize_to_fake_quantize(PassRegistry& passes) {
  using namespace pattern;
  const Pat weights = constant().element_type(ElementType::i8);
  const Pat convert = op<ops::Convert>(weights);
  const Pat zero_point = any();
  const Pat factor = any();
  passes.offer(
      rewrite("WeightsDequantizeToFakeQuantize")
          .described("(Convert(w) - zero_point) * scale",
                     "FakeQuantize(Convert(w), lowest, 127, (lowest - zero_point) * scale, (127 - zero_point) * scale)",
                     "w is a constant of i8, lowest is -128 where that occurs in it and -127 otherwise; zero_point may "
                     "be missing")
          .match(op<ops::Multiply>(any_of(op<ops::Subtract>(convert, zero_point), convert), factor))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto numbers = constant_reals_of(m[weights]);
            if (!numbers) return declined("the weights are large");
            const bool uses_all = std::any_of(numbers->begin(), numbers->end(), [](double v) { return v <= -128; });
            const Value low = rw.scalar_like(m[convert], uses_all ? -128 : -127);
            const Value high = rw.scalar_like(m[convert], 127);
            const auto limit = [&](Value value) {
              if (const Value shift = m.find(zero_point)) value = rw.fold(ops::Subtract{}, value, shift);
              return rw.fold(ops::Multiply{}, value, m[factor]);
            };
            const Value out_low = limit(low);
            const Value out_high = limit(high);
            if (!broadcasts_to(out_low, m[convert])) return declined("the factor or the zero point changes the shape");
            return rw.create(ops::FakeQuantize{.levels = uses_all ? 256 : 255},
                             std::vector<Value>{m[convert], low, high, out_low, out_high});
          }));
}

}  // namespace mo::transformations
