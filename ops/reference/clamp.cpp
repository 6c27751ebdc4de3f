#include "ops/reference/clamp.hpp"

#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// Narrower than double without undefined behaviour: what exceeds the largest finite float becomes infinite, so it
/// limits nothing.
template <class A>
A limit_as(double value) {
  if (std::abs(value) > static_cast<double>(std::numeric_limits<A>::max()))
    return std::copysign(std::numeric_limits<A>::infinity(), static_cast<A>(value > 0 ? 1 : -1));
  return static_cast<A>(value);
}

}  // namespace

void clamp(const Tensor& in, Tensor& out, double low, double high) {
  if (is_real(in.element_type()))
    return map_real(in, out, [=]<class A>(A x) {
      const A lowest = limit_as<A>(low);
      const A highest = limit_as<A>(high);
      return x < lowest ? lowest : x > highest ? highest : x;
    });
  visit_integer(in.element_type(), [&]<class T>(std::type_identity<T>) {
    const T lowest = saturated<T>(std::ceil(low));
    const T highest = saturated<T>(std::floor(high));
    const auto from = in.values<T>();
    const auto to = out.mutable_values<T>();
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = from[i] < lowest ? lowest : from[i] > highest ? highest : from[i];
  });
}

}  // namespace mo::ops::reference
