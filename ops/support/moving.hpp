#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Whether an input whose elements `op` moves has elements that are not whole bytes (types below 8 bits, strings),
/// which kernels do not take.
bool moves_packed_elements(const EvalContext& ctx, std::uint32_t moves_elements);

/// Evaluates an op that only moves elements on the numbers of the elements, and puts the elements in their places
/// afterwards.
Expected<void> evaluate_by_ids(EvalContext& ctx, const OpType& type, const void* payload);

template <OpLike T>
Expected<void> evaluate_by_ids(EvalContext& ctx, const T& op) {
  return evaluate_by_ids(ctx, OpType::of<T>(), &op);
}

/// The partly known value of output 0 when `type` (which moves elements) is evaluated on the partly known inputs of
/// `ctx`. For ops that move elements only with some attributes; for the others the engine does this by itself.
std::optional<PartialValue> moved_partial(const InferContext& ctx, const OpType& type, const void* payload);

}  // namespace mo::ops
