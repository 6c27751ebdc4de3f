#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Output 0 is input 0 under the shape that inference found. Error MO-OPS-0201 when that is not complete or has another
/// element count.
Expected<void> share_input(EvalContext& ctx);

}  // namespace mo::ops
