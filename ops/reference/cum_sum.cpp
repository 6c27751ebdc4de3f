#include "ops/reference/cum_sum.hpp"

#include "ops/reference/axis.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {

void cum_sum(const Tensor& data, std::int64_t axis, bool exclusive, bool reverse, Tensor& out) {
  if (data.element_count() == 0) return;
  const AxisView view = view_axis(data.shape(), axis);
  visit_number(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = data.values<T>().data();
    T* to = out.mutable_values<T>().data();
    std::vector<Computed<T>> sums(static_cast<std::size_t>(view.inner));
    for (std::int64_t o = 0; o < view.outer; ++o) {
      sums.assign(sums.size(), Computed<T>(0));
      for (std::int64_t k = 0; k < view.size; ++k) {
        const std::int64_t row = (o * view.size + (reverse ? view.size - 1 - k : k)) * view.inner;
        for (std::int64_t i = 0; i < view.inner; ++i) {
          Computed<T>& sum = sums[static_cast<std::size_t>(i)];
          const auto next = wrapping_add(sum, static_cast<Computed<T>>(from[row + i]));
          to[row + i] = static_cast<T>(exclusive ? sum : next);
          sum = next;
        }
      }
    }
  });
}

}  // namespace mo::ops::reference
