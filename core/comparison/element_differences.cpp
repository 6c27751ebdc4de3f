#include "core/comparison/element_differences.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/tensor/convert.hpp"

namespace mo {
namespace {

constexpr std::int64_t kStretch = 1 << 18;

bool same_number(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

void add_numbers(const std::vector<double>& left, const std::vector<double>& right, std::int64_t begin,
                 ElementDifferences& total) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (same_number(left[i], right[i])) continue;
    const double apart = std::abs(left[i] - right[i]);
    const double size = std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
    if (total.differing++ == 0 || size > total.largest)
      total.largest = size, total.place = begin + static_cast<std::int64_t>(i);
  }
}

Expected<void> add_stretch(const Tensor& a, const Tensor& b, std::int64_t begin, ElementDifferences& total) {
  MO_ASSIGN(const Tensor left, a.load());
  MO_ASSIGN(const Tensor right, b.load());
  const auto bytes = left.bytes();
  if (bytes.size() == right.bytes().size() &&
      (bytes.empty() || std::memcmp(bytes.data(), right.bytes().data(), bytes.size()) == 0))
    return {};
  if (a.element_type() == ElementType::string) {
    MO_ASSIGN(const auto x, to_strings(left));
    MO_ASSIGN(const auto y, to_strings(right));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i] && total.differing++ == 0) total.place = begin + static_cast<std::int64_t>(i);
    return {};
  }
  MO_ASSIGN(const auto x, to_reals(left));
  MO_ASSIGN(const auto y, to_reals(right));
  add_numbers(x, y, begin, total);
  return {};
}

}  // namespace

Expected<ElementDifferences> element_differences(const Tensor& a, const Tensor& b) {
  MO_ASSERT(a.element_type() == b.element_type() && a.shape() == b.shape(), "only tensors of one type are compared");
  ElementDifferences total;
  if (a.buffer() == b.buffer() && a.offset() == b.offset()) return total;
  const std::uint64_t width = bit_width(a.element_type()) / 8;
  const bool has_stretches = width > 0 && a.element_type() != ElementType::string && a.element_count() > kStretch;
  if (!has_stretches) {
    MO_TRY(add_stretch(a, b, 0, total));
    return total;
  }
  for (std::int64_t begin = 0; begin < a.element_count(); begin += kStretch) {
    const std::int64_t count = std::min(kStretch, a.element_count() - begin);
    const auto offset = static_cast<std::uint64_t>(begin) * width;
    MO_ASSIGN(const Tensor left, Tensor::from_buffer(a.element_type(), {count}, a.buffer(), a.offset() + offset));
    MO_ASSIGN(const Tensor right, Tensor::from_buffer(b.element_type(), {count}, b.buffer(), b.offset() + offset));
    MO_TRY(add_stretch(left, right, begin, total));
  }
  return total;
}

}  // namespace mo
