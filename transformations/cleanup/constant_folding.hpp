#pragma once

#include "core/pass/pass.hpp"

namespace mo::transformations {

/// The pass ConstantFolding, for those who run it by itself.
Pass constant_folding();

}  // namespace mo::transformations
