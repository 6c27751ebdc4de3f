#include "ops/reference/embedding_bag.hpp"

#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// Counts may be larger than what a short integer type holds.
template <class C>
C mean_of(C sum, std::int64_t count) {
  if constexpr (std::is_unsigned_v<C>)
    return static_cast<C>(static_cast<std::uint64_t>(sum) / static_cast<std::uint64_t>(count));
  else if constexpr (std::is_integral_v<C>)
    return static_cast<C>(static_cast<std::int64_t>(sum) / count);
  else
    return sum / static_cast<C>(count);
}

}  // namespace

void embedding_bags(const Tensor& table, const std::vector<std::int64_t>& indices,
                    const std::vector<std::int64_t>& begins, std::int64_t default_index, const Tensor& weights,
                    bool mean, Tensor& out) {
  if (out.element_count() == 0) return;
  const std::int64_t row = out.element_count() / out.shape()[0];
  visit_number(table.element_type(), [&]<class T>(std::type_identity<T>) {
    using C = Computed<T>;
    const T* rows = table.values<T>().data();
    const T* weight = weights.empty() ? nullptr : weights.values<T>().data();
    T* to = out.mutable_values<T>().data();
    std::vector<C> sums(static_cast<std::size_t>(row));
    for (std::size_t bag = 0; bag + 1 < begins.size(); ++bag, to += row) {
      sums.assign(sums.size(), C(0));
      const auto add = [&](std::int64_t index, C factor) {
        const T* from = rows + index * row;
        for (std::size_t k = 0; k < sums.size(); ++k)
          sums[k] = wrapping_add(sums[k], wrapping_multiply(static_cast<C>(from[k]), factor));
      };
      const std::int64_t count = begins[bag + 1] - begins[bag];
      for (std::int64_t i = begins[bag]; i < begins[bag + 1]; ++i)
        add(indices[static_cast<std::size_t>(i)], weight ? static_cast<C>(weight[i]) : C(1));
      if (count == 0 && default_index >= 0) add(default_index, C(1));
      for (std::size_t k = 0; k < sums.size(); ++k)
        to[k] = static_cast<T>(mean && count > 1 ? mean_of(sums[k], count) : sums[k]);
    }
  });
}

}  // namespace mo::ops::reference
