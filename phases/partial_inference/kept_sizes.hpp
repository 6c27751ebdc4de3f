#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Pass "KeptSizes": warning MO-FRONT-0025 for each output whose first dimension is what it was in the exported model,
/// where the first dimension of an input (the batch) was this size and has another one now. It names the node where the
/// batch is lost. Runs where sizes were changed.
Pass kept_sizes();

}  // namespace mo::phases
