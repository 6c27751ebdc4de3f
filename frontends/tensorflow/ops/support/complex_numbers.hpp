#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Tensors of complex numbers, which are real ones with a last dimension of 2 here: real and imaginary part.
namespace mo::tensorflow {

/// The element type of the parts of the complex numbers in attribute `name`, for which `is_complex` holds.
ElementType part_type(const FrameworkNode& node, std::string_view name);

/// Real numbers as complex ones without imaginary part.
Value complex_of_real(Rewriter& rw, const Value& x);

/// Real (0) or imaginary (1) part of each number.
Value part_of_complex(Rewriter& rw, const Value& x, std::int64_t i);

/// x * y and x / y; shapes broadcast as those of numbers do.
Value complex_product(Rewriter& rw, const Value& x, const Value& y);
Value complex_quotient(Rewriter& rw, const Value& x, const Value& y);
/// x / y, and 0 where y is 0.
Value complex_quotient_or_zero(Rewriter& rw, const Value& x, const Value& y);
/// 1 / x
Value complex_reciprocal(Rewriter& rw, const Value& x);
/// e to the power of x
Value complex_exp(Rewriter& rw, const Value& x);

}  // namespace mo::tensorflow
