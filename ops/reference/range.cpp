#include "ops/reference/range.hpp"

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

void integer_range(std::int64_t start, std::int64_t step, Tensor& out) {
  visit_integer(out.element_type(), [&]<class T>(std::type_identity<T>) {
    auto next = static_cast<std::uint64_t>(start);
    for (T& element : out.mutable_values<T>()) {
      element = static_cast<T>(next);
      next += static_cast<std::uint64_t>(step);
    }
  });
}

void real_range(double start, double step, Tensor& out) {
  visit_number(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto to = out.mutable_values<T>();
    if constexpr (std::is_integral_v<T>) {
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = saturated<T>(std::trunc(start) + static_cast<double>(i) * std::trunc(step));
    } else {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(start + static_cast<double>(i) * step);
    }
  });
}

}  // namespace mo::ops::reference
