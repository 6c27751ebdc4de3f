#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tests/support/builtins.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/npy.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;
using test::shared_models;
using test::text_of;

struct Box {
  double label, score, x1, y1, x2, y2;
};

double overlap(const Box& a, const Box& b) {
  const double width = std::max(0.0, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
  const double height = std::max(0.0, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
  const double common = width * height;
  return common / ((a.x2 - a.x1) * (a.y2 - a.y1) + (b.x2 - b.x1) * (b.y2 - b.y1) - common);
}

/// Detections above the score threshold of a model of TensorFlow's Object Detection API, from the four tensors that it
/// gives.
std::vector<Box> reference_boxes(const std::string& folder) {
  std::vector<std::vector<double>> numbers;
  for (const char* name : {"detection_boxes", "detection_scores", "detection_classes", "num_detections"}) {
    const auto tensor = tools::read_npy(folder + "/output_" + name + ".npy");
    if (!tensor) return {};
    numbers.push_back(*to_reals(*tensor));
  }
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(numbers[3].at(0)) && i < numbers[1].size(); ++i) {
    const double* b = numbers[0].data() + 4 * i;
    boxes.push_back({numbers[2][i], numbers[1][i], b[1], b[0], b[3], b[2]});
  }
  return boxes;
}

std::vector<Box> detected_boxes(const Tensor& table) {
  const std::vector<double> numbers = *to_reals(table);
  std::vector<Box> boxes;
  for (std::size_t i = 0; i + 7 <= numbers.size() && numbers[i] >= 0; i += 7)
    boxes.push_back({numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4], numbers[i + 5], numbers[i + 6]});
  return boxes;
}

class Detector : public testing::Test {
 protected:
  Detector() : models_(shared_models()), folder_(fs::path(testing::TempDir()) / "mo_object_detection") {
    fs::create_directories(folder_);
  }
  ~Detector() override { fs::remove_all(folder_); }
  bool has_models() const { return fs::exists(models_ + "/tf/tf_syn_ssdlite_mbv2/pipeline.config"); }
  Options options() const {
    Options o;
    o.input_model = models_ + "/tf/tf_syn_ssdlite_mbv2/frozen_inference_graph.pb";
    o.output_dir = folder_.string();
    o.model_name = "ssd";
    return o;
  }
  std::string models_;
  fs::path folder_;
};

/// Each reference detection has one of the same label that overlaps it by 0.99 (0.9 for boxes of less than 20 pixels)
/// and whose score is within 2e-3, and the other way round; a detection is used once. Scores of a random network lie
/// close together, so the last ones may differ: those within 2e-3 of the smallest reference score are not asked for.
void expect_same(const std::vector<Box>& got, const std::vector<Box>& want) {
  ASSERT_FALSE(want.empty());
  double last = 1;
  for (const Box& box : want) last = std::min(last, box.score);
  const auto unmatched = [&](const std::vector<Box>& from, const std::vector<Box>& among) {
    std::vector<bool> used(among.size());
    std::size_t missing = 0;
    for (const Box& box : from) {
      if (box.score < last + 2e-3) continue;
      std::size_t best = among.size();
      for (std::size_t i = 0; i < among.size(); ++i)
        if (!used[i] && among[i].label == box.label && std::abs(among[i].score - box.score) < 2e-3 &&
            overlap(box, among[i]) > 0.99 &&
            (best == among.size() || overlap(box, among[i]) > overlap(box, among[best])))
          best = i;
      if (best == among.size())
        ++missing;
      else
        used[best] = true;
    }
    return missing;
  };
  EXPECT_EQ(unmatched(want, got), 0U) << "of " << want.size();
  EXPECT_EQ(unmatched(got, want), 0U) << "of " << got.size();
}

TEST_F(Detector, TheSsdWithItsConfigurationFindsTheBoxesOfTensorFlow) {
  if (test::skips_without(has_models())) GTEST_SKIP() << "there are no models at " << models_ << " (set MO_SHARED)";
  for (const char* config : {"ssd_v2_support.json", "ssd_support_api_v1.15.json"})
    for (const int ir_version : {11, 10}) {
      Options o = options();
      o.ir_version = ir_version;
      o.transformations_config = config;
      o.tensorflow.object_detection_api_pipeline_config = models_ + "/tf/tf_syn_ssdlite_mbv2/pipeline.config";
      DiagnosticList diagnostics;
      const auto report = convert(o, diagnostics);
      ASSERT_TRUE(report) << text_of(report.error());
      auto graph = ir::read_ir(report->xml_path, "", test::builtins().ops(), diagnostics);
      ASSERT_TRUE(graph) << text_of(graph.error());
      std::size_t detections = 0;
      for (const Node node : (*graph)->nodes()) detections += node.is("DetectionOutput") ? 1 : 0;
      EXPECT_EQ(detections, 1U);
      EXPECT_EQ((*graph)->results().size(), 1U);
      EXPECT_EQ((*graph)->has_op("NonMaxSuppression"), false);
      const auto image = tools::read_npy(models_ + "/reference/tf_syn_ssdlite_mbv2/input_image_tensor.npy");
      ASSERT_TRUE(image) << text_of(image.error());
      ExecutorOptions execution;
      execution.kernels = tools::accelerated_kernels();
      // IR version 10 takes images channels first.
      const auto given = ir_version == 10 ? permuted(*image, order_to_channels_first(4)) : *image;
      ASSERT_TRUE(given) << text_of(given.error());
      const auto results = execute(**graph, {*given}, execution);
      ASSERT_TRUE(results) << text_of(results.error());
      expect_same(detected_boxes(results->front()), reference_boxes(models_ + "/reference/tf_syn_ssdlite_mbv2"));
    }
}

TEST_F(Detector, WithoutAConfigurationTheRightOneIsNamed) {
  if (test::skips_without(has_models())) GTEST_SKIP() << "there are no models at " << models_ << " (set MO_SHARED)";
  DiagnosticList diagnostics;
  const auto report = convert(options(), diagnostics);
  ASSERT_TRUE(report) << text_of(report.error());
  const auto advice = std::find_if(diagnostics.items.begin(), diagnostics.items.end(),
                                   [](const Diagnostic& d) { return d.code == "MO-CONFIG-0240"; });
  ASSERT_NE(advice, diagnostics.items.end());
  EXPECT_NE(advice->message.find("ssd_support_api_v1.15.json"), std::string::npos) << advice->message;
  EXPECT_NE(advice->hint_text.find("--tensorflow_object_detection_api_pipeline_config"), std::string::npos)
      << advice->hint_text;
}

TEST_F(Detector, AConfigurationForAnotherVersionReportsTheMissingPoint) {
  if (test::skips_without(has_models())) GTEST_SKIP() << "there are no models at " << models_ << " (set MO_SHARED)";
  Options o = options();
  o.transformations_config = "ssd_support.json";
  o.tensorflow.object_detection_api_pipeline_config = models_ + "/tf/tf_syn_ssdlite_mbv2/pipeline.config";
  DiagnosticList diagnostics;
  const auto report = convert(o, diagnostics);
  std::string text = report ? "" : text_of(report.error());
  for (const Diagnostic& d : diagnostics.items) text += d.format() + "\n";
  EXPECT_NE(text.find("Postprocessor/ToFloat"), std::string::npos) << text;
}

TEST_F(Detector, WithoutThePipelineConfigurationTheOptionIsNamed) {
  if (test::skips_without(has_models())) GTEST_SKIP() << "there are no models at " << models_ << " (set MO_SHARED)";
  Options o = options();
  o.transformations_config = "ssd_v2_support";
  DiagnosticList diagnostics;
  const auto report = convert(o, diagnostics);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().first().code, "MO-CONFIG-0201");
}

}  // namespace
}  // namespace mo
