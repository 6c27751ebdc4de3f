#pragma once

#include "core/execution/executor.hpp"
#include "core/op/kernel_table.hpp"

namespace mo::tools {

/// The accelerated kernels of `libmo_accelerated.so`, which lies beside the program or in `../lib/mo`, or in
/// `mo` beside the shared library that this is part of or beside its folder. It is loaded (and never unloaded) with the
/// first op that is large enough to pay for it: by default with 600 million multiply-adds, or what the environment
/// variable MO_ACCELERATED_LEAST says. Without it the portable kernels do the same work. `threads`: for the first call;
/// 0: as many as there are processors.
const KernelTable* accelerated_kernels(int threads = 0);

}  // namespace mo::tools
