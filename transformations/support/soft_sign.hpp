#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::transformations {

/// SoftSign(x) as x / (|x| + 1).
inline Value soft_sign_quotient(Rewriter& rw, const Value& x) {
  return rw.create(ops::Divide{}, x, rw.create(ops::Add{}, rw.create(ops::Abs{}, x), rw.scalar_like(x, 1)));
}

}  // namespace mo::transformations
