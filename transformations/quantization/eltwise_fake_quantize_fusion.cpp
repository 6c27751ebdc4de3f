#include "ops/concat.hpp"
#include "transformations/quantization/support/quantization.hpp"
#include "transformations/support/convolutions.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

bool is_concat(const Node& node) { return node.is<ops::Concat>(); }

/// One number along one of the first two dimensions of `rank`: [N, 1, …] or [1, C, 1, …].
bool is_along_rows_or_channels(const Shape& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && (i > 1 || (i == 1 && shape[0] != 1))) return false;
  return true;
}

/// FakeQuantize(T(x, c), low, high) -> FakeQuantize(x, …) with the limits moved by the inverse of T.
template <OpLike T, OpLike Inverse>
Pass in_front_of_quantize(std::string name, std::string before, std::string after) {
  constexpr bool kAdds = std::is_same_v<T, ops::Add>;
  const Pat x = any();
  const Pat c = constant();
  const Pat linear = op<T>(x, c).one_use();
  const Quantize quantize(linear, constant(), constant());
  return rewrite(std::move(name))
      .described(std::move(before), std::move(after),
                 std::string("c is a constant of 32 bits or more that does not change the shape") +
                     (kAdds ? "" : ", positive") +
                     ": one number, or one along dimension 0 or 1, then not before a Concat" +
                     (kAdds ? " nor after an op with weights" : ""))
      .match(quantize.op)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (bit_width(m[c].type().element_type) < 32) return declined("the constant has less than 32 bits");
        const PartialShape& shape = m[x].type().shape;
        if (is_stretched_by(shape, shape_of_constant(m[c]))) return declined("the constant changes the shape");
        const auto numbers = constant_reals_of(m[c]);
        if (!numbers || (!kAdds && std::any_of(numbers->begin(), numbers->end(), [](double v) { return !(v > 0); })))
          return declined("the constant is large, or a factor is not positive");
        const auto multiplier = multiplier_of(rw, m[c], shape.size());
        if (!multiplier) return declined("the constant is empty");
        if (!multiplier->is_single) {
          if (kAdds && has_weights(m[x].node())) return declined("what is added to an op with weights stays with it");
          if (is_read_by(m.root(), is_concat)) return declined("one limit for each channel before a Concat");
          if (!is_along_rows_or_channels(shape_of_constant(multiplier->value)))
            return declined("the constant varies along other dimensions");
        }
        const Value low = rw.fold(Inverse{}, m[quantize.low], multiplier->value);
        const Value high = rw.fold(Inverse{}, m[quantize.high], multiplier->value);
        return rw
            .copy_with_new_inputs(m.node(quantize.op), {m[x], low, high, m[quantize.out_low], m[quantize.out_high]})
            .output();
      });
}

}  // namespace

void register_eltwise_fake_quantize_fusion(PassRegistry& passes) {
  passes.offer(in_front_of_quantize<ops::Add, ops::Subtract>(
      "AddFakeQuantizeFusion", "FakeQuantize(x + c, low, high, …)", "FakeQuantize(x, low - c, high - c, …)"));
  passes.offer(in_front_of_quantize<ops::Multiply, ops::Divide>(
      "MulFakeQuantizeFusion", "FakeQuantize(x * c, low, high, …)", "FakeQuantize(x, low / c, high / c, …)"));
}

}  // namespace mo::transformations
