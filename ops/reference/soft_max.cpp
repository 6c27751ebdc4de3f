#include "ops/reference/soft_max.hpp"

#include <algorithm>
#include <cmath>

#include "ops/reference/axis.hpp"
#include "ops/reference/real.hpp"

namespace mo::ops::reference {

void soft_max(const Tensor& data, Tensor& out, std::int64_t axis, SoftMaxKind kind) {
  const AxisView view = view_axis(data.shape(), axis);
  if (data.element_count() == 0) return;
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    using A = Accumulator<T>;
    const auto in = data.values<T>();
    const auto result = out.mutable_values<T>();
    for (std::int64_t o = 0; o < view.outer; ++o)
      for (std::int64_t i = 0; i < view.inner; ++i) {
        const auto at = [&](std::int64_t k) { return static_cast<std::size_t>((o * view.size + k) * view.inner + i); };
        A largest = static_cast<A>(in[at(0)]);
        for (std::int64_t k = 1; k < view.size; ++k) largest = std::max(largest, static_cast<A>(in[at(k)]));
        A sum = 0;
        for (std::int64_t k = 0; k < view.size; ++k) sum += std::exp(static_cast<A>(in[at(k)]) - largest);
        for (std::int64_t k = 0; k < view.size; ++k) {
          const A shifted = static_cast<A>(in[at(k)]) - largest;
          result[at(k)] =
              static_cast<T>(kind == SoftMaxKind::probability ? std::exp(shifted) / sum : shifted - std::log(sum));
        }
      }
  });
}

}  // namespace mo::ops::reference
