#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Tensors of complex numbers, which are real ones with a last dimension of 2 here: real and imaginary part.
namespace mo::tensorflow {

/// Real (0) or imaginary (1) part of each number.
Value part_of_complex(Rewriter& rw, const Value& x, std::int64_t i);

/// x * y and x / y; shapes broadcast as those of numbers do.
Value complex_product(Rewriter& rw, const Value& x, const Value& y);
Value complex_quotient(Rewriter& rw, const Value& x, const Value& y);

}  // namespace mo::tensorflow
