#pragma once

#include "core/pass/pass_manager.hpp"
#include "core/registry/registry.hpp"

namespace mo {

/// Error MO-PLUGIN-0027 for each op that a pass of a plugin looks for by an unknown name: no framework's table of
/// operators has it, no registered op, and no node of the model as it was read.
Expected<void> check_op_names(const Registry& registry, const PassManager& passes, Graph& model);

}  // namespace mo
