#include "ops/reference/search.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/reference/order.hpp"

namespace mo::ops::reference {
namespace {

template <class T, class Index>
void search(const Tensor& sorted, const Tensor& values, bool after_equal, Tensor& out) {
  const std::int64_t length = sorted.shape().back();
  const bool shared = sorted.rank() == 1;
  const std::int64_t columns = shared || values.rank() == 0 ? values.element_count() : values.shape().back();
  const T* from = values.values<T>().data();
  const T* row = sorted.values<T>().data();
  Index* to = out.mutable_values<Index>().data();
  const auto less = [](const T& a, const T& b) { return ordered_before(a, b); };
  for (std::int64_t i = 0; i < values.element_count(); ++i) {
    const T* begin = row + (shared ? 0 : i / columns * length);
    const T* found = after_equal ? std::upper_bound(begin, begin + length, from[i], less)
                                 : std::lower_bound(begin, begin + length, from[i], less);
    to[i] = static_cast<Index>(found - begin);
  }
}

}  // namespace

Expected<void> search_sorted(const Tensor& sorted, const Tensor& values, bool after_equal, Tensor& out) {
  Tensor rows = sorted;
  Tensor wanted = values;
  if (sorted.element_type() != values.element_type()) {
    const ElementType common =
        is_integral(sorted.element_type()) && is_integral(values.element_type()) ? ElementType::i64 : ElementType::f64;
    MO_ASSIGN(rows, convert(sorted, common));
    MO_ASSIGN(wanted, convert(values, common));
  }
  visit_number(rows.element_type(), [&]<class T>(std::type_identity<T>) {
    if (out.element_type() == ElementType::i32)
      search<T, std::int32_t>(rows, wanted, after_equal, out);
    else
      search<T, std::int64_t>(rows, wanted, after_equal, out);
  });
  return {};
}

}  // namespace mo::ops::reference
