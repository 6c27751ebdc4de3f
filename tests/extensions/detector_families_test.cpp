#include <cmath>

#include "core/graph/dead_nodes.hpp"
#include "tests/extensions/detector_fixture.hpp"

namespace mo::object_detection {
namespace {

using test::find_pass;
using test::Replacers;
using test::text_of;

// -- Faster R-CNN and its relatives -----------------------------------------------------------------------------------

constexpr std::string_view kFasterPipeline = R"(model { faster_rcnn { num_classes: 2
  image_resizer { fixed_shape_resizer { height: 4 width: 4 } }
  first_stage_anchor_generator { grid_anchor_generator { height: 8 width: 8 height_stride: 2 width_stride: 2 scales: 0.5 scales: 1.0 aspect_ratios: 1.0 } }
  first_stage_nms_iou_threshold: 0.7 first_stage_max_proposals: 3
  second_stage_post_processing { batch_non_max_suppression { score_threshold: 0.0 iou_threshold: 0.6 max_detections_per_class: 4 max_total_detections: 4 }
                                 score_converter: SOFTMAX }
  second_stage_box_predictor { rfcn_box_predictor { num_spatial_bins_height: 2 num_spatial_bins_width: 2 crop_height: 4 crop_width: 4 } } } })";

constexpr std::string_view kFirstStage = R"(graph(%image: f32[1,4,4,3] "image_tensor") {
  %bm = MatMul(%image, random(1):f32[3,8])
  %bb = Add(%bm, splat(0.1):f32[8]) "FirstStageBoxPredictor/BoxEncodingPredictor/BiasAdd"
  %sm = MatMul(%image, random(2):f32[3,4])
  %sb = Add(%sm, [0.1, 0.2, 0.3, 0.4]:f32) "FirstStageBoxPredictor/ClassPredictor/BiasAdd"
  %r0 = Reshape(%bb, [1, -1, 4]:i64) "FirstStageBoxPredictor/Reshape"
  %r1 = Reshape(%sb, [1, -1, 2]:i64) "FirstStageBoxPredictor/Reshape_1"
  %ga = "anchors"(%image) "GridAnchorGenerator/Identity"
  %sh = ShapeOf(%image) "Shape"
  %nms = "nms"(%r0, %r1, %ga, %sh)
  %e0 = "gather"(%nms) "map/TensorArrayStack/TensorArrayGatherV3"
  %e1 = "gather"(%nms) "map_1/TensorArrayStack/TensorArrayGatherV3"
  %e2 = "gather"(%nms) "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_4/TensorArrayGatherV3"
)";

const std::string kSecondStage = R"(  %flat = Reshape(%e0, [-1, 4]:i64)
  %crop = "tf::CropAndResize"(%image, %flat, [0, 0, 0]:i32, [2, 2]:i32) {method="bilinear", extrapolation_value=0.0} "CropAndResize"
  %mean = ReduceMean(%crop, [1, 2]:i64) {keep_dims=false}
  %em = MatMul(%mean, random(3):f32[3,8])
  %cm = MatMul(%mean, random(4):f32[3,3])
  %q0 = Reshape(%em, [1, -1, 2, 4]:i64) "SecondStagePostprocessor/Reshape"
  %p1 = Reshape(%cm, [1, -1, 3]:i64) "SecondStagePostprocessor/Reshape_1"
  %q1 = SoftMax(%p1) {axis=-1} "SecondStagePostprocessor/Softmax"
  %q2 = Unsqueeze(%e0, 2:i64) "SecondStagePostprocessor/ExpandDims"
  %n2 = "nms"(%q0, %q1, %q2, %e2, %e1) "SecondStagePostprocessor/nms"
  %o0 = "gather"(%n2) "SecondStagePostprocessor/BatchMultiClassNonMaxSuppression/map/TensorArrayStack/TensorArrayGatherV3"
  %o1 = "gather"(%n2) "SecondStagePostprocessor/other"
  %d = Identity(%o0) "detection_boxes"
  %s = Identity(%o1) "detection_scores"
  %n = Identity(%e2) "num_detections"
  %more = Identity(%e1) "more"
  return %d, %s, %n, %more
})";

TEST_F(Replacers, FasterRcnnBecomesProposalAndDetectionOutput) {
  use_pipeline(std::string(kFasterPipeline));
  use_shipped("faster_rcnn_support.json");
  read(std::string(kFirstStage) + kSecondStage);
  EXPECT_EQ(run("ObjectDetectionAPIOutputReplacement"), "changed");
  EXPECT_EQ(graph_->results().size(), 3U);
  EXPECT_EQ(run("ObjectDetectionAPIConstValueOverride"), "unchanged");
  EXPECT_EQ(run("ObjectDetectionAPIProposalReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIDetectionOutputReplacement"), "changed");
  remove_dead_nodes(*graph_);  // what only the dropped output needed
  for (const char* op : {"nms", "gather"}) EXPECT_FALSE(has(op)) << op << "\n" << to_text(*graph_);
  EXPECT_EQ(graph_->parameters().size(), 2U);
  EXPECT_EQ(translate(), "changed");
  EXPECT_EQ(types(), "f32[1,1,4,7]");
  std::vector<double> pixels;
  for (int i = 0; i < 48; ++i) pixels.push_back(std::sin(i));
  const auto rows =
      evaluate({*from_reals(ElementType::f32, {1, 4, 4, 3}, pixels), *from_reals(ElementType::f32, {1, 3}, {4, 4, 1})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][0], 0) << "at least one detection";
  EXPECT_GE(rows[0][1], 1) << "the background is no detection";
}

TEST_F(Replacers, StagesDependOnEachOtherAndOnTheRightPipeline) {
  use_pipeline(std::string(kFasterPipeline));
  use_shipped("faster_rcnn_support.json");
  read(std::string(kFirstStage) + kSecondStage);
  EXPECT_NE(run("ObjectDetectionAPIDetectionOutputReplacement").find("MO-CONFIG-0233"), std::string::npos);
  std::string three(kFasterPipeline);
  three.replace(three.find("scales: 1.0 "), 12, "scales: 1.0 scales: 2.0 ");
  use_pipeline(three);
  EXPECT_NE(run("ObjectDetectionAPIProposalReplacement").find("MO-CONFIG-0232"), std::string::npos);
  std::string oblong(kFasterPipeline);
  oblong.replace(oblong.find("width_stride: 2"), 15, "width_stride: 4");
  use_pipeline(oblong);
  EXPECT_NE(run("ObjectDetectionAPIProposalReplacement").find("MO-CONFIG-0234"), std::string::npos);
}

TEST_F(Replacers, OutputsOfTheUserGoBeforeThoseOfTheConfiguration) {
  use_shipped("faster_rcnn_support.json");
  read(std::string(kFirstStage) + kSecondStage);
  settings_.outputs = {"CropAndResize"};
  EXPECT_EQ(run("ObjectDetectionAPIOutputReplacement"), "unchanged");
  EXPECT_NE(warnings().find("MO-CONFIG-0214"), std::string::npos);
  settings_.outputs = {};
  use_config(
      R"([{"id": "ObjectDetectionAPIOutputReplacement", "match_kind": "general", "custom_attributes": {"outputs": "nothing|CropAndResize,no"}}])");
  EXPECT_NE(run("ObjectDetectionAPIOutputReplacement").find("MO-CONFIG-0230"), std::string::npos);
}

TEST_F(Replacers, ConstantsBecomeValuesOfThePipeline) {
  use_pipeline(std::string(kFasterPipeline));
  use_shipped("faster_rcnn_support.json");
  read(R"(graph(%x: i32[] "x") {
  %c = Const {value=300:i32} "mul/y" @["mul/y:0"]
  %y = Multiply(%x, %c) "mul"
  return %y
})");
  graph_->results()[0].input(0).node().input(1).node().set_name("mul/y");
  EXPECT_EQ(run("ObjectDetectionAPIConstValueOverride"), "changed");
  EXPECT_NE(to_text(*graph_).find("value=3:i32"), std::string::npos) << to_text(*graph_);
}

TEST_F(Replacers, MaskRcnnCropsAtTheDetections) {
  use_pipeline(std::string(kFasterPipeline));
  use_shipped("mask_rcnn_support_api_v1.14.json");
  std::string text(kFirstStage);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"map_1/TensorArrayStack", "map_2/TensorArrayStack"},
        {"TensorArrayStack_4/", "TensorArrayStack_5/"},
        {"\"FirstStageBoxPredictor/Reshape\"", "\"concat\""},
        {"\"FirstStageBoxPredictor/Reshape_1\"", "\"concat_1\""}})
    text.replace(text.find(from), from.size(), to);
  read(text + R"(  %flat = Reshape(%e0, [-1, 4]:i64)
  %crop = "tf::CropAndResize"(%image, %flat, [0, 0, 0]:i32, [2, 2]:i32) {method="bilinear", extrapolation_value=0.0} "CropAndResize"
  %mean = ReduceMean(%crop, [1, 2]:i64) {keep_dims=false}
  %em = MatMul(%mean, random(3):f32[3,8])
  %cm = MatMul(%mean, random(4):f32[3,3])
  %q0 = Reshape(%em, [-1, 2, 4]:i64) "SecondStageBoxPredictor/Reshape"
  %p1 = Reshape(%cm, [-1, 3]:i64) "SecondStageBoxPredictor/Reshape_1"
  %q1 = SoftMax(%p1) {axis=-1} "SecondStageBoxPredictor/Softmax"
  %q2 = Unsqueeze(%e0, 2:i64) "ExpandDims_6"
  %count = "count"(%e1, %e2)
  %q3 = Convert(%count) {destination_type=f32} "Cast_5"
  %n2 = "nms"(%q0, %q1, %q2, %q3)
  %o0 = "gather"(%n2) "BatchMultiClassNonMaxSuppression_1/map/TensorArrayStack_2/TensorArrayGatherV3"
  %o1 = "gather"(%n2) "BatchMultiClassNonMaxSuppression_1/map/TensorArrayStack/TensorArrayGatherV3"
  %again = Reshape(%o1, [-1, 4]:i64)
  %owner = "owners"(%o0)
  %crop2 = "tf::CropAndResize"(%image, %again, %owner, [6, 6]:i32) {method="bilinear", extrapolation_value=0.0} "CropAndResize_1/CropAndResize"
  %flat2 = Reshape(%crop2, [-1, 6, 6, 3]:i64) "Reshape_10"
  %mm = MatMul(%flat2, random(6):f32[3,2])
  %m = Add(%mm, [0.1, 0.2]:f32) "SecondStageBoxPredictor_1/Conv_3/BiasAdd"
  return %m
})");
  EXPECT_EQ(run("ObjectDetectionAPIOutputReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIProposalReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIDetectionOutputReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIMaskRCNNSigmoidReplacement"), "changed");
  for (const char* op : {"nms", "gather", "owners", "count"}) EXPECT_FALSE(has(op)) << op << "\n" << to_text(*graph_);
  EXPECT_EQ(translate(), "changed");
  EXPECT_EQ(types(), "f32[4,6,6,2], f32[4,7]");
  EXPECT_TRUE(has("Sigmoid"));
}

TEST_F(Replacers, TheSecondCropNeedsACropAndDetections) {
  read(R"(graph(%x: f32[1,4,4,3] "x") {
  %a = ReLU(%x) "a"
  %b = "tf::CropAndResize"(%x, [[0.0, 0.0, 1.0, 1.0]]:f32, [0]:i32, [2, 2]:i32) {method="bilinear", extrapolation_value=0.0} "b"
  return %a, %b
})");
  const auto config = [](const std::string& node) {
    return R"([{"id": "ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement", "match_kind": "points", "instances": {"start_points": [")" +
           node + R"("], "end_points": [")" + node + R"("]}}])";
  };
  use_config(config("a"));
  EXPECT_NE(run("ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement").find("MO-CONFIG-0235"), std::string::npos);
  use_config(config("b"));
  EXPECT_NE(run("ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement").find("MO-CONFIG-0233"), std::string::npos);
}

TEST_F(Replacers, RfcnPoolsByPosition) {
  use_pipeline(std::string(kFasterPipeline));
  use_shipped("rfcn_support_api_v1.10.json");
  std::string loops;
  for (const auto& [scope, features] : {std::pair<std::string, std::string>{"map", "lb"}, {"map_1", "cb"}}) {
    const std::string at = "\"SecondStageBoxPredictor/" + scope + "/";
    const std::string v = "%" + scope;
    loops += "  " + v + "a = ShapeOf(%" + features + ") " + at + "Shape\"\n  " + v + "b = ShapeOf(%" + features + ") " +
             at + "TensorArrayUnstack/Shape\"\n  " + v + "c = \"scatter\"(" + v + "a, " + v + "b, %" + features + ") " +
             at + "TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3\"\n  " + v + "d = ShapeOf(%e0) " + at +
             "TensorArrayUnstack_1/Shape\"\n  " + v + "e = \"scatter\"(" + v + "d, " + v + "d, %e0) " + at +
             "TensorArrayUnstack_1/TensorArrayScatter/TensorArrayScatterV3\"\n  " + v + "f = \"gather\"(" + v + "c, " +
             v + "e) " + at + "TensorArrayStack/TensorArrayGatherV3\"\n";
  }
  read(std::string(kFirstStage) + R"(  %lm = MatMul(%image, random(7):f32[3,32])
  %lb = Add(%lm, splat(0.1):f32[32]) "refined_locations"
  %cm = MatMul(%image, random(8):f32[3,12])
  %cb = Add(%cm, splat(0.1):f32[12]) "class_predictions"
)" + loops +
       R"(  %q0 = Reshape(%mapf, [1, -1, 2, 4]:i64) "SecondStagePostprocessor/Reshape"
  %p1 = Reshape(%map_1f, [1, -1, 3]:i64) "SecondStagePostprocessor/Reshape_1"
  %q1 = SoftMax(%p1) {axis=-1} "SecondStagePostprocessor/Softmax"
  %q2 = Unsqueeze(%e0, 2:i64) "SecondStagePostprocessor/ExpandDims"
  %n2 = "nms"(%q0, %q1, %q2, %e2) "SecondStagePostprocessor/nms"
  %o0 = "gather"(%n2) "SecondStagePostprocessor/BatchMultiClassNonMaxSuppression/map/TensorArrayStack/TensorArrayGatherV3"
  %d = Identity(%o0) "detection_boxes"
  return %d
})");
  EXPECT_EQ(run("ObjectDetectionAPIProposalReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIPSROIPoolingReplacement"), "changed");
  EXPECT_EQ(run("ObjectDetectionAPIDetectionOutputReplacement"), "changed");
  for (const char* op : {"nms", "gather", "scatter"}) EXPECT_FALSE(has(op)) << op << "\n" << to_text(*graph_);
  EXPECT_TRUE(has("PSROIPooling"));
  EXPECT_EQ(types(), "f32[1,1,4,7]");
}

constexpr std::string_view kSize = "model { ssd { image_resizer { fixed_shape_resizer { height: 16 width: 32 } } } }";

// -- preprocessing of version 2 ---------------------------------------------------------------------------------------

TEST_F(Replacers, ArithmeticBeforeResizingStaysIfTheResizingIsRemoved) {
  use_pipeline(std::string(kSize));
  use_config(R"([{"id": "ObjectDetectionAPIPreprocessor2Replacement", "match_kind": "general",
                  "custom_attributes": {"start_nodes": ["unstack"], "end_nodes": ["stack", "gone"]}}])");
  read(R"(graph(%x: u8[1,?,?,3] "input_tensor") {
  %f = Convert(%x) {destination_type=f32}
  %m = Multiply(%f, 0.5)
  %s = "unpack"(%m) "unstack"
  %r = "resize"(%s)
  %e = "pack"(%r) "stack"
  %y = ReLU(%e) "first"
  return %y
})");
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessor2Replacement"), "changed");
  EXPECT_EQ(types(), "f32[1,16,32,3]");
  EXPECT_TRUE(has("Multiply"));
  EXPECT_FALSE(has("resize"));
}

TEST_F(Replacers, ArithmeticInsideOfTheLoopMovesOutOfIt) {
  use_pipeline(std::string(kSize));
  use_config(R"([{"id": "ObjectDetectionAPIPreprocessor2Replacement", "match_kind": "general",
                  "custom_attributes": {"start_nodes": ["list"], "end_nodes": ["joined"]}}])");
  read(R"(graph(%x: u8[1,?,?,3] "input_tensor") {
  %f = Convert(%x) {destination_type=f32}
  %s = "to_list"(%f) "list"
  %w = "While"(%s) {body=graph(%i: f32[...]) {
    %m = Multiply(%i, 0.25) "p/map/while/Preprocessor/mul"
    %n = Subtract(%m, 1.0) "p/map/while/Preprocessor/sub"
    %u = "unpack"(%n) "p/map/while/Preprocessor/unstack"
    %k = "pack"(%u) "p/map/while/Preprocessor/stack"
    return %k
  }} "while"
  %e = "from_list"(%w) "joined"
  return %e
})");
  EXPECT_EQ(run("ObjectDetectionAPIPreprocessor2Replacement"), "changed");
  EXPECT_EQ(types(), "f32[1,16,32,3]");
  EXPECT_FALSE(has("While"));
  const auto numbers = evaluate({*from_reals(ElementType::u8, {1, 16, 32, 3}, std::vector<double>(16 * 32 * 3, 8))});
  EXPECT_EQ(numbers.at(0).at(0), 1.0);
}

// -- other families ---------------------------------------------------------------------------------------------------

constexpr std::string_view kYolo = R"(graph(%x: f32[1,4,4,3] "x") {
  %m = MatMul(%x, random(1):f32[3,14])
  %b = Add(%m, splat(0.5):f32[14]) "BiasAdd"
  %r = Reshape(%b, [1, -1, 7]:i64) "detector/Reshape"
  return %r
})";

TEST_F(Replacers, YoloVersion3HasARegionAtEachEntryPoint) {
  use_config(R"([{"id": "TFYOLOV3", "match_kind": "general", "custom_attributes":
    {"classes": 2, "coords": 4, "num": 4, "anchors": [1, 2, 3, 4, 5, 6, 7, 8], "masks": [[2, 3]], "entry_points": ["detector/Reshape"]}}])");
  read(kYolo);
  graph_->find_node("BiasAdd").set_origin({.framework = "TensorFlow", .op = "BiasAdd"});
  EXPECT_EQ(run("TFYOLOV3"), "changed");
  EXPECT_EQ(types(), "f32[1,14,4,4]");
  EXPECT_NE(to_text(*graph_).find("mask=[2, 3]"), std::string::npos);
  read(kYolo);
  graph_->find_node("BiasAdd").set_origin({.framework = "ONNX", .op = "Add"});
  EXPECT_EQ(run("TFYOLOV3"), "changed");
  EXPECT_EQ(types(), "f32[1,14,4,14]")
      << "dimension 1 of another framework is the channels: 2 masks of 7 numbers take the place of its 4";
  use_config(
      R"([{"id": "TFYOLOV3", "match_kind": "general", "custom_attributes": {"classes": 2, "num": 4, "masks": [[2, 3]], "entry_points": ["away"]}}])");
  EXPECT_NE(run("TFYOLOV3").find("MO-CONFIG-0230"), std::string::npos);
  use_config(
      R"([{"id": "TFYOLOV3", "match_kind": "general", "custom_attributes": {"classes": 2, "num": 4, "masks": [[1], [2]], "entry_points": ["a"]}}])");
  EXPECT_NE(run("TFYOLOV3").find("MO-CONFIG-0204"), std::string::npos);
  use_config(R"([{"id": "TFYOLOV3", "match_kind": "general", "custom_attributes": {"num": 4}}])");
  EXPECT_NE(run("TFYOLOV3").find("MO-CONFIG-0202"), std::string::npos);
}

TEST_F(Replacers, YoloVersion2HasARegionAtEachOutput) {
  use_config(
      R"([{"id": "TFYOLO", "match_kind": "general", "custom_attributes": {"classes": 2, "coords": 4, "num": 2, "do_softmax": 1, "anchors": [1, 2, 3, 4]}}])");
  read(kYolo);
  const Node head = graph_->find_node("BiasAdd");
  head.set_origin({.framework = "TensorFlow", .op = "BiasAdd"});
  ASSERT_TRUE(graph_->results()[0].in_port(0).connect(head.output()));
  EXPECT_EQ(run("TFYOLO"), "changed");
  EXPECT_EQ(types(), "f32[1,224]");
}

TEST_F(Replacers, RetinaNetTakesItsOverlapFromItsOwnSuppression) {
  use_shipped("retinanet.json");
  const std::string text = R"(graph(%x: f32[1,8,16,3] "input_1") {
  %c = Reshape(%x, [1, -1, 4]:i64)
  %reg = Multiply(%c, 0.1) "regression/concat"
  %cls = Sigmoid(%c) "classification/concat"
  %anc = Abs(%c) "anchors/concat"
  %s = ShapeOf(%x) "clipped_boxes/Shape"
  %n = "tf::NonMaxSuppressionV3"(%reg, %cls, 300:i32, 0.4:f32, %anc, %s) "suppression"
  %o = "gather"(%n) "filtered_detections/map/TensorArrayStack/TensorArrayGatherV3"
  %o1 = "gather"(%n) "filtered_detections/map/TensorArrayStack_1/TensorArrayGatherV3"
  %o2 = "gather"(%n) "filtered_detections/map/TensorArrayStack_2/TensorArrayGatherV3"
  return %o, %o1, %o2
})";
  read(text);
  graph_->find_node("suppression").set_origin({"TensorFlow", "NonMaxSuppressionV3"});
  EXPECT_EQ(run("RetinaNetFilteredDetectionsReplacement"), "changed");
  EXPECT_EQ(types(), "f32[1,1,300,7]");
  EXPECT_NE(to_text(*graph_).find("nms_threshold=0.4"), std::string::npos) << to_text(*graph_);
  std::string other = text;
  other.replace(other.find("tf::NonMaxSuppressionV3"), std::string("tf::NonMaxSuppressionV3").size(), "Unknown");
  read(other);
  EXPECT_NE(run("RetinaNetFilteredDetectionsReplacement").find("MO-CONFIG-0231"), std::string::npos);
}

TEST_F(Replacers, TheSsdToolboxJoinsItsThreeOutputs) {
  use_shipped("ssd_toolbox_detection_output.json");
  read(R"(graph(%x: f32[1,6,4] "x") {
  %l = ReLU(%x) "SSD/concat_reshape_softmax/mbox_loc_final"
  %c = Sigmoid(%x) "SSD/concat_reshape_softmax/mbox_conf_final"
  %s = Concat(%x, %x) {axis=1}
  %p = Abs(%s) "SSD/fc7_priorbox"
  return %l, %c, %p
})");
  EXPECT_EQ(run("SSDToolboxDetectionOutput"), "changed");
  EXPECT_EQ(types(), "f32[1,1,200,7]");
}

TEST_F(Replacers, EveryShippedConfigurationIsReadableAndHasItsReplacers) {
  EXPECT_GE(config::shipped_configs().size(), 38U);
  for (const config::ShippedConfig& shipped : config::shipped_configs()) {
    const auto document = config::parse_json(shipped.text, shipped.name);
    ASSERT_TRUE(document) << text_of(document.error());
    const auto read = config::read_descriptors(*document, std::string(shipped.name));
    ASSERT_TRUE(read) << text_of(read.error());
    EXPECT_TRUE(read->warnings.empty()) << shipped.name;
    for (const config::Descriptor& descriptor : read->descriptors)
      EXPECT_NE(find_pass(descriptor.replacement_id), nullptr) << shipped.name << ": " << descriptor.replacement_id;
  }
}

}  // namespace
}  // namespace mo::object_detection
