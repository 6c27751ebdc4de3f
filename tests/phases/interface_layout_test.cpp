#include "phases/middle/interface_layout.hpp"

#include <fmt/format.h>

#include "core/execution/executor.hpp"
#include "core/graph/tensor_layout.hpp"
#include "core/tensor/convert.hpp"
#include "phases/middle/channel_axis.hpp"
#include "phases/middle/layout/layout_change.hpp"
#include "phases/middle/preprocessing.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

/// "nhw", "n.c": a letter for each dimension; '?' has no name, '.' is "...".
Layout layout(std::string_view text) {
  std::vector<std::string> names;
  std::optional<std::size_t> gap;
  for (const char c : text) {
    if (c == '.')
      gap = names.size();
    else
      names.emplace_back(c == '?' ? "" : std::string(1, c));
  }
  return Layout(std::move(names), gap);
}

std::string order(std::string_view from, std::string_view to, std::size_t rank = 4) {
  const auto found = order_between(layout(from).names(rank), layout(to).names(rank));
  std::string text;
  if (found)
    for (const std::int64_t place : *found) text += std::to_string(place);
  return text;
}

TEST(Layout, IsWrittenInUpperCaseWithItsGap) {
  EXPECT_EQ(layout("nh?c").to_string(), "[N,H,?,C]");
  EXPECT_EQ(layout("n.c").to_string(), "[N,...,C]");
  EXPECT_EQ(Layout({"batch", "Channels", "my_dim"}).to_string(), "[N,C,MY_DIM]");
  EXPECT_EQ(Layout().to_string(), "**SCALAR**");
  EXPECT_EQ(layout("n.c").axis("C", 5), 4U);
  EXPECT_EQ(layout("n.c").axis("C", 1), std::nullopt);
  EXPECT_EQ(layout("nhwc").axis("D", 4), std::nullopt);
}

TEST(Layout, DimensionsGoByNameAndTheOthersInOrder) {
  EXPECT_EQ(order("nhwc", "nchw"), "0312");
  EXPECT_EQ(order("nchw", "nhwc"), "0231");
  EXPECT_EQ(order("n.c", "nc."), "0312");
  EXPECT_EQ(order("nhwc", "?c??"), "0312");
  EXPECT_EQ(order("?c??", "nhwc"), "0231");
  EXPECT_EQ(order("nhwc", "nhwc"), "0123");
  EXPECT_EQ(order("nhwc", "nhwd"), "") << "D is nowhere in the source";
}

constexpr std::string_view kImage = R"(graph(%x: f32[1,2,1,3] "x") { %y = Abs(%x) "y" @["y:0"] return %y })";

std::string changed(std::string_view text, std::vector<LayoutRequest> requests) {
  const auto graph = parse(text, true);
  return run(preprocessing({.layouts = std::move(requests)}), *graph).code;
}

TEST(InterfaceLayout, ATargetMovesTheInputAndComputesTheSame) {
  const auto graph = parse(kImage, true);
  ASSERT_EQ(run(preprocessing({.mean = {{{}, {1, 2, 3}}},
                               .reverse_channels = true,
                               .layouts = {{"x", layout("nhwc"), layout("nchw")}}}),
                *graph)
                .code,
            "");
  const Node x = graph->parameters()[0];
  EXPECT_EQ(x.output_type().to_string(), "f32[1,3,2,1]");
  EXPECT_EQ(x.name(), "x");
  EXPECT_EQ(tensor_layout(x), "[N,C,H,W]");
  EXPECT_TRUE(has_chosen_layout(x));
  const auto results = execute(*graph, {Tensor::of<float>({1, 3, 2, 1}, std::vector<float>{10, 20, 30, 40, 50, 60})});
  ASSERT_TRUE(results);
  EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{49, 28, 7, 59, 38, 17}))
      << "pixel by pixel: channels reversed, minus 1, 2, 3";
}

TEST(InterfaceLayout, ATargetWithoutDimensionsOfSizeOneAddsThem) {
  const auto graph = parse(kImage, true);
  ASSERT_EQ(run(preprocessing({.layouts = {{"x", layout("nhwc"), layout("chw")}}}), *graph).code, "");
  EXPECT_EQ(graph->parameters()[0].output_type().to_string(), "f32[3,2,1]");
  const auto results = execute(*graph, {Tensor::of<float>({3, 2, 1}, std::vector<float>{1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(results);
  EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(changed(kImage, {{"x", layout("nhwc"), layout("nhw")}}), "MO-PRE-0010") << "there are three channels";
  EXPECT_EQ(changed(kImage, {{"x", layout("nhwc"), layout("hw")}}), "MO-PRE-0010");
}

TEST(InterfaceLayout, ATargetMovesTheOutputWithItsNames) {
  const auto graph = parse(kImage, true);
  ASSERT_EQ(run(preprocessing({.layouts = {{"y", layout("nhwc"), layout("nchw")}}}), *graph).code, "");
  const Value output = graph->results()[0].input(0);
  EXPECT_EQ(output.type().to_string(), "f32[1,3,2,1]");
  EXPECT_EQ(output.node().name(), "y");
  EXPECT_EQ(output.data().first_tensor_name(), "y:0");
  EXPECT_EQ(tensor_layout(graph->results()[0]), "[N,C,H,W]");
}

TEST(InterfaceLayout, ASingleLayoutOnlyDeclaresTheCurrentOne) {
  for (const LayoutRequest& request :
       {LayoutRequest{"x", layout("nhwc"), {}}, LayoutRequest{"x", {}, layout("nhwc")}}) {
    const auto graph = parse(kImage, true);
    ASSERT_EQ(run(preprocessing({.layouts = {request}}), *graph).code, "");
    EXPECT_EQ(graph->parameters()[0].output_type().to_string(), "f32[1,2,1,3]");
    EXPECT_EQ(tensor_layout(graph->parameters()[0]), "[N,H,W,C]");
    EXPECT_FALSE(has_chosen_layout(graph->parameters()[0]));
  }
}

TEST(InterfaceLayout, SourceAndTargetMayComeFromTwoRequests) {
  const auto graph = parse(kImage, true);
  ASSERT_EQ(run(preprocessing({.layouts = {{"x", layout("nhwc"), {}}, {"x", {}, layout("nchw")}}}), *graph).code, "");
  EXPECT_EQ(graph->parameters()[0].output_type().to_string(), "f32[1,3,2,1]");
}

TEST(InterfaceLayout, ErrorsNameTheMismatch) {
  EXPECT_EQ(changed(kImage, {{"z", layout("nhwc"), {}}}), "MO-PRE-0001");
  EXPECT_EQ(changed(kImage, {{"x", layout("nhw"), {}}}), "MO-PRE-0010");
  EXPECT_EQ(changed(kImage, {{"y", layout("nhwc"), {}}, {"y:0", layout("nchw"), {}}}), "MO-PRE-0010");
  EXPECT_EQ(changed(kImage, {{"x", layout("nhwc"), layout("nhwd")}}), "MO-PRE-0012");
  EXPECT_EQ(changed(kImage, {{"y", layout("nhwc"), layout("hwc")}}), "MO-PRE-0010");
  EXPECT_EQ(changed("graph(%x: f32[...]) { %y = Abs(%x) return %y }", {{{}, layout("nhwc"), layout("nchw")}}),
            "MO-PRE-0010");
  constexpr std::string_view kTwo = "graph(%x: f32[1,3], %z: f32[2]) { return %x, %z }";
  EXPECT_EQ(changed(kTwo, {{{}, layout("nc"), {}}}), "MO-PRE-0011");
  EXPECT_EQ(changed(kTwo, {{{}, layout("nc"), {}}, {{}, layout("c"), {}}}), "");
}

TEST(InterfaceLayout, AChosenLayoutIsNotChangedForTheRuntime) {
  for (const int version : {10, 11}) {
    const auto graph = parse(R"(graph(%x: f32[1,4,4,2] "x") {
      %p = MaxPool.v1(%x) {kernel=[2, 2], strides=[2, 2], layout="channels_last"} "p"
      return %p })",
                             true);
    ASSERT_EQ(
        run(preprocessing({.layouts = {{"x", layout("nhwc"), layout("nchw")}, {"p", layout("nhwc"), layout("nchw")}}}),
            *graph)
            .code,
        "");
    ASSERT_EQ(run(layout_change(), *graph, {.ir_version = version}).code, "");
    EXPECT_EQ(graph->parameters()[0].output_type().to_string(), "f32[1,2,4,4]");
    EXPECT_EQ(graph->results()[0].input_type(0).to_string(), "f32[1,2,2,2]");
    EXPECT_EQ(graph->results()[0].input(0).node().type(), "MaxPool") << "the Transposes have cancelled each other";
    EXPECT_FALSE(graph->parameters()[0].rt_info()->find("old_api_map_order"));
  }
}

std::string channels(std::string_view text, std::size_t count = 3, bool channels_first = false) {
  const auto graph = parse(text, true);
  const auto axis = ChannelFinder(*graph, channels_first).find(graph->parameters()[0], count);
  return axis ? std::to_string(*axis) : axis.error().first().code;
}

constexpr std::string_view kConvolution =
    "splat(1):f32[1,3,1,1]) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0]} return %y }";

TEST(ChannelFinder, FollowsTheReadersOfTheInput) {
  EXPECT_EQ(channels(fmt::format("graph(%x: f32[?,?,?,?]) {{ %a = Abs(%x) %y = Convolution(%a, {}", kConvolution)),
            "1");
  EXPECT_EQ(
      channels(fmt::format("graph(%x: f32[1,?,?,3]) {{ %t = Transpose(%x, [0, 3, 1, 2]:i64) %y = Convolution(%t, {}",
                           kConvolution)),
      "3");
  EXPECT_EQ(
      channels(fmt::format("graph(%x: f32[1,3,4,3]) {{ %t = Transpose(%x, [0, 3, 1, 2]:i64) %y = Convolution(%t, {}",
                           kConvolution)),
      "3");
  EXPECT_EQ(channels(fmt::format("graph(%x: f32[1,3,4,3]) {{ %y = Convolution(%x, {}", kConvolution), 4),
            "MO-PRE-0002");
}

TEST(ChannelFinder, UsesSizesWhereTheLayoutIsUnknown) {
  const auto of = [](std::string_view shape, bool channels_first = false) {
    return channels(fmt::format("graph(%x: f32[{}]) {{ %y = Abs(%x) return %y }}", shape), 3, channels_first);
  };
  EXPECT_EQ(of("1,?,?,3"), "3") << "the height may be 3, the last dimension is";
  EXPECT_EQ(of("1,3,?,?"), "1");
  EXPECT_EQ(of("1,?,2,2"), "1");
  EXPECT_EQ(of("3,8,8"), "0");
  EXPECT_EQ(of("?,3"), "1");
  EXPECT_EQ(of("1,3,8,3"), "MO-PRE-0013");
  EXPECT_EQ(of("?,?,?,?"), "MO-PRE-0013");
  EXPECT_EQ(of("..."), "MO-PRE-0013");
  EXPECT_EQ(of("1,3,8,3", true), "1");
  EXPECT_EQ(of("1,4,8,4"), "MO-PRE-0002");
  EXPECT_EQ(of("3"), "MO-PRE-0002");
}

TEST(ChannelFinder, TheLayoutOfTheModelDecidesForUnknownInputs) {
  EXPECT_EQ(channels(R"(graph(%x: f32[1,?,?,?], %z: f32[1,4,4,2]) {
      %y = Abs(%x)
      %p = MaxPool.v1(%z) {kernel=[2, 2], strides=[2, 2], layout="channels_last"}
      return %y, %p })"),
            "3");
}

TEST(ChannelFinder, TheUsersLayoutComesFirst) {
  const auto graph = parse("graph(%x: f32[1,3,8,3]) { %y = Abs(%x) return %y }", true);
  ASSERT_EQ(run(preprocessing({.mean = {{{}, {1, 2, 3}}}, .layouts = {{{}, layout("n.c"), {}}}}), *graph).code, "");
  EXPECT_EQ(graph->results()[0].input(0).node().input(0).node().input_type(1).to_string(), "f32[1,1,1,3]");
  const auto other = parse("graph(%x: f32[1,3,8,4]) { %y = Abs(%x) return %y }", true);
  EXPECT_EQ(run(preprocessing({.mean = {{{}, {1, 2, 3}}}, .layouts = {{{}, layout("nhwc"), {}}}}), *other).code,
            "MO-PRE-0002");
}

TEST(InterfaceLayout, ChannelsOfUnknownNumberAreReversedAsManyAsThereAre) {
  const auto graph = parse("graph(%x: f32[1,?]) { %y = Abs(%x) return %y }", true);
  ASSERT_EQ(
      run(preprocessing({.reverse_channels = true, .layouts = {{{}, layout("nc"), {}}}}), *graph).diagnostics.size(),
      0U);
  const auto results = execute(*graph, {Tensor::of<float>({1, 4}, std::vector<float>{1, 2, 3, 4})});
  ASSERT_TRUE(results);
  EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{4, 3, 2, 1}));
}

}  // namespace
}  // namespace mo::phases
