#include "ops/reference/fake_quantize.hpp"

#include <algorithm>

#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// IR FakeQuantize-1. With input_low == input_high (binarization) every number takes one of the first two branches.
template <class A>
A quantized(A x, A input_low, A input_high, A output_low, A output_high, A steps) {
  if (x <= std::min(input_low, input_high)) return output_low;
  if (x > std::max(input_low, input_high)) return output_high;
  return std::nearbyint((x - input_low) / (input_high - input_low) * steps) / steps * (output_high - output_low) +
         output_low;
}

}  // namespace

void fake_quantize(const Tensor& data, const QuantizationRanges& ranges, Tensor& out, std::int64_t levels) {
  if (data.element_count() == 0) return;
  const std::array<const Tensor*, 4> ends{&ranges.input_low, &ranges.input_high, &ranges.output_low,
                                          &ranges.output_high};
  const BroadcastPlan plan = plan_broadcast(
      out.shape(), {&data.shape(), &ends[0]->shape(), &ends[1]->shape(), &ends[2]->shape(), &ends[3]->shape()});
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    using A = Accumulator<T>;
    const A steps = static_cast<A>(levels - 1);
    const T* from = data.values<T>().data();
    T* to = out.mutable_values<T>().data();
    std::array<const T*, 4> end{};
    std::array<std::int64_t, 4> step{};
    for (std::size_t k = 0; k < 4; ++k) {
      end[k] = ends[k]->values<T>().data();
      step[k] = plan.strides[k + 1].back();
    }
    const bool same_in_row = step == std::array<std::int64_t, 4>{};
    for_each_row<5>(plan, [&](std::int64_t start, const std::array<std::int64_t, 5>& at, std::int64_t length) {
      const auto value = [&](std::size_t k, std::int64_t i) { return static_cast<A>(end[k][at[k + 1] + i * step[k]]); };
      const T* x = from + start;  // the data has the shape of the output
      if (same_in_row) {
        const A low = value(0, 0), high = value(1, 0), to_low = value(2, 0), to_high = value(3, 0);
        for (std::int64_t i = 0; i < length; ++i)
          to[start + i] = static_cast<T>(quantized(static_cast<A>(x[i]), low, high, to_low, to_high, steps));
      } else {
        for (std::int64_t i = 0; i < length; ++i)
          to[start + i] = static_cast<T>(
              quantized(static_cast<A>(x[i]), value(0, i), value(1, i), value(2, i), value(3, i), steps));
      }
    });
  });
}

}  // namespace mo::ops::reference
