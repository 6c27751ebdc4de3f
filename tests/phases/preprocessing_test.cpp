#include "phases/middle/preprocessing.hpp"

#include <fmt/format.h>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

constexpr std::string_view kTwoInputs =
    R"(graph(%x: f32[1,3,1,2] "x", %n: i64[2] "n") { %y = ReLU(%x) %z = Abs(%n) return %y, %z })";

std::vector<double> result(const Graph& graph, std::vector<float> x) {
  const auto results = execute(graph, {Tensor::of<float>({1, 3, 1, 2}, x), Tensor::vector<std::int64_t>({1, 2})});
  EXPECT_TRUE(results) << (results ? "" : results.error().first().format());
  return results ? *to_reals((*results)[0]) : std::vector<double>();
}

TEST(Preprocessing, ReversesThenSubtractsThenDivides) {
  const auto graph = parse(kTwoInputs, true);
  PreprocessingRequest request;
  request.mean = {{{}, {1, 2, 3}}};
  request.scale = {{"x", {1, 2, 4}}};
  request.reverse_channels = true;
  ASSERT_EQ(run(preprocessing(request), *graph).code, "");
  // Channels (1, 10, 100) are seen as (100, 10, 1): minus (1, 2, 3), divided by (1, 2, 4), then ReLU.
  EXPECT_EQ(result(*graph, {1, 1, 10, 10, 100, 100}), (std::vector<double>{99, 99, 4, 4, 0, 0}));
}

TEST(Preprocessing, OneDivisorForAllRealInputs) {
  const auto graph = parse(kTwoInputs, true);
  PreprocessingRequest request;
  request.scale_all = 2;
  ASSERT_EQ(run(preprocessing(request), *graph).code, "");
  EXPECT_EQ(result(*graph, {2, 2, 4, 4, 6, 6}), (std::vector<double>{1, 1, 2, 2, 3, 3}));
}

TEST(Preprocessing, ErrorsNameTheOptionAndTheInput) {
  const auto code = [](PreprocessingRequest request) {
    return run(preprocessing(std::move(request)), *parse(kTwoInputs, true)).code;
  };
  EXPECT_EQ(code({.mean = {{"y", {1}}}}), "MO-PRE-0001");
  EXPECT_EQ(code({.mean = {{"x", {1, 2, 3, 4}}}}), "MO-PRE-0002");
  EXPECT_EQ(code({.scale = {{"n", {2}}}}), "MO-PRE-0003");
  EXPECT_EQ(code({.scale = {{"x", {1, 0, 1}}}}), "MO-PRE-0004");
  EXPECT_EQ(code({.mean = {{{}, {1}}, {{}, {}}, {{}, {1}}}}), "MO-PRE-0005");
}

TEST(Preprocessing, NothingToReverseIsAWarning) {
  const auto graph = parse("graph(%x: f32[1,4,2,2]) { %y = ReLU(%x) return %y }", true);
  const auto done = run(preprocessing({.reverse_channels = true}), *graph);
  ASSERT_EQ(done.diagnostics.size(), 1U);
  EXPECT_EQ(done.diagnostics.front().code, "MO-PRE-0006");
}

TEST(Preprocessing, AnInputOfUnknownChannelsIsNotReversed) {
  const auto graph = parse("graph(%x: f32[1,?,2,2]) { %y = ReLU(%x) return %y }", true);
  const auto done = run(preprocessing({.reverse_channels = true}), *graph);
  ASSERT_EQ(done.diagnostics.size(), 1U);
  EXPECT_EQ(done.diagnostics.front().code, "MO-PRE-0006");
}

TEST(Preprocessing, NamesItsInputAndKeepsShapes) {
  const auto graph = parse(R"(graph(%x: f32[1,3,1,2] "x") { %y = ReLU(%x) %s = ShapeOf(%x) return %y, %s })", true);
  PreprocessingRequest request;
  request.mean = {{{}, {1, 2, 3}}};
  ASSERT_EQ(run(preprocessing(request), *graph).code, "");
  const Node relu = graph->results()[0].input(0).node();
  const Node sum = relu.input(0).node();
  EXPECT_EQ(sum.type(), "Add");
  EXPECT_EQ(sum.sources(), std::vector<std::string_view>{"x"}) << "what was added is found under the name of the input";
  EXPECT_TRUE(graph->results()[1].input(0).node().input(0).node().is<Parameter>()) << "the shape is that of the input";
}

TEST(Preprocessing, ChannelsOfAChannelsLastModelAreTheLastDimension) {
  // Height and channels are both 3: what the convolution says decides.
  const auto graph = parse(R"(graph(%x: f32[1,3,1,3] "x") {
      %y = Convolution(%x, splat(1):f32[1,3,1,1]) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], layout="channels_last"}
      return %y })",
                           true);
  ASSERT_TRUE(graph);
  PreprocessingRequest request;
  request.mean = {{{}, {1, 2, 3}}};
  ASSERT_EQ(run(preprocessing(request), *graph).code, "");
  const Node sum = graph->results()[0].input(0).node().input(0).node();
  EXPECT_EQ(sum.input_type(1).to_string(), "f32[1,1,1,3]");
}

std::vector<double> part_of_mean(std::string_view input, bool reversed) {
  const auto graph = parse(fmt::format("graph(%x: {}) {{ return %x }}", input), true);
  const MeanImage mean{Tensor::of<float>({2, 4, 1}, std::vector<float>{0, 1, 2, 3, 10, 11, 12, 13}), {}};
  const auto part = negated_part(mean, graph->parameters()[0], reversed);
  EXPECT_TRUE(part) << (part ? "" : part.error().first().format());
  return part ? *to_reals(*part) : std::vector<double>();
}

TEST(MeanImage, ItsMiddleIsRoundedDownAndItsChannelsAreThoseOfTheInput) {
  EXPECT_EQ(part_of_mean("f32[1,2,2,1]", false), (std::vector<double>{-1, -2, -11, -12}));
  EXPECT_EQ(part_of_mean("f32[1,2,3,1]", false), (std::vector<double>{-0.0, -1, -2, -10, -11, -12}));
  EXPECT_EQ(part_of_mean("f32[1,2,2,1]", true), (std::vector<double>{-11, -12, -1, -2}));
}

}  // namespace
}  // namespace mo::phases
