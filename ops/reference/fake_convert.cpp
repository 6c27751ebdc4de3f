#include "ops/reference/fake_convert.hpp"

#include <algorithm>
#include <cmath>

#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// To the nearest number of the format, of two the even one.
float rounded_to_float8(float x, const Float8Format& format) {
  const auto half = static_cast<float>(static_cast<float16>(x));
  if (std::isnan(half)) return half;
  if (std::abs(half) >= format.largest) return std::copysign(format.largest, half);
  const int exponent = std::max(half == 0 ? format.least_exponent : std::ilogb(half), format.least_exponent);
  const float step = std::ldexp(1.0F, exponent - format.mantissa_bits);
  return std::nearbyint(half / step) * step;
}

}  // namespace

void fake_convert(const Tensor& data, const Tensor& scale, const Tensor& shift, const Float8Format& format,
                  Tensor& out) {
  if (data.element_count() == 0) return;
  const BroadcastPlan plan = plan_broadcast(out.shape(), {&data.shape(), &scale.shape(), &shift.shape()});
  const std::int64_t scale_step = plan.strides[1].back();
  const std::int64_t shift_step = plan.strides[2].back();
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = data.values<T>().data();
    const T* scales = scale.values<T>().data();
    const T* shifts = shift.values<T>().data();
    T* to = out.mutable_values<T>().data();
    for_each_row<3>(plan, [&](std::int64_t start, const std::array<std::int64_t, 3>& at, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) {
        const auto by = static_cast<float>(scales[at[1] + i * scale_step]);
        const auto less = static_cast<float>(shifts[at[2] + i * shift_step]);
        const float x = static_cast<float>(from[start + i]) * by - less;
        to[start + i] = static_cast<T>((rounded_to_float8(x, format) + less) / by);
      }
    });
  });
}

}  // namespace mo::ops::reference
