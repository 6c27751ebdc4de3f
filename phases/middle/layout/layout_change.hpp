#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Whether the graph itself (not its bodies) has ops that keep images as [N, spatial…, C].
bool has_channels_last_ops(const Graph& graph);

/// Pass "LayoutChange" (middle): makes the channels-last ops of a model, and what is cheaper that way, channels-first
/// (docs/layout.md). Does nothing for models without channels-last ops and without ops that runtimes compute
/// channels-first only (LRN; for IR v10 Interpolate). Settings: `disable_nhwc_to_nchw`: nothing but the channels-last
/// ops themselves changes; `ir_version`: 10 makes images at inputs and outputs channels-first, later ones keep them and
/// say in `old_api_map_order` what 10 would have done. Error MO-LAYOUT-0001 for a channels-last op whose rank is not
/// known.
Pass layout_change();

/// Pass "TransposeFusion" (middle): merges neighbouring Transposes, makes those that move one dimension past dimensions
/// of size 1 Reshapes, and folds a Transpose before a flattened input of a MatMul into its constant weights.
Pass transpose_fusion();

}  // namespace mo::phases
