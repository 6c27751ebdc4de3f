#include "ops/reference/segment_max.hpp"

#include <algorithm>
#include <limits>

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

void segment_max(const Tensor& data, const std::vector<std::int64_t>& ids, bool fills_lowest, Tensor& out) {
  const std::int64_t segments = out.shape()[0];
  const std::int64_t length = segments == 0 ? 0 : out.element_count() / segments;
  visit_number(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T lowest = std::numeric_limits<T>::lowest();
    const auto to = out.mutable_values<T>();
    std::fill(to.begin(), to.end(), fills_lowest ? lowest : static_cast<T>(0));
    const T* row = data.values<T>().data();
    std::int64_t before = -1;
    for (const std::int64_t id : ids) {
      if (id >= segments) break;
      T* largest = to.data() + id * length;
      if (id != before) std::fill(largest, largest + length, lowest);
      before = id;
      for (std::int64_t i = 0; i < length; ++i)
        if (largest[i] < row[i]) largest[i] = row[i];
      row += length;
    }
  });
}

}  // namespace mo::ops::reference
