#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The axes that input `i` (integers; a scalar or a vector) gives, counted from the front; nothing when they or the
/// rank are not known. Errors: MO-OPS-0003, MO-OPS-0006, MO-OPS-0012, MO-OPS-0013.
Expected<std::optional<std::vector<std::int64_t>>> axes_from_input(const InferContext& ctx, std::size_t i,
                                                                   const PartialShape& data);

/// One mark per dimension.
std::vector<bool> mark_axes(const std::vector<std::int64_t>& axes, std::int64_t rank);

/// The marked axes of an evaluation that inference has accepted.
Expected<std::vector<bool>> marked_axes(const EvalContext& ctx, std::size_t i, std::int64_t rank);

}  // namespace mo::ops
