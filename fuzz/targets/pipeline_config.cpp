// pipeline.config of TensorFlow's Object Detection API.
#include "extensions/object_detection/pipeline_config.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_pipeline_config(std::string_view input) {
  const auto config = object_detection::PipelineConfig::parse(input, "pipeline.config", {});
  if (!done_or_explained(config)) return;
  require(!config->kind().empty(), "a detector of no kind");
  for (const char* key : {"num_classes", "max_total_detections", "first_stage_nms_iou_threshold",
                          "pad_to_max_dimension", "image_resizer", "scales"}) {
    if (!config->has(key)) continue;
    static_cast<void>(done_or_explained(config->integer(key)));
    static_cast<void>(done_or_explained(config->real(key)));
    static_cast<void>(done_or_explained(config->boolean(key)));
    static_cast<void>(done_or_explained(config->text(key)));
    static_cast<void>(done_or_explained(config->reals(key)));
  }
  static_cast<void>(done_or_explained(config->variances()));
}

}  // namespace mo::fuzz
