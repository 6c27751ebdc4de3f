#include "phases/middle/preprocessing.hpp"

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

constexpr std::string_view kTwoInputs = R"(graph(%x: f32[1,3,1,2] "x", %n: i64[2] "n") { %y = ReLU(%x) %z = Abs(%n) return %y, %z })";

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
  const auto code = [](PreprocessingRequest request) { return run(preprocessing(std::move(request)), *parse(kTwoInputs, true)).code; };
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

}  // namespace
}  // namespace mo::phases
