#pragma once

#include "core/op/op_registry.hpp"

namespace mo::fuzz {

/// All ops of mo, made once.
const OpRegistry& ops();

}  // namespace mo::fuzz
