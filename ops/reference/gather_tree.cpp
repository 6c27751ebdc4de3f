#include "ops/reference/gather_tree.hpp"

#include <algorithm>

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

std::optional<std::int64_t> gather_tree(const Tensor& steps, const std::vector<std::int64_t>& parents,
                                        const std::vector<std::int64_t>& lengths, const Tensor& end_token,
                                        Tensor& out) {
  const std::int64_t times = steps.shape()[0];
  const std::int64_t batches = steps.shape()[1];
  const std::int64_t beams = steps.shape()[2];
  return visit_number(steps.element_type(), [&]<class T>(std::type_identity<T>) -> std::optional<std::int64_t> {
    const auto from = steps.values<T>();
    const auto to = out.mutable_values<T>();
    const T end = end_token.values<T>()[0];
    std::fill(to.begin(), to.end(), end);
    const auto at = [&](std::int64_t time, std::int64_t batch, std::int64_t beam) {
      return static_cast<std::size_t>((time * batches + batch) * beams + beam);
    };
    for (std::int64_t batch = 0; batch < batches; ++batch)
      for (std::int64_t beam = 0; beam < beams; ++beam) {
        const std::int64_t length = std::min(times, lengths[static_cast<std::size_t>(batch)]);
        std::int64_t parent = beam;
        for (std::int64_t time = length - 1; time >= 0; --time) {
          if (parent < 0 || parent >= beams) return parent;
          to[at(time, batch, beam)] = from[at(time, batch, parent)];
          parent = parents[at(time, batch, parent)];
        }
        bool finished = false;
        for (std::int64_t time = 0; time < length; ++time) {
          T& token = to[at(time, batch, beam)];
          if (finished) token = end;
          finished = finished || token == end;
        }
      }
    return std::nullopt;
  });
}

}  // namespace mo::ops::reference
