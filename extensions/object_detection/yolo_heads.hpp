#pragma once

#include <vector>

#include "extensions/object_detection/building.hpp"
#include "ops/region_yolo.hpp"

/// What JSON configurations say about the heads of a YOLO.
namespace mo::object_detection {

/// A tensor that becomes regions: channels for each anchor at each place of a feature map.
struct YoloHead {
  Value tensor;
  ops::RegionYolo region;
};

/// The heads of YOLO v1 and v2: every output of the model. Errors MO-CONFIG-0202, 0204.
Expected<std::vector<YoloHead>> output_heads(const Graph& graph, const AttributeMap& custom);
/// Those of YOLO v3: what enters the nodes at "entry_points", each with its entry of "masks" (or all with "mask", as
/// old configurations have it). Errors MO-CONFIG-0202, 0204, 0230 (the model has no such node).
Expected<std::vector<YoloHead>> entry_heads(const Graph& graph, const AttributeMap& custom);

/// Error MO-CONFIG-0237: classes, masks and anchors make other channels than the head has, or contradict each other.
Expected<void> check_head(const YoloHead& head);

}  // namespace mo::object_detection
