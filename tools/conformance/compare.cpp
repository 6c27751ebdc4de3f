#include "tools/conformance/compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "core/tensor/convert.hpp"

namespace mo::conformance {
namespace {

using Difference = std::optional<std::string>;

bool close(double have, double want, const Tolerance& tolerance) {
  if (std::isnan(want) || std::isnan(have)) return std::isnan(want) && std::isnan(have);
  if (std::isinf(want) || std::isinf(have)) return want == have;
  return std::abs(have - want) <= tolerance.absolute + tolerance.relative * std::abs(want);
}

template <class T, class Same>
Difference first_difference(const T& have, const T& want, const Same& same) {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!same(have[i], want[i]) && count++ == 0) first = i;
  if (count == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ, the first is element {}: {}, wanted {}", count, want.size(), first, have[first], want[first]);
}

}  // namespace

Expected<Difference> difference(const Tensor& have, const Tensor& want, const Tolerance& tolerance) {
  if (have.element_type() != want.element_type() || have.shape() != want.shape())
    return Difference(fmt::format("{}, wanted {}", have.type().to_string(), want.type().to_string()));
  if (want.element_type() == ElementType::string) {
    MO_ASSIGN(const auto a, to_strings(have));
    MO_ASSIGN(const auto b, to_strings(want));
    return first_difference(a, b, [](const std::string& x, const std::string& y) { return x == y; });
  }
  if (is_real(want.element_type())) {
    MO_ASSIGN(const auto a, to_reals(have));
    MO_ASSIGN(const auto b, to_reals(want));
    return first_difference(a, b, [&](double x, double y) { return close(x, y, tolerance); });
  }
  MO_ASSIGN(const auto a, to_integers(have));
  MO_ASSIGN(const auto b, to_integers(want));
  return first_difference(a, b, [](std::int64_t x, std::int64_t y) { return x == y; });
}

}  // namespace mo::conformance
