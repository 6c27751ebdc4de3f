#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::transformations {

/// A binary op that broadcasts like `op`.
template <class Made, class Op>
Made broadcast_like(const Op& op) {
  Made made;
  made.auto_broadcast = op.auto_broadcast;
  made.auto_broadcast_axis = op.auto_broadcast_axis;
  return made;
}

/// a / b of integers as a division without a remainder: (a - mod(a, b)) / b, with FloorMod where `op` rounds down. No
/// rounding is left that a runtime can get wrong.
inline Value exact_quotient(Rewriter& rw, const ops::Divide& op, const Value& a, const Value& b) {
  const Value rest = op.m_pythondiv ? rw.create(broadcast_like<ops::FloorMod>(op), a, b)
                                    : rw.create(broadcast_like<ops::Mod>(op), a, b);
  auto divide = broadcast_like<ops::Divide>(op);
  divide.m_pythondiv = false;
  return rw.create(std::move(divide), rw.create(broadcast_like<ops::Subtract>(op), a, rest), b);
}

}  // namespace mo::transformations
