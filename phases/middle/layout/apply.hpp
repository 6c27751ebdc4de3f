#pragma once

#include "core/pass/rewriter.hpp"
#include "phases/middle/layout/plan.hpp"

namespace mo::phases::layout {

/// Makes the labels of a plan true: permutes constants, shapes, axes and attributes of what is channels-first, puts
/// Transposes where labels differ, and Gathers after the shapes of permuted tensors. Channels-last ops become
/// channels-first ones. Errors: of inference and folding.
Expected<void> apply_plan(Rewriter& rewriter, const Plan& plan);

}  // namespace mo::phases::layout
