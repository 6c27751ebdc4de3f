#pragma once

#include "core/pass/pass.hpp"
#include "phases/middle/interface_layout.hpp"

namespace mo::phases {

/// Pass "BatchSize": gives the dimension N of every input this size. Of an input without a layout, or whose layout
/// names nothing in front, that is dimension 0; an input whose layout has no N keeps its shape. Errors: those of
/// find_interface_layouts.
Pass batch_size(std::int64_t batch, std::vector<LayoutRequest> layouts);

}  // namespace mo::phases
