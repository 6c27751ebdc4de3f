#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::back {

/// Real numbers without their fractions, still real: sign(x) * floor(|x|).
inline Value without_fractions(Rewriter& rw, const Value& x) {
  return rw.create(ops::Multiply{}, rw.create(ops::Sign{}, x), rw.create(ops::Floor{}, rw.create(ops::Abs{}, x)));
}

/// 32-bit integers -> 32-bit integers that `type`, an integer type of 8 or 16 bits, holds: what its bits are when the others are dropped.
inline Value low_bits(Rewriter& rw, const Value& x, ElementType type) {
  const double count = static_cast<double>(1 << bit_width(type));
  Value result = x;
  if (is_signed(type)) result = rw.create(ops::Add{}, result, rw.scalar_like(result, count / 2));
  result = rw.create(ops::FloorMod{}, result, rw.scalar_like(result, count));
  if (is_signed(type)) result = rw.create(ops::Subtract{}, result, rw.scalar_like(result, count / 2));
  return result;
}

}  // namespace mo::back
