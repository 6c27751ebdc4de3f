#pragma once

#include "core/op.hpp"
#include "ops/reference/elementwise_binary.hpp"
#include "ops/reference/elementwise_unary.hpp"
#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

/// Arithmetic on partly known integers (the values of shape computations), element by element. Nothing when both inputs
/// are completely known (the engine evaluates the op then), when one is not known at all, or for reals.
///
/// What is not known stands for a size, so it counts as non-negative; a result that could be anything is an unknown
/// dimension.
std::optional<PartialValue> partial_binary(const InferContext& ctx, reference::BinaryKind kind,
                                           const BroadcastRule& rule);
/// The same for input 0 alone: negative, floor and ceiling.
std::optional<PartialValue> partial_unary(const InferContext& ctx, reference::UnaryKind kind);
/// Input 0 seen as elements of integer type `type`.
std::optional<PartialValue> partial_convert(const InferContext& ctx, ElementType type);

/// One element of `partial_binary`: an interval that holds `a op b`, with the symbol of an operand where the value is
/// that operand's.
Dimension combine(reference::BinaryKind kind, const Dimension& a, const Dimension& b);

}  // namespace mo::ops
