#pragma once

#include "extensions/object_detection/structure.hpp"

namespace mo::object_detection {

/// The scores of a sub-graph as DetectionOutput wants them: [N, boxes, 1 + classes], converted, the background first.
/// Errors: MO-CONFIG-0224 (the pipeline has another number of classes than the model), MO-CONFIG-0225 (it converts
/// scores in another way), MO-CONFIG-0221, 0204.
Expected<Value> detection_scores(const SubgraphMatch& match, std::size_t input, const PipelineConfig& pipeline,
                                 Rewriter& rw);

/// Sets when boxes are clipped to what the sub-graph does; the configuration has the say where that cannot be seen.
void set_clipping(ops::DetectionOutput& op, const SubgraphMatch& match);

}  // namespace mo::object_detection
