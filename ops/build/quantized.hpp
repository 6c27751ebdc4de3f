#pragma once

#include "core/pass/rewriter.hpp"

/// Whole numbers of quantised tensors.
namespace mo::build {

/// (x - zero_point) as `type`; `zero_point` may be empty.
Value without_zero_point(Rewriter& rw, const Value& x, const Value& zero_point, ElementType type);
/// The same for weights, as f32 or i32: constants of 2 to 8 bits stay as they are in the file (CompressedWeights).
Value weights_without_zero_point(Rewriter& rw, const Value& weights, const Value& zero_point, ElementType type);

/// What compressed weights and their zero points begin with: Convert(constant of 2 to 8 bits) to a real type. Returns
/// the constant, or no node where `convert` is anything else.
Node unpacked_constant(const Node& convert);
/// Returns true for types of weights: integers of 2 to 8 bits, and small reals.
bool has_few_bits(ElementType type);
/// Weights of such a type, and enough of them to be some.
bool stays_compressed(const Tensor& weights);
/// The numbers are known, and 0 is the only one.
bool is_all_zero(const Value& numbers);

}  // namespace mo::build
