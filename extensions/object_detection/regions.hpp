#pragma once

#include "extensions/object_detection/building.hpp"

/// What the two stages of Faster R-CNN and its relatives share.
namespace mo::object_detection {

/// The result of the nearest addition of a bias before `value`: the output of a predictor's convolution. Its last
/// dimension has the given number of elements. Error MO-CONFIG-0232.
Expected<Value> nearest_prediction(const Value& value, std::int64_t channels, std::string_view what);

/// Regions [images * proposals, 5] of the only Proposal of the graph: image,
/// then the corners in TensorFlow's order (y first), relative to the image.
/// Error MO-CONFIG-0233 when there is none, or several.
Expected<Value> proposed_regions(const Graph& graph);

/// The same with corners in the order of the IR (x first).
Value with_x_first(Rewriter& rw, const Value& regions);
/// Only the corners: [rows, 4].
Value corners_of(Rewriter& rw, const Value& regions);

/// Proposals of the first stage that the second one looks at. Error MO-CONFIG-0204 when their number is out of range.
Expected<std::int64_t> most_proposals(const PipelineConfig& pipeline);

}  // namespace mo::object_detection
