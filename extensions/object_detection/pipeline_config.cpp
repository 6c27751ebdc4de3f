#include "extensions/object_detection/pipeline_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/attributes/codec.hpp"
#include "extensions/config/descriptor.hpp"
#include "extensions/config/json_document.hpp"

namespace mo::object_detection {
namespace {

/// Where a value is inside of the detector's message: names of fields, `*` for
/// any field, `*_x` for one with that end.
struct Rule {
  std::string_view key;
  std::string_view path;
  std::string_view fallback = {};  ///< empty: none
};

constexpr Rule kRules[] = {
    {"num_classes", "num_classes"},
    {"resizer_image_height", "image_resizer/fixed_shape_resizer/height"},
    {"resizer_image_width", "image_resizer/fixed_shape_resizer/width"},
    {"resizer_min_dimension", "image_resizer/keep_aspect_ratio_resizer/min_dimension"},
    {"resizer_max_dimension", "image_resizer/keep_aspect_ratio_resizer/max_dimension"},
    {"pad_to_max_dimension", "image_resizer/keep_aspect_ratio_resizer/pad_to_max_dimension", "false"},
    {"anchor_generator_height", "first_stage_anchor_generator/grid_anchor_generator/height", "256"},
    {"anchor_generator_width", "first_stage_anchor_generator/grid_anchor_generator/width", "256"},
    {"anchor_generator_height_stride", "first_stage_anchor_generator/grid_anchor_generator/height_stride", "16"},
    {"anchor_generator_width_stride", "first_stage_anchor_generator/grid_anchor_generator/width_stride", "16"},
    {"anchor_generator_scales", "first_stage_anchor_generator/grid_anchor_generator/scales"},
    {"anchor_generator_aspect_ratios", "first_stage_anchor_generator/grid_anchor_generator/aspect_ratios"},
    {"multiscale_anchor_generator_min_level", "anchor_generator/multiscale_anchor_generator/min_level"},
    {"multiscale_anchor_generator_max_level", "anchor_generator/multiscale_anchor_generator/max_level"},
    {"multiscale_anchor_generator_anchor_scale", "anchor_generator/multiscale_anchor_generator/anchor_scale"},
    {"multiscale_anchor_generator_aspect_ratios", "anchor_generator/multiscale_anchor_generator/aspect_ratios"},
    {"multiscale_anchor_generator_scales_per_octave", "anchor_generator/multiscale_anchor_generator/scales_per_octave"},
    {"ssd_anchor_generator_min_scale", "anchor_generator/ssd_anchor_generator/min_scale", "0.2"},
    {"ssd_anchor_generator_max_scale", "anchor_generator/ssd_anchor_generator/max_scale", "0.95"},
    {"ssd_anchor_generator_num_layers", "anchor_generator/ssd_anchor_generator/num_layers"},
    {"ssd_anchor_generator_aspect_ratios", "anchor_generator/ssd_anchor_generator/aspect_ratios"},
    {"ssd_anchor_generator_scales", "anchor_generator/ssd_anchor_generator/scales"},
    {"ssd_anchor_generator_interpolated_scale_aspect_ratio",
     "anchor_generator/ssd_anchor_generator/interpolated_scale_aspect_ratio", "1.0"},
    {"ssd_anchor_generator_reduce_lowest", "anchor_generator/ssd_anchor_generator/reduce_boxes_in_lowest_layer",
     "true"},
    {"ssd_anchor_generator_base_anchor_height", "anchor_generator/ssd_anchor_generator/base_anchor_height", "1.0"},
    {"ssd_anchor_generator_base_anchor_width", "anchor_generator/ssd_anchor_generator/base_anchor_width", "1.0"},
    {"ssd_anchor_generator_strides", "anchor_generator/ssd_anchor_generator/height_stride"},
    {"first_stage_nms_score_threshold", "*_nms_score_threshold"},
    {"first_stage_nms_iou_threshold", "*_nms_iou_threshold"},
    {"first_stage_max_proposals", "*_max_proposals"},
    {"num_spatial_bins_height", "*/rfcn_box_predictor/num_spatial_bins_height"},
    {"num_spatial_bins_width", "*/rfcn_box_predictor/num_spatial_bins_width"},
    {"crop_height", "*/rfcn_box_predictor/crop_height"},
    {"crop_width", "*/rfcn_box_predictor/crop_width"},
    {"initial_crop_size", "initial_crop_size"},
    {"use_matmul_crop_and_resize", "use_matmul_crop_and_resize", "false"},
    {"add_background_class", "add_background_class", "true"},
    {"postprocessing_score_converter", "*/score_converter", "IDENTITY"},
    {"postprocessing_score_threshold", "*/batch_non_max_suppression/score_threshold", "0"},
    {"postprocessing_iou_threshold", "*/batch_non_max_suppression/iou_threshold", "0.6"},
    {"postprocessing_max_detections_per_class", "*/batch_non_max_suppression/max_detections_per_class", "100"},
    {"postprocessing_max_total_detections", "*/batch_non_max_suppression/max_total_detections", "100"},
    {"share_box_across_classes", "second_stage_box_predictor/*/share_box_across_classes", "false"},
    {"frcnn_variance_x", "box_coder/faster_rcnn_box_coder/x_scale", "10"},
    {"frcnn_variance_y", "box_coder/faster_rcnn_box_coder/y_scale", "10"},
    {"frcnn_variance_width", "box_coder/faster_rcnn_box_coder/width_scale", "5"},
    {"frcnn_variance_height", "box_coder/faster_rcnn_box_coder/height_scale", "5"},
};

const Rule* rule_of(std::string_view key) {
  const auto it = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& rule) { return rule.key == key; });
  return it == std::end(kRules) ? nullptr : &*it;
}

bool fits(std::string_view name, std::string_view pattern) {
  return pattern.starts_with('*') ? name.ends_with(pattern.substr(1)) : name == pattern;
}

/// A value with the field that it belongs to.
struct Found {
  const proto_text::Field* field;
  const proto_text::Value* value;
};

const proto_text::Message* message_of(const proto_text::Value& value) {
  const auto* message = std::get_if<std::unique_ptr<proto_text::Message>>(&value);
  return message ? message->get() : nullptr;
}

/// All values that the path leads to, below the first way that leads anywhere.
void collect(const proto_text::Message& message, std::string_view path, std::vector<Found>& found) {
  const std::size_t slash = path.find('/');
  const std::string_view first = path.substr(0, slash);
  for (const proto_text::Field& field : message.fields) {
    if (!fits(field.name, first)) continue;
    for (const proto_text::Value& value : field.values) {
      const proto_text::Message* inner = message_of(value);
      if (slash == std::string_view::npos) {
        if (!inner && (found.empty() || found.front().field->name == field.name)) found.push_back({&field, &value});
      } else if (inner) {
        collect(*inner, path.substr(slash + 1), found);
        if (!found.empty()) return;
      }
    }
  }
}

/// The kind of detector, as pipelines call it, that the replacements belong to; empty when none of them tells.
std::string_view kind_of(const config::Replacements& replacements) {
  for (const config::Descriptor& descriptor : replacements.descriptors) {
    if (descriptor.replacement_id == "ObjectDetectionAPISSDPostprocessorReplacement") return "ssd";
    if (descriptor.replacement_id == "ObjectDetectionAPIProposalReplacement") return "faster_rcnn";
  }
  return {};
}

/// A value that is no message, as text.
std::string text_of(const proto_text::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* word = std::get_if<proto_text::Word>(&value)) return word->text;
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : std::string();
}

std::vector<std::string> texts_of(const AttributeValue& value) {
  if (const auto* list = value.get_if<std::vector<std::string>>()) return *list;
  std::vector<std::string> texts;
  if (const auto* integers = value.get_if<std::vector<std::int64_t>>()) {
    for (const std::int64_t i : *integers) texts.push_back(fmt::format("{}", i));
  } else if (const auto* reals = value.get_if<std::vector<double>>()) {
    for (const double r : *reals) texts.push_back(fmt::format("{}", r));
  } else if (auto text = to_ir_text(value)) {
    texts.push_back(*std::move(text));
  }
  return texts;
}

/// Protobuf also writes 10.0 where an integer is meant by people who edit such
/// files.
std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* last = text.data() + text.size();
  // 0.5f
  if (last - first > 1 && (last[-1] == 'f' || last[-1] == 'F') && std::isdigit(static_cast<unsigned char>(last[-2])))
    --last;
  const auto [end, cause] = std::from_chars(first, last, value);
  return cause == std::errc() && end == last && first != last && std::isfinite(value) ? std::optional(value)
                                                                                      : std::nullopt;
}

}  // namespace

Expected<PipelineConfig> PipelineConfig::parse(std::string_view text, std::string file,
                                               AttributeMap custom_attributes) {
  MO_ASSIGN(
      proto_text::Message root, proto_text::parse(text, [&](proto_text::Place place, const std::string& what) {
        return error("MO-CONFIG-0200", "{}", what).in_file(fmt::format("{}:{}:{}", file, place.line, place.column));
      }));
  PipelineConfig made;
  made.root_ = std::make_shared<const proto_text::Message>(std::move(root));
  made.custom_ = std::move(custom_attributes);
  MO_TRY(made.root_->each("model", [&](const proto_text::Value& value, const proto_text::Field&) -> Expected<void> {
    const proto_text::Message* model = message_of(value);
    if (!model || made.model_) return {};
    for (const proto_text::Field& field : model->fields)
      for (const proto_text::Value& one : field.values)
        if (const proto_text::Message* detector = message_of(one); detector && !made.model_) {
          made.model_ = detector;
          made.kind_ = field.name;
          const proto_text::Place place = field.place_of(one);
          made.kind_place_ = fmt::format("{}:{}:{}", file, place.line, place.column);
        }
    return {};
  }));
  if (!made.model_)
    return error("MO-CONFIG-0203", "the file describes no model")
        .hint(
            "give the pipeline.config that lies beside the trained model: it "
            "begins with \"model {{\"")
        .in_file(file);
  made.file_ = std::move(file);
  return made;
}

Expected<PipelineConfig> PipelineConfig::read(const PassContext& context, AttributeMap custom_attributes) {
  const std::string& path = context.settings.get<DetectionSettings>().pipeline_config;
  if (path.empty())
    return error("MO-CONFIG-0201",
                 "the replacement needs the pipeline configuration of the "
                 "model, and none was given")
        .hint("add --tensorflow_object_detection_api_pipeline_config with the pipeline.config next to the model");
  MO_ASSIGN(PipelineConfig made, read_file(path, std::move(custom_attributes)));
  const std::string_view wanted = kind_of(context.settings.get<config::Replacements>());
  if (!wanted.empty() && made.kind_ != wanted)
    return error("MO-CONFIG-0223",
                 "the pipeline describes a detector \"{}\", and the configuration replaces parts of \"{}\"", made.kind_,
                 wanted)
        .hint("give the pipeline.config that lies beside this model")
        .in_file(made.kind_place_);
  return made;
}

Expected<PipelineConfig> PipelineConfig::read_file(const std::string& path, AttributeMap custom_attributes) {
  MO_ASSIGN(const std::string text, config::read_config_text(path));
  return parse(text, path, std::move(custom_attributes));
}

PipelineConfig::Source PipelineConfig::source(std::string_view key) const {
  if (const AttributeValue* value = custom_.find(key)) return {texts_of(*value), "custom_attributes"};
  const Rule* rule = rule_of(key);
  Source made;
  if (!rule || !model_) return made;
  std::vector<Found> found;
  collect(*model_, rule->path, found);
  for (const Found& one : found) made.values.push_back(text_of(*one.value));
  if (!found.empty()) {
    const proto_text::Place place = found.front().field->place_of(*found.front().value);
    made.where = fmt::format("{}:{}:{}", file_, place.line, place.column);
  }
  return made;
}

Expected<std::string> PipelineConfig::single(std::string_view key) const {
  Source found = source(key);
  if (!found.values.empty()) return found.values.front();
  const Rule* rule = rule_of(key);
  if (rule && !rule->fallback.empty()) return std::string(rule->fallback);
  return error("MO-CONFIG-0202", "the pipeline configuration does not define {}", key)
      .hint("add \"{}\" to \"custom_attributes\" of the JSON configuration", key)
      .in_file(file_);
}

Expected<std::string> PipelineConfig::text(std::string_view key) const { return single(key); }

Expected<double> PipelineConfig::real(std::string_view key) const {
  MO_ASSIGN(const std::string text, single(key));
  if (const auto number = number_of(text)) return *number;
  return error("MO-CONFIG-0204", "{} is \"{}\", expected a number", key, text)
      .hint("correct the configuration")
      .in_file(source(key).where);
}

Expected<std::int64_t> PipelineConfig::integer(std::string_view key) const {
  MO_ASSIGN(const double number, real(key));
  if (std::trunc(number) == number && std::abs(number) < 2147483648.0) return static_cast<std::int64_t>(number);
  return error("MO-CONFIG-0204", "{} is {}, expected an integer", key, number)
      .hint("correct the configuration")
      .in_file(source(key).where);
}

Expected<bool> PipelineConfig::boolean(std::string_view key) const {
  MO_ASSIGN(const std::string text, single(key));
  if (text == "true" || text == "True" || text == "t" || text == "1") return true;
  if (text == "false" || text == "False" || text == "f" || text == "0") return false;
  return error("MO-CONFIG-0204", "{} is \"{}\", expected true or false", key, text)
      .hint("correct the configuration")
      .in_file(source(key).where);
}

Expected<std::vector<double>> PipelineConfig::reals(std::string_view key) const {
  const Source found = source(key);
  std::vector<double> numbers;
  for (const std::string& text : found.values) {
    const auto number = number_of(text);
    if (!number)
      return error("MO-CONFIG-0204", "{} is \"{}\", expected a number", key, text)
          .hint("correct the configuration")
          .in_file(found.where);
    numbers.push_back(*number);
  }
  return numbers;
}

Expected<std::vector<double>> PipelineConfig::variances() const {
  std::vector<double> made;
  for (const std::string_view key :
       {"frcnn_variance_x", "frcnn_variance_y", "frcnn_variance_width", "frcnn_variance_height"}) {
    MO_ASSIGN(const double scale, real(key));
    if (scale == 0)
      return error("MO-CONFIG-0204", "{} is 0, and boxes are divided by it", key)
          .hint("correct the configuration")
          .in_file(source(key).where);
    made.push_back(1 / scale);
  }
  return made;
}

}  // namespace mo::object_detection
