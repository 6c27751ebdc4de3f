#include "core/types/size_symbols.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace mo {
namespace {

constexpr std::size_t kMostFactors = 16;

/// numerator / denominator *= by, in lowest terms. False when a number overflows.
bool scale(std::int64_t& numerator, std::int64_t& denominator, std::int64_t by) {
  const std::int64_t common = std::gcd(denominator, by);
  denominator /= common;
  return !__builtin_mul_overflow(numerator, by / common, &numerator);
}

void add_power(std::vector<std::pair<Dimension::Symbol, int>>& powers, Dimension::Symbol symbol, int power) {
  const auto place = std::lower_bound(powers.begin(), powers.end(), symbol,
                                      [](const auto& entry, auto wanted) { return entry.first < wanted; });
  if (place == powers.end() || place->first != symbol) {
    powers.insert(place, {symbol, power});
  } else if (place->second += power; place->second == 0) {
    powers.erase(place);
  }
}

}  // namespace

bool SizeSymbols::multiply(Product& product, const Dimension& size, int sign) const {
  Product factor;
  if (size.is_known()) {
    if (size.value() <= 0) return false;
    factor.numerator = size.value();
  } else if (const auto known = products_.find(size.symbol()); known != products_.end()) {
    factor = known->second;
  } else if (size.symbol() != 0) {
    factor.powers.emplace_back(size.symbol(), 1);
  } else {
    return false;
  }
  if (sign < 0) std::swap(factor.numerator, factor.denominator);
  for (const auto& [symbol, power] : factor.powers) add_power(product.powers, symbol, sign * power);
  const auto magnitude = [](const auto& entry) { return static_cast<std::size_t>(std::abs(entry.second)); };
  std::size_t factors = 0;
  for (const auto& entry : product.powers) factors += magnitude(entry);
  return factors <= kMostFactors && scale(product.numerator, product.denominator, factor.numerator) &&
         scale(product.denominator, product.numerator, factor.denominator);
}

Dimension SizeSymbols::quotient(std::span<const Dimension> of, std::span<const Dimension> by,
                                const Dimension& interval) {
  Product product;
  for (const Dimension& size : of)
    if (!multiply(product, size, 1)) return interval;
  for (const Dimension& size : by)
    if (!multiply(product, size, -1)) return interval;
  const bool whole = product.denominator == 1;
  if (product.powers.empty()) return whole ? Dimension(product.numerator) : interval;
  if (whole && product.numerator == 1 && product.powers.size() == 1 && product.powers.front().second == 1)
    return {interval.min(), interval.max(), product.powers.front().first};
  const auto [place, added] = symbols_.try_emplace(product, last_ + 1);
  if (added) products_.emplace(fresh(), std::move(product));
  return {interval.min(), interval.max(), place->second};
}

}  // namespace mo
