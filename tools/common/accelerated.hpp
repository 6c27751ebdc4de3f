#pragma once

#include "core/execution/executor.hpp"
#include "core/op/kernel_table.hpp"

namespace mo::tools {

/// The accelerated kernels of `libmo_accelerated.so`, which lies beside the program or in `../lib/mo`, or in
/// `mo` beside the shared library that this is part of or beside its folder. It is loaded on the first call (and never
/// unloaded), because its libraries cost more start-up time than a small model takes to run. Null when it is not there
/// or does not fit: the portable kernels do the same work, more slowly. `threads`: for the first call; 0: as many as
/// there are processors.
const KernelTable* accelerated_kernels(int threads = 0);

}  // namespace mo::tools
