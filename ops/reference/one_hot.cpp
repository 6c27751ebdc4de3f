#include "ops/reference/one_hot.hpp"

#include <algorithm>

#include "ops/reference/axis.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {

void one_hot(const std::vector<std::int64_t>& indices, std::int64_t axis, const Tensor& on, const Tensor& off,
             Tensor& out) {
  if (out.element_count() == 0) return;
  const AxisView view = view_axis(out.shape(), axis);
  visit_width(element_width(out.element_type()), [&]<class W>(W) {
    const W one = *words<W>(on);
    W* to = mutable_words<W>(out);
    std::fill_n(to, out.element_count(), *words<W>(off));
    const std::int64_t* index = indices.data();
    for (std::int64_t o = 0; o < view.outer; ++o)
      for (std::int64_t i = 0; i < view.inner; ++i, ++index)
        if (*index >= 0 && *index < view.size) to[(o * view.size + *index) * view.inner + i] = one;
  });
}

}  // namespace mo::ops::reference
