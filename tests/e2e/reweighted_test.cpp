#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "frontends/onnx/reader.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tools/common/accelerated.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

std::string model_path(const std::string& id) {
  const fs::path folder = test::shared_models() + "/onnx/" + id;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent))
    if (entry.path().extension() == ".onnx") return entry.path().string();
  return {};
}

/// Noise from a seed, the same on every machine.
class Noise {
 public:
  double next() {
    return static_cast<double>((state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL) >> 40) / 16777216.0;
  }

 private:
  std::uint64_t state_ = 42;
};

/// Vectors are statistics and biases: 0.5 to 1.5, so that variances are positive. Weights: around 0, as small as keeps
/// the signal's size.
Tensor random_weights(const Shape& shape, Noise& noise) {
  std::int64_t fan_in = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) fan_in *= shape[i];
  std::vector<float> values(static_cast<std::size_t>(*element_count(shape)));
  for (float& v : values) {
    const double u = noise.next();
    v = static_cast<float>(shape.size() < 2 ? 0.5 + u : (2 * u - 1) * std::sqrt(3.0 / static_cast<double>(fan_in)));
  }
  return Tensor::of<float>(shape, values);
}

/// These models make all their weights with ConstantOfShape: real weights instead give them real outputs.
void reweight(Graph& graph) {
  Noise noise;
  for (const Node node : graph.nodes()) {
    if (!node.is("onnx::ConstantOfShape")) continue;
    const auto* shape = node.input(0).node().as<Const>();
    ASSERT_NE(shape, nullptr) << node.name();
    const Node weights = graph.create_constant(random_weights(*to_integers(shape->value), noise), node.name());
    ASSERT_TRUE(node.output().get_connection().set_source(weights.output()));
  }
}

Expected<std::vector<Tensor>> run(Graph& graph, std::initializer_list<Phase> phases, const std::vector<Tensor>& inputs,
                                  int ir_version, unsigned shuffle_ties = 0) {
  Registry registry;
  register_builtins(registry, "onnx");
  Options options;
  options.ir_version = ir_version;
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(registry, "onnx", options));
  manager->shuffle_ties = shuffle_ties;
  const Settings settings = settings_of(options);
  DiagnosticList sink;
  PassContext context{sink, settings, &manager->config};
  for (const Phase phase : phases) MO_TRY(manager->run(phase, graph, context));
  ExecutorOptions execution;
  execution.kernels = tools::accelerated_kernels();
  return execute(graph, inputs, execution);
}

class Reweighted : public testing::TestWithParam<std::string> {};

TEST_P(Reweighted, AllPassesTogetherKeepTheNumbers) {
  const std::string path = model_path(GetParam());
  if (test::skips_without(!path.empty())) GTEST_SKIP() << "there is no model " << GetParam() << " (set MO_SHARED)";
  DiagnosticList sink;
  auto read = onnx::read_model(path, sink);
  ASSERT_TRUE(read);
  Graph& plain = **read;
  reweight(plain);
  const std::unique_ptr<Graph> optimised = plain.clone();
  Noise noise;
  std::vector<float> image(static_cast<std::size_t>(3 * 224 * 224));
  for (float& v : image) v = static_cast<float>(2 * noise.next() - 1);
  const std::vector<Tensor> inputs = {Tensor::of<float>({1, 3, 224, 224}, image)};

  const auto want = run(plain, {Phase::extraction, Phase::front, Phase::inference}, inputs, 11);
  ASSERT_TRUE(want) << want.error().first().format();
  const auto got =
      run(*optimised, {Phase::extraction, Phase::front, Phase::inference, Phase::middle, Phase::back, Phase::finish},
          inputs, 10);
  ASSERT_TRUE(got) << got.error().first().format();
  ASSERT_EQ(want->size(), got->size());
  const auto difference = difference_of((*got)[0], (*want)[0], {.relative = 1e-3, .scale = Scale::largest});
  ASSERT_TRUE(difference) << difference.error().first().format();
  const TensorStatistics& numbers = difference->expected;
  ASSERT_EQ(numbers.nans + numbers.infinities, 0);
  EXPECT_GT(numbers.most - numbers.least, 2e-6 * numbers.largest()) << "a constant output proves nothing";
  EXPECT_TRUE(difference->close()) << difference->to_string();
}

TEST_P(Reweighted, AnyAllowedOrderOfPassesGivesTheSame) {
  const std::string path = model_path(GetParam());
  if (test::skips_without(!path.empty())) GTEST_SKIP() << "there is no model " << GetParam() << " (set MO_SHARED)";
  DiagnosticList sink;
  auto read = onnx::read_model(path, sink);
  ASSERT_TRUE(read);
  reweight(**read);
  const std::vector<Tensor> inputs = {*Tensor::allocate(ElementType::f32, {1, 3, 224, 224})};
  Tensor first;
  for (const unsigned seed : {0U, 1U, 2U}) {
    const std::unique_ptr<Graph> graph = (*read)->clone();
    const auto got =
        run(*graph, {Phase::extraction, Phase::front, Phase::inference, Phase::middle, Phase::back, Phase::finish},
            inputs, 11, seed);
    ASSERT_TRUE(got) << "seed " << seed << ": " << got.error().first().format();
    if (first.empty()) first = (*got)[0];
    const auto difference = difference_of((*got)[0], first, {.relative = 1e-4, .absolute = 1e-7});
    ASSERT_TRUE(difference && difference->close()) << "seed " << seed << ": " << difference->to_string();
  }
}

INSTANTIATE_TEST_SUITE_P(Light, Reweighted,
                         testing::Values("onnx_light_bvlc_alexnet", "onnx_light_densenet121", "onnx_light_inception_v2",
                                         "onnx_light_resnet50", "onnx_light_shufflenet", "onnx_light_squeezenet",
                                         "onnx_light_zfnet512"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mo
