#pragma once

#include <memory>
#include <optional>

#include "core/pass/pass.hpp"
#include "core/proto_text/message.hpp"

namespace mo::object_detection {

/// Settings of the replacers of detectors (PassContext::settings).
struct DetectionSettings {
  /// Path of the pipeline.config that TensorFlow's Object Detection API wrote
  /// beside a model; empty: none was given.
  std::string pipeline_config;
};

/// What the training pipeline says about a detector, by short names
/// ("num_classes", "first_stage_nms_iou_threshold", docs/object_detection.md
/// has the list). A custom attribute of the JSON configuration with that name
/// goes first.
class PipelineConfig {
 public:
  /// Errors MO-CONFIG-0200 (no protobuf text), MO-CONFIG-0203 (no model in it).
  static Expected<PipelineConfig> parse(std::string_view text, std::string file, AttributeMap custom_attributes);
  /// The file that the settings name. Errors: MO-CONFIG-0201 (no such option
  /// was given), MO-CONFIG-0001, those of parse, MO-CONFIG-0223 (it describes
  /// another kind of detector than the replacements of this conversion).
  static Expected<PipelineConfig> read(const PassContext& context, AttributeMap custom_attributes);

  /// Errors MO-CONFIG-0001 and those of parse.
  static Expected<PipelineConfig> read_file(const std::string& path, AttributeMap custom_attributes = {});

  /// Kind of the detector: "ssd", "faster_rcnn".
  const std::string& kind() const { return kind_; }

  /// "pipeline.config:2:3", or "custom_attributes": where the key is defined. Empty when it is not.
  std::string place_of(std::string_view key) const { return source(key).where; }
  /// Whether the JSON configuration says it itself.
  bool is_custom(std::string_view key) const { return custom_.contains(key); }

  /// Whether the key is defined, defaults not counted.
  bool has(std::string_view key) const { return !texts(key).empty(); }
  /// Errors: MO-CONFIG-0202 (neither the pipeline nor a custom attribute says
  /// it, and there is no default), MO-CONFIG-0204 (not of that kind).
  Expected<std::int64_t> integer(std::string_view key) const;
  Expected<double> real(std::string_view key) const;
  Expected<bool> boolean(std::string_view key) const;
  Expected<std::string> text(std::string_view key) const;
  /// Empty when the key is not defined.
  Expected<std::vector<double>> reals(std::string_view key) const;

  /// 1 / scale of x, y, width, height of the box coder.
  Expected<std::vector<double>> variances() const;

 private:
  struct Source {
    std::vector<std::string> values;
    std::string where;  ///< of the first one
  };
  std::vector<std::string> texts(std::string_view key) const { return source(key).values; }
  Source source(std::string_view key) const;
  /// The only value; a default counts.
  Expected<std::string> single(std::string_view key) const;

  std::string file_;
  std::string kind_place_;
  std::shared_ptr<const proto_text::Message> root_;
  const proto_text::Message* model_ = nullptr;
  std::string kind_;
  AttributeMap custom_;
};

}  // namespace mo::object_detection
