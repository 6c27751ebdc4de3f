#include "ops/reference/top_k.hpp"

#include <algorithm>

#include "ops/reference/axis.hpp"
#include "ops/reference/order.hpp"

namespace mo::ops::reference {
namespace {

template <class T>
struct Candidate {
  Computed<T> value;
  std::int64_t index;
};

/// Not a comparison of one direction only: equal values go by index, so the order is total and every algorithm gives
/// the same result.
template <class T>
bool better(const Candidate<T>& a, const Candidate<T>& b, bool largest) {
  const bool before = ordered_before(a.value, b.value);
  const bool after = ordered_before(b.value, a.value);
  return before == after ? a.index < b.index : (largest ? after : before);
}

template <class T, class Index>
void select(const Tensor& data, std::int64_t axis, bool largest, bool by_index, Tensor& values, Tensor& indices) {
  const AxisView view = view_axis(data.shape(), axis);
  const std::int64_t k = values.shape()[static_cast<std::size_t>(axis)];
  const T* from = data.values<T>().data();
  T* best = values.mutable_values<T>().data();
  Index* places = indices.mutable_values<Index>().data();
  std::vector<Candidate<T>> candidates(static_cast<std::size_t>(view.size));
  const auto compare = [largest](const Candidate<T>& a, const Candidate<T>& b) { return better<T>(a, b, largest); };
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t i = 0; i < view.inner; ++i) {
      const T* column = from + o * view.size * view.inner + i;
      for (std::int64_t s = 0; s < view.size; ++s)
        candidates[static_cast<std::size_t>(s)] = {static_cast<Computed<T>>(column[s * view.inner]), s};
      std::partial_sort(candidates.begin(), candidates.begin() + k, candidates.end(), compare);
      if (by_index)
        std::sort(candidates.begin(), candidates.begin() + k,
                  [](const Candidate<T>& a, const Candidate<T>& b) { return a.index < b.index; });
      for (std::int64_t s = 0; s < k; ++s) {
        const Candidate<T>& candidate = candidates[static_cast<std::size_t>(s)];
        const std::int64_t to = (o * k + s) * view.inner + i;
        best[to] = column[candidate.index * view.inner];
        places[to] = static_cast<Index>(candidate.index);
      }
    }
}

}  // namespace

void top_k(const Tensor& data, std::int64_t axis, bool largest, bool by_index, Tensor& values, Tensor& indices) {
  if (values.element_count() == 0) return;
  visit_number(data.element_type(), [&]<class T>(std::type_identity<T>) {
    if (indices.element_type() == ElementType::i32)
      select<T, std::int32_t>(data, axis, largest, by_index, values, indices);
    else
      select<T, std::int64_t>(data, axis, largest, by_index, values, indices);
  });
}

}  // namespace mo::ops::reference
