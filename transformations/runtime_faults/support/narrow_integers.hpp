#pragma once

#include <algorithm>
#include <limits>

#include "core/graph/values.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::transformations {

/// Integers of 8 or 16 bits.
inline bool is_narrow(ElementType type) {
  using enum ElementType;
  return type == i8 || type == u8 || type == i16 || type == u16;
}

/// The numbers from `lowest` to `highest`.
struct IntegerRange {
  std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
  std::int64_t highest = std::numeric_limits<std::int32_t>::max();

  bool is_within(const IntegerRange& other) const { return other.lowest <= lowest && highest <= other.highest; }
};

inline IntegerRange range_of_type(ElementType type) {
  if (type == ElementType::boolean) return {0, 1};
  if (!is_integral(type) || bit_width(type) > 16) return {};
  const std::int64_t count = std::int64_t{1} << bit_width(type);
  return is_signed(type) ? IntegerRange{-count / 2, count / 2 - 1} : IntegerRange{0, count - 1};
}

/// Where the integers `x` are: by their type, those of a small constant, or mod(…, n) with a constant added or
/// subtracted.
inline IntegerRange range_of_integers(const Value& x) {
  const Node node = x.node();
  if (const auto all = constant_integers_of(x, 1024); all && !all->empty()) {
    const auto [lowest, highest] = std::minmax_element(all->begin(), all->end());
    return {*lowest, *highest};
  }
  const auto number = [&] { return constant_integers_of(node.input(1), 1).value_or(std::vector<std::int64_t>{}); };
  if (node.is<ops::FloorMod>())
    if (const auto n = number(); n.size() == 1 && n[0] > 0) return {0, n[0] - 1};
  if (node.is<ops::Add>() || node.is<ops::Subtract>()) {
    const Node mod = node.input(0).node();
    const auto n = number();
    if (mod.is<ops::FloorMod>() && n.size() == 1) {
      const IntegerRange range = range_of_integers(node.input(0));
      const std::int64_t shift = node.is<ops::Add>() ? n[0] : -n[0];
      return {range.lowest + shift, range.highest + shift};
    }
  }
  return range_of_type(x.type().element_type);
}

/// Real numbers without their fractions, still real: sign(x) * floor(|x|).
inline Value without_fractions(Rewriter& rw, const Value& x) {
  return rw.create(ops::Multiply{}, rw.create(ops::Sign{}, x), rw.create(ops::Floor{}, rw.create(ops::Abs{}, x)));
}

/// 32-bit integers -> 32-bit integers that `type`, an integer type of 8 or 16 bits, holds: what its bits are when the
/// others are dropped.
inline Value low_bits(Rewriter& rw, const Value& x, ElementType type) {
  const double count = static_cast<double>(1 << bit_width(type));
  Value result = x;
  if (is_signed(type)) result = rw.create(ops::Add{}, result, rw.scalar_like(result, count / 2));
  result = rw.create(ops::FloorMod{}, result, rw.scalar_like(result, count));
  if (is_signed(type)) result = rw.create(ops::Subtract{}, result, rw.scalar_like(result, count / 2));
  return result;
}

}  // namespace mo::transformations
