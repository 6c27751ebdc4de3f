#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tests/support/builtins.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/npy.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::shared_models;
using test::text_of;

/// Models that must convert, run, and give the reference's numbers, in both IR versions.
const std::vector<std::string>& required_models() {
  static const std::vector<std::string> ids = {
      "onnx_yunet_n_320",       "onnx_yunet_s_dynamic",    "onnx_ultraface_rfb320",
      "onnx_light_person_det",  "onnx_squeezenet_fp16",    "onnx_mnist_cntk",
      "onnx_cifar_pytorch",     "onnx_iris_pytorch",       "onnx_magika_std_v3_3",
      "onnx_transformer_dummy", "onnx_transformer_notype", "onnx_t5_encoder",
      "onnx_external_data",     "onnx_selfie_seg",         "onnx_sinet",
      "onnx_sci_180",           "onnx_ppocr_cls",          "onnx_light_bvlc_alexnet",
      "onnx_light_densenet121", "onnx_light_inception_v2", "onnx_light_resnet50",
      "onnx_light_shufflenet",  "onnx_light_squeezenet",   "onnx_light_zfnet512",
      "onnx_syn_squeezenet"};
  return ids;
}

/// Largest difference in units of what is allowed: 1e-3 of the largest number, and five times what the reference engine
/// itself varies by.
double difference(const Tensor& got, const Tensor& want, double noise) {
  const auto a = to_reals(got);
  const auto b = to_reals(want);
  if (!a || !b || a->size() != b->size()) return INFINITY;
  double scale = 0;
  double worst = 0;
  for (const double v : *b) scale = std::isfinite(v) ? std::max(scale, std::abs(v)) : scale;
  const double relative = want.element_type() == ElementType::f16 ? 1e-2 : 1e-3;
  for (std::size_t i = 0; i < a->size(); ++i) {
    if ((*a)[i] == (*b)[i] || (std::isnan((*a)[i]) && std::isnan((*b)[i]))) continue;
    const double d = std::abs((*a)[i] - (*b)[i]);
    worst = std::max(worst, std::isnan(d) ? INFINITY : d / (relative * scale + 1e-7 + 5 * noise));
  }
  return worst;
}

class Models : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(Models, GiveTheNumbersOfTheReference) {
  const auto& [id, ir_version] = GetParam();
  const std::string root = shared_models();
  std::ifstream file(root + "/manifest.json");
  if (test::skips_without(static_cast<bool>(file)))
    GTEST_SKIP() << "there are no models at " << root << " (set MO_SHARED)";
  const json manifest = json::parse(file);
  const auto& models = manifest["models"];
  const auto model = std::find_if(models.begin(), models.end(), [&id = id](const json& m) { return m["id"] == id; });
  ASSERT_NE(model, models.end());
  const json& reference = (*model)["reference"];
  const double noise = model->contains("float_noise") && (*model)["float_noise"].is_object()
                           ? (*model)["float_noise"].value("max_abs_diff_ort_optimised_vs_not", 0.0)
                           : 0.0;

  const fs::path folder = fs::path(testing::TempDir()) / ("mo_models_" + id + "_" + std::to_string(ir_version));
  fs::create_directories(folder);
  Options options;
  options.input_model = root + "/" + (*model)["main_file"].get<std::string>();
  options.output_dir = folder.string();
  options.model_name = "model";
  options.ir_version = ir_version;
  if (ir_version == 10)  // old runtimes need static shapes
    for (const json& input : reference["inputs"]) {
      InputSpec spec;
      spec.text = spec.node = input["name"];
      spec.shape = PartialShape(input["shape"].get<Shape>());
      options.inputs.push_back(spec);
    }
  DiagnosticList diagnostics;
  const auto report = convert(options, diagnostics);
  ASSERT_TRUE(report) << text_of(report.error());

  auto graph = ir::read_ir(report->xml_path, "", test::builtins().ops(), diagnostics);
  ASSERT_TRUE(graph) << text_of(graph.error());
  std::vector<Tensor> inputs;
  for (const Node& parameter : (*graph)->parameters()) {
    const auto names = parameter.output().data().tensor_names();
    for (const json& input : reference["inputs"]) {
      const std::string name = input["name"];
      if (parameter.name() != name && std::find(names.begin(), names.end(), name) == names.end()) continue;
      auto tensor = tools::read_npy(root + "/" + input["file"].get<std::string>());
      ASSERT_TRUE(tensor) << text_of(tensor.error());
      inputs.push_back(*std::move(tensor));
    }
  }
  ExecutorOptions execution;
  execution.kernels = tools::accelerated_kernels();
  const auto results = execute(**graph, inputs, execution);
  ASSERT_TRUE(results) << text_of(results.error());
  const auto nodes = (*graph)->results();
  ASSERT_EQ(results->size(), reference["outputs"].size());
  std::set<std::string> compared;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const auto names = nodes[i].input(0).data().tensor_names();
    for (const json& output : reference["outputs"]) {
      if (!output.contains("file") ||
          std::find(names.begin(), names.end(), output["name"].get<std::string>()) == names.end())
        continue;
      const auto want = tools::read_npy(root + "/" + output["file"].get<std::string>());
      ASSERT_TRUE(want) << text_of(want.error());
      EXPECT_LE(difference((*results)[i], *want, noise), 1.0) << output["name"];
      compared.insert(output["name"]);
    }
  }
  for (const json& output : reference["outputs"])
    EXPECT_TRUE(!output.contains("file") || compared.contains(output["name"]))
        << "no output of the IR is called " << output["name"];
  EXPECT_FALSE(compared.empty()) << "no output has stored numbers";
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Onnx, Models, testing::Combine(testing::ValuesIn(required_models()), testing::Values(11, 10)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_v" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace mo
