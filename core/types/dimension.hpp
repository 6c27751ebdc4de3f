#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace mo {

/// One dimension of a shape: a value, an interval, or unknown (`?`). It may carry a symbol: two dimensions with the
/// same non-zero symbol are known to be equal at run time although their value is not known.
///
/// Invariant: 0 <= min() <= max(); a known dimension has min() == max() and no symbol. `kNoLimit` as max: unbounded.
class Dimension {
 public:
  using Symbol = std::uint32_t;
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  constexpr Dimension() = default;                                       ///< unknown
  constexpr Dimension(std::int64_t value) : min_(value), max_(value) {}  // NOLINT: a number is a dimension
  constexpr Dimension(std::int64_t min, std::int64_t max, Symbol symbol = 0)
      : min_(min), max_(max), symbol_(min == max ? 0 : symbol) {}

  static constexpr Dimension unknown(Symbol symbol = 0) { return {0, kNoLimit, symbol}; }

  constexpr bool is_known() const { return min_ == max_; }
  /// The value; only for a known dimension.
  constexpr std::int64_t value() const { return min_; }
  constexpr std::int64_t min() const { return min_; }
  constexpr std::int64_t max() const { return max_; }
  constexpr Symbol symbol() const { return symbol_; }
  constexpr bool is_bounded() const { return max_ != kNoLimit; }

  /// Representation equality (same interval, same symbol); use `compatible` to ask whether two may be equal at run
  /// time.
  constexpr bool operator==(const Dimension&) const = default;

  /// Whether some value satisfies both.
  bool compatible(const Dimension& other) const { return min_ <= other.max_ && other.min_ <= max_; }
  /// Whether both have the same value in every run: equal known values or the same symbol.
  bool same_value(const Dimension& other) const {
    return (is_known() && other.is_known() && min_ == other.min_) || (symbol_ != 0 && symbol_ == other.symbol_);
  }
  /// What is known when both hold; nothing when they contradict each other.
  std::optional<Dimension> merge(const Dimension& other) const;

  /// "3", "?", "1..8", "2.." and "?a" with a symbol.
  std::string to_string() const;

  /// Interval arithmetic, saturating at kNoLimit; the subtraction stops at 0.
  friend Dimension operator+(const Dimension& a, const Dimension& b);
  friend Dimension operator-(const Dimension& a, const Dimension& b);
  friend Dimension operator*(const Dimension& a, const Dimension& b);
  /// floor(a / divisor) and ceil(a / divisor), divisor > 0.
  Dimension floor_div(std::int64_t divisor) const;
  Dimension ceil_div(std::int64_t divisor) const;

 private:
  std::int64_t min_ = 0;
  std::int64_t max_ = kNoLimit;
  Symbol symbol_ = 0;
};

}  // namespace mo
