#include "extensions/object_detection/scores.hpp"

#include <fmt/format.h>

#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/pad.hpp"
#include "ops/soft_max.hpp"

namespace mo::object_detection {
namespace {

/// Scores by what the pipeline calls score_converter.
Expected<Value> converted(Rewriter& rw, const Value& scores, const std::string& converter) {
  if (converter == "SOFTMAX") return rw.create(ops::SoftMax{.axis = -1}, scores);
  if (converter == "SIGMOID") return rw.create(ops::Sigmoid{}, scores);
  if (converter == "IDENTITY") return scores;
  return error("MO-CONFIG-0221", "the score converter {} is not known", converter)
      .hint(
          "known: SOFTMAX, SIGMOID, IDENTITY; \"postprocessing_score_converter\" in \"custom_attributes\" overrides "
          "the pipeline's");
}

/// What the pipeline says must be what the model does. A configuration that says it itself has the last word.
Expected<void> check_conversion(const ScoreConversion& found, const PipelineConfig& pipeline,
                                const std::string& wanted) {
  constexpr std::string_view kKey = "postprocessing_score_converter";
  const std::string& does = found.inside != "IDENTITY" ? found.inside : found.before;
  if (does == wanted || pipeline.is_custom(kKey)) return {};
  const std::string what = found.converter ? fmt::format("'{}' of the model is {}", found.converter.name(), does)
                                           : std::string("the model does not convert them");
  return error("MO-CONFIG-0225", "the pipeline converts scores by {}, and {}", wanted, what)
      .hint("give the pipeline.config that belongs to this model")
      .in_file(pipeline.place_of(kKey));
}

Expected<void> check_classes(const Value& raw, std::int64_t classes, std::int64_t scores,
                             const PipelineConfig& pipeline) {
  const auto mismatch = [&](const Count& count, std::string_view what) {
    return count.node
        .error("MO-CONFIG-0224", "num_classes is {}, which gives {} scores for each box, and '{}' {} {}", classes,
               scores, count.node.name(), what, count.number)
        .hint("give the pipeline.config that belongs to this model, with the number of classes that it was trained for")
        .in_file(pipeline.place_of("num_classes"));
  };
  if (const auto count = classes_of(raw)) {
    if (count->number != scores) return mismatch(*count, "has");
  } else if (const auto channels = channels_of(raw)) {
    if (channels->number % scores != 0)
      return mismatch(*channels, "has a number of channels that is not a multiple of that:");
  }
  return {};
}

}  // namespace

Expected<Value> detection_scores(const SubgraphMatch& match, std::size_t input, const PipelineConfig& pipeline,
                                 Rewriter& rw) {
  MO_ASSIGN(const std::int64_t classes, pipeline.integer("num_classes"));
  MO_ASSIGN(bool has_background, pipeline.boolean("add_background_class"));
  MO_ASSIGN(const std::string converter, pipeline.text("postprocessing_score_converter"));
  MO_ASSIGN(const Value raw, match.input(input));
  if (classes < 1 || classes > 1'000'000)
    return error("MO-CONFIG-0204", "num_classes is {}", classes)
        .hint("correct the pipeline configuration")
        .in_file(pipeline.place_of("num_classes"));
  const ScoreConversion found = score_conversion(match, input);
  MO_TRY(check_classes(raw, classes, classes + (has_background ? 1 : 0), pipeline));
  has_background = has_background && !found.lacks_background;

  Value scores = reshaped(rw, raw, {0, -1, classes + (has_background ? 1 : 0)});
  for (const ScoreConversion::Scaling& scaling : found.scalings)
    if (scaling.by != 1) {
      const Value by = rw.scalar(static_cast<float>(scaling.by));
      if (scaling.kind == Arithmetic::divide) scores = rw.create(ops::Divide{}, scores, by);
      if (scaling.kind == Arithmetic::multiply) scores = rw.create(ops::Multiply{}, scores, by);
    }
  // the background has no part in the sum
  if (has_background && found.cuts_before_inside && found.inside == "SOFTMAX") {
    scores = slice_along(rw, scores, 2, 1, classes + 1);
    has_background = false;
  }
  // Scores that were converted before the sub-graph must not be converted again.
  MO_ASSIGN(const Value converted_here, converted(rw, scores, converter));
  MO_TRY(check_conversion(found, pipeline, converter));
  if (found.before == "IDENTITY" || found.inside != "IDENTITY") scores = converted_here;
  // Labels count from 1 in TensorFlow's results whether the model has scores of a background or not.
  if (!has_background)
    scores = rw.create(ops::Pad{}, scores, rw.integers({0, 0, 1}), rw.integers({0, 0, 0}), rw.scalar(0.0F));
  return scores;
}

void set_clipping(ops::DetectionOutput& op, const SubgraphMatch& match) {
  const auto before = clips_before_suppression(match);
  if (!before) return;
  op.clip_before_nms = *before;
  op.clip_after_nms = !*before;
}

}  // namespace mo::object_detection
