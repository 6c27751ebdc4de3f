#pragma once

#include "core/registry/registry.hpp"

namespace mo {

/// Error MO-PLUGIN-0027 for each op that a pass of a plugin looks for by a name that nobody gives to an op: no table of operators, of any
/// framework, and no registered op.
Expected<void> check_op_names(const Registry& registry);

}  // namespace mo
