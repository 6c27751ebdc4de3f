#pragma once

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

/// Readers of Shape, ShapeN, Size and Rank read a Const where the shape is known although the tensor is not: by
/// attribute `_output_shapes`, or by inference. Nodes of --outputs keep their op. Errors: those of making tensors.
Expected<void> fold_known_shapes(GraphEditor& editor);

}  // namespace mo::graph_transforms
