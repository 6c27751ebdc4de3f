#pragma once

#include <string>
#include <vector>

#include "extensions/object_detection/building.hpp"
#include "ops/experimental_detectron.hpp"

namespace mo::object_detection {

/// Features of regions as ONNX spells them: a RoiAlign for each level of a pyramid, and the choice of a level for each
/// region around them.
struct RoiPyramid {
  Value regions;              ///< [count, 4]
  std::vector<Value> levels;  ///< feature maps, finest first
  Value features;             ///< [count, C, size, size]
  ops::ExperimentalDetectronROIFeatureExtractor op;
};

/// What lies between the nodes of these names; sizes and scales are those of its RoiAligns. `levels` are the names of
/// the feature maps. Errors: MO-CONFIG-0230, MO-CONFIG-0238 (some level has not exactly one RoiAlign there, or they
/// disagree).
Expected<RoiPyramid> read_roi_pyramid(const Graph& graph, const std::string& regions, const std::string& features,
                                      const std::vector<std::string>& levels);

}  // namespace mo::object_detection
