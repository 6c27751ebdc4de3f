#pragma once

#include "core/op/op_registry.hpp"

namespace mo::ops {

/// Adds every op of this folder. Generated: one call for each file.
void register_all(OpRegistry& registry);

}  // namespace mo::ops
