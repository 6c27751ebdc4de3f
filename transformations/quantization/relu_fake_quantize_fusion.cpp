#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

/// All numbers are known and none is negative.
bool is_never_negative(const Value& constant) {
  const auto numbers = constant_reals_of(constant);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v >= 0; });
}

}  // namespace

void register_relu_fake_quantize_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Quantize quantize(relu(x).one_use(), constant(), any());
  passes.offer(rewrite("ReluFakeQuantizeFusion")
                   .described("FakeQuantize(relu(x), low, high, …)", "FakeQuantize(x, low, high, …)",
                              "low is a constant without negative values")
                   .match(quantize.op)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     if (!is_never_negative(m[quantize.low])) return declined("the lower limit may be negative");
                     if (m[quantize.high].node().is<Const>() && !is_never_negative(m[quantize.high]))
                       return declined("the upper limit may be negative");
                     return rw
                         .copy_with_new_inputs(m.node(quantize.op), {m[x], m[quantize.low], m[quantize.high],
                                                                     m[quantize.out_low], m[quantize.out_high]})
                         .output();
                   }));
}

}  // namespace mo::transformations
