#include "ops/reference/classification.hpp"

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

void classify(const Tensor& in, Tensor& out, unsigned classes) {
  std::uint8_t* to = mutable_boolean_bytes(out);
  visit_real(in.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto from = in.values<T>();
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto x = static_cast<Accumulator<T>>(from[i]);
      const unsigned found = std::isnan(x)    ? kNotANumber
                             : !std::isinf(x) ? kFinite
                             : x < 0          ? kNegativeInfinity
                                              : kPositiveInfinity;
      to[i] = (classes & found) != 0 ? 1 : 0;
    }
  });
}

}  // namespace mo::ops::reference
