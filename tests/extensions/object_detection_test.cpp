#include <cmath>

#include "extensions/object_detection/ssd_anchors.hpp"
#include "tests/extensions/detector_fixture.hpp"

namespace mo::object_detection {
namespace {

using test::Replacers;
using test::text_of;

// -- the pipeline configuration ---------------------------------------------------------------------------------------

TEST(PipelineConfig, MistakesAreFoundWhereTheyAre) {
  const auto complaint = [](const std::string& text) -> std::string {
    const auto parsed = PipelineConfig::parse(text + "\nmodel { ssd { } }", "p", {});
    return parsed ? ""
                  : parsed.error().first().code + " " + parsed.error().first().location + " " +
                        parsed.error().first().message;
  };
  EXPECT_EQ(complaint("a: 1\n# c\nb { c: 'x' \"y\" d: [1, 2.5] e <f: G> [x.y]: -1e-3; }"), "");
  EXPECT_EQ(complaint("a: 1 }"), "MO-CONFIG-0200 p:1:6 the name of a field is expected, not '}'");
  EXPECT_EQ(complaint("a 1"), "MO-CONFIG-0200 p:1:3 ':' or '{' is expected, not '1'");
  EXPECT_EQ(complaint("\n b: \"x"), "MO-CONFIG-0200 p:2:5 this string is not closed on its line");
  EXPECT_EQ(PipelineConfig::parse("model { ssd: [] }", "p", {}).error().first().code, "MO-CONFIG-0203");
  EXPECT_EQ(PipelineConfig::parse("x: 1", "p", {}).error().first().code, "MO-CONFIG-0203");
}

constexpr std::string_view kSsdPipeline = R"(model { ssd { num_classes: 2
  image_resizer { fixed_shape_resizer { height: 16 width: 32 } }
  box_coder { faster_rcnn_box_coder { y_scale: 10.0 x_scale: 10.0 height_scale: 5.0 width_scale: 5.0 } }
  anchor_generator { ssd_anchor_generator { num_layers: 2 min_scale: 0.2 max_scale: 0.8 aspect_ratios: 1.0 aspect_ratios: 2.0 } }
  post_processing { batch_non_max_suppression { score_threshold: 0.3 iou_threshold: 0.6 max_detections_per_class: 5 max_total_detections: 5 }
                    score_converter: SIGMOID } } })";

TEST(PipelineConfig, ValuesComeFromTheFileFromCustomAttributesAndFromDefaults) {
  const auto pipeline = PipelineConfig::parse(
      kSsdPipeline, "p", {{"num_classes", 7}, {"ssd_anchor_generator_scales", std::vector<double>{0.5, 0.25}}});
  ASSERT_TRUE(pipeline) << text_of(pipeline.error());
  EXPECT_EQ(pipeline->kind(), "ssd");
  EXPECT_EQ(*pipeline->integer("num_classes"), 7);
  EXPECT_EQ(*pipeline->integer("resizer_image_width"), 32);
  EXPECT_EQ(*pipeline->text("postprocessing_score_converter"), "SIGMOID");
  EXPECT_EQ(*pipeline->reals("ssd_anchor_generator_aspect_ratios"), (std::vector<double>{1, 2}));
  EXPECT_EQ(*pipeline->reals("ssd_anchor_generator_scales"), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(*pipeline->variances(), (std::vector<double>{0.1, 0.1, 0.2, 0.2}));
  EXPECT_TRUE(*pipeline->boolean("add_background_class"));
  EXPECT_FALSE(pipeline->has("first_stage_max_proposals"));
  EXPECT_EQ(pipeline->integer("first_stage_max_proposals").error().first().code, "MO-CONFIG-0202");
  EXPECT_EQ(pipeline->integer("postprocessing_score_converter").error().first().code, "MO-CONFIG-0204");
  EXPECT_EQ(pipeline->integer("postprocessing_score_threshold").error().first().code, "MO-CONFIG-0204");
  EXPECT_EQ(PipelineConfig::parse("train_config { }", "p", {}).error().first().code, "MO-CONFIG-0203");
}

TEST(PipelineConfig, AnchorsAreThoseOfTheGenerators) {
  const auto ssd = PipelineConfig::parse(kSsdPipeline, "p", {});
  const auto sizes = anchor_sizes(*ssd, 16, 32);
  ASSERT_TRUE(sizes);
  ASSERT_EQ(sizes->size(), 2U);
  ASSERT_EQ((*sizes)[0].widths.size(), 3U);
  EXPECT_NEAR((*sizes)[0].widths[0], 0.1 * 16, 1e-9);
  EXPECT_NEAR((*sizes)[0].heights[1], 0.2 / std::sqrt(2.0) * 16, 1e-9);
  ASSERT_EQ((*sizes)[1].widths.size(), 3U);
  EXPECT_NEAR((*sizes)[1].widths[1], 0.8 * std::sqrt(2.0) * 16, 1e-9);
  EXPECT_NEAR((*sizes)[1].heights[2], std::sqrt(0.8) * 16, 1e-9);
  const auto multi = PipelineConfig::parse(
      "model { ssd { anchor_generator { multiscale_anchor_generator { min_level: 3 max_level: 4 anchor_scale: 4 "
      "aspect_ratios: [1, 4] "
      "scales_per_octave: 2 } } } }",
      "p", {});
  const auto levels = anchor_sizes(*multi, 64, 64);
  ASSERT_TRUE(levels) << text_of(levels.error());
  ASSERT_EQ(levels->size(), 2U);
  EXPECT_NEAR((*levels)[0].widths[1], 32 * std::sqrt(2.0), 1e-9);
  EXPECT_NEAR((*levels)[1].heights[2], 32, 1e-9);
}

// -- SSD --------------------------------------------------------------------------------------------------------------

/// Names and structure of an SSD: preprocessing in a loop (here: one op for all of it), two heads, anchors, a
/// post-processing of which only the border matters.
constexpr std::string_view kSsd = R"(graph(%image: u8[?,?,?,3] "image_tensor") {
  %cast = Convert(%image) {destination_type=f32} "ToFloat"
  %shape = ShapeOf(%cast) {output_type=i32} "Preprocessor/map/Shape"
  %unstack = ShapeOf(%cast) {output_type=i32} "Preprocessor/map/TensorArrayUnstack/Shape"
  %scatter = "loop"(%shape, %unstack, %cast) "Preprocessor/map/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3"
  %gather = "loop"(%scatter) "Preprocessor/map/TensorArrayStack/TensorArrayGatherV3"
  %sizes = "loop"(%scatter) "Preprocessor/map/TensorArrayStack_1/TensorArrayGatherV3"
  %mul = Multiply(0.5, %gather) "Preprocessor/mul"
  %sub = Subtract(%mul, 1.0) "Preprocessor/sub"
  %pool = AvgPool(%sub) {strides=[8, 8], pads_begin=[0, 0], pads_end=[0, 0], kernel=[8, 8], exclude-pad=false}
  %b0 = MatMul(%sub, random(1):f32[3,12])
  %box0 = Add(%b0, splat(0.1):f32[12]) "BoxPredictor_0/BoxEncodingPredictor/BiasAdd"
  %b1 = MatMul(%sub, random(2):f32[3,12])
  %box1 = Add(%b1, splat(0.1):f32[12]) "BoxPredictor_1/BoxEncodingPredictor/BiasAdd"
  %r0 = Reshape(%box0, [1, -1, 4]:i64)
  %r1 = Reshape(%box1, [1, -1, 4]:i64)
  %boxes = Concat(%r0, %r1) {axis=1} "raw_boxes"
  %c0 = MatMul(%sub, random(3):f32[3,9])
  %c1 = MatMul(%sub, random(4):f32[3,9])
  %s0 = Reshape(%c0, [1, -1, 3]:i64)
  %s1 = Reshape(%c1, [1, -1, 3]:i64)
  %scores = Concat(%s0, %s1) {axis=1} "raw_scores"
  %anchors = Const {value=random(5):f32[1,3072,4]} "anchors"
  %p0 = ShapeOf(%boxes) "Postprocessor/Shape"
  %p1 = Divide(%scores, 1.0) "Postprocessor/scale_logits"
  %converted = Sigmoid(%p1) "Postprocessor/convert_scores"
  %p2 = "tile"(%anchors) "Postprocessor/Tile"
  %p3 = Reshape(%boxes, [-1, 4]:i64) "Postprocessor/Reshape_1"
  %p4 = Convert(%sizes) {destination_type=f32} "Postprocessor/ToFloat"
  %nms = "nms"(%p0, %converted, %p2, %p3, %p4) "Postprocessor/nms"
  %d = "end"(%nms) "detection_boxes" @["detection_boxes:0"]
  %s = "end"(%nms) "detection_scores"
  %n = "end"(%nms) "num_detections"
  %c = "end"(%nms) "detection_classes"
  return %d, %s, %n, %c
})";

std::string without_pool(std::string_view text) {
  std::string made(text);
  const std::size_t at = made.find("  %pool");
  return made.erase(at, made.find('\n', at) + 1 - at);
}

TEST_F(Replacers, AnSsdBecomesOneDetectionOutputWithPriorsOfItsPipeline) {
  use_pipeline(std::string(kSsdPipeline));
  use_shipped("ssd_v2_support.json");
  read(without_pool(kSsd));
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessorReplacement"), "changed");
  EXPECT_EQ(graph_->parameters()[0].as<Parameter>()->shape.to_string(), "[1,16,32,3]");
  EXPECT_EQ(run("ObjectDetectionAPISSDPostprocessorReplacement"), "changed");
  for (const char* op : {"loop", "tile", "nms", "end"}) EXPECT_FALSE(has(op)) << op;
  EXPECT_TRUE(has("PriorBoxClustered"));
  EXPECT_EQ(types(), "f32[1,1,5,7]");
  const std::string text = to_text(*graph_);
  for (const char* part : {"keep_top_k=[5]", "nms_threshold=0.6", "confidence_threshold=0.3", "clip_after_nms=true",
                           "normalized=true", "CENTER_SIZE"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto rows = evaluate({*from_reals(ElementType::u8, {1, 16, 32, 3}, std::vector<double>(16 * 32 * 3, 7))});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].size(), 35U);
}

TEST_F(Replacers, TheModelsAnchorsServeWhereItsHeadsHaveOtherNames) {
  use_pipeline(std::string(kSsdPipeline));
  use_shipped("ssd_v2_support.json");
  std::string text = without_pool(kSsd);
  for (std::size_t at = 0; (at = text.find("BoxPredictor_", at)) != std::string::npos;) text.replace(at, 3, "Own");
  read(text);
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessorReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPISSDPostprocessorReplacement"), "changed");
  EXPECT_FALSE(has("PriorBoxClustered"));
  EXPECT_EQ(types(), "f32[1,1,5,7]");
}

TEST_F(Replacers, APipelineOfAnotherModelIsRefused) {
  use_shipped("ssd_v2_support.json");
  std::string fewer(kSsdPipeline);
  fewer.replace(fewer.find("num_layers: 2"), 13, "num_layers: 1");
  use_pipeline(fewer);
  read(without_pool(kSsd));
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessorReplacement"), "changed");
  EXPECT_NE(run("ObjectDetectionAPISSDPostprocessorReplacement").find("MO-CONFIG-0222"), std::string::npos);
  std::string other(kSsdPipeline);
  other.replace(other.find("SIGMOID"), 7, "SQUARED");
  use_pipeline(other);
  read(without_pool(kSsd));
  EXPECT_NE(run("ObjectDetectionAPISSDPostprocessorReplacement").find("MO-CONFIG-0221"), std::string::npos);
}

TEST_F(Replacers, ThePipelineIsRequiredAndMustHaveTheSizeOfImages) {
  use_shipped("ssd_v2_support.json");
  read(without_pool(kSsd));
  EXPECT_NE(run("ObjectDetectionAPIPreprocessorReplacement").find("MO-CONFIG-0201"), std::string::npos);
  use_pipeline("model { ssd { } }");
  EXPECT_NE(run("ObjectDetectionAPIPreprocessorReplacement").find("MO-CONFIG-0211"), std::string::npos);
  use_pipeline("model { ssd { image_resizer { fixed_shape_resizer { height: 0 width: 1 } } } }");
  EXPECT_NE(run("ObjectDetectionAPIPreprocessorReplacement").find("MO-CONFIG-0204"), std::string::npos);
  graph_->parameters()[0].set_name("picture");
  EXPECT_NE(run("ObjectDetectionAPIPreprocessorReplacement").find("MO-CONFIG-0210"), std::string::npos);
  graph_->parameters()[0].set_name("image_tensor");
  use_pipeline(
      "model { ssd { image_resizer { keep_aspect_ratio_resizer { min_dimension: 60 max_dimension: 100 } } } }");
  graph_->parameters()[0].as<Parameter>()->shape = {1, 40, 20, 3};
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessorReplacement"), "changed");
  EXPECT_EQ(graph_->parameters()[0].as<Parameter>()->shape.to_string(), "[1,100,50,3]");
  EXPECT_NE(warnings().find("MO-CONFIG-0212"), std::string::npos);
}

TEST_F(Replacers, APreprocessingOfAnotherKindIsRefused) {
  use_pipeline(std::string(kSsdPipeline));
  use_shipped("ssd_v2_support.json");
  std::string text = without_pool(kSsd);
  text.replace(text.find("Subtract(%mul"), 8, "Add");
  read(text);
  EXPECT_NE(run("ObjectDetectionAPIPreprocessorReplacement").find("MO-CONFIG-0213"), std::string::npos);
}

TEST_F(Replacers, AKnownDetectorWithoutAConfigurationGetsAdvice) {
  read(without_pool(kSsd));
  settings_.input_model = "ssd.pb";
  EXPECT_EQ(run("DetectionModelAdvice"), "unchanged");
  EXPECT_NE(warnings().find("MO-CONFIG-0240"), std::string::npos);
  EXPECT_NE(
      warnings().find(
          "mo --input_model ssd.pb --transformations_config auto --tensorflow_object_detection_api_pipeline_config "),
      std::string::npos)
      << warnings();
  diagnostics_.items.clear();
  use_shipped("ssd_v2_support.json");
  EXPECT_EQ(run("DetectionModelAdvice"), "unchanged");
  EXPECT_EQ(warnings(), "");
}

}  // namespace
}  // namespace mo::object_detection
