#include "core/types/dimension.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace mo {
namespace {

constexpr std::int64_t kNoLimit = Dimension::kNoLimit;

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return a == kNoLimit || b == kNoLimit || __builtin_add_overflow(a, b, &sum) ? kNoLimit : sum;
}

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  std::int64_t product = 0;
  return a == kNoLimit || b == kNoLimit || __builtin_mul_overflow(a, b, &product) ? kNoLimit : product;
}

}  // namespace

std::optional<Dimension> Dimension::merge(const Dimension& other) const {
  if (!compatible(other)) return std::nullopt;
  return Dimension(std::max(min_, other.min_), std::min(max_, other.max_), symbol_ != 0 ? symbol_ : other.symbol_);
}

std::string Dimension::to_string() const {
  if (is_known()) return fmt::format("{}", min_);
  std::string text;
  if (min_ == 0 && max_ == kNoLimit)
    text = "?";
  else if (max_ == kNoLimit)
    text = fmt::format("{}..", min_);
  else
    text = fmt::format("{}..{}", min_, max_);
  if (symbol_ != 0) text += fmt::format("#{}", symbol_);
  return text;
}

Dimension operator+(const Dimension& a, const Dimension& b) {
  if (a == Dimension(0)) return b;
  if (b == Dimension(0)) return a;
  return {add(a.min_, b.min_), add(a.max_, b.max_)};
}

Dimension operator-(const Dimension& a, const Dimension& b) {
  if (b == Dimension(0)) return a;
  const std::int64_t low = b.max_ == kNoLimit ? 0 : std::max<std::int64_t>(0, a.min_ - b.max_);
  const std::int64_t high = a.max_ == kNoLimit ? kNoLimit : std::max<std::int64_t>(0, a.max_ - b.min_);
  return {low, high};
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  if (a == Dimension(1)) return b;
  if (b == Dimension(1)) return a;
  return {multiply(a.min_, b.min_), multiply(a.max_, b.max_)};
}

Dimension Dimension::floor_div(std::int64_t divisor) const {
  if (divisor == 1) return *this;
  return {min_ / divisor, max_ == kNoLimit ? kNoLimit : max_ / divisor};
}

Dimension Dimension::ceil_div(std::int64_t divisor) const {
  if (divisor == 1) return *this;
  const auto up = [divisor](std::int64_t v) { return v / divisor + (v % divisor != 0 ? 1 : 0); };
  return {up(min_), max_ == kNoLimit ? kNoLimit : up(max_)};
}

}  // namespace mo
