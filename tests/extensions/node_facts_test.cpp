// What passes decide by facts of nodes that graphs in text form do not show: the framework that a node comes from, its
// runtime information.
#include "core/graph/origin.hpp"
#include "ops/interpolate.hpp"
#include "tests/extensions/detector_fixture.hpp"
#include "tests/phases/support.hpp"

namespace mo {
namespace {

bool rounds(const Origin& origin) {
  const auto graph = test::parse(R"(graph(%x: f32[1,4]) {
    %y = Interpolate.v11(%x, [1, 0.6]:f32) {mode="linear_onnx", shape_calculation_mode="scales", coordinate_transformation_mode="align_corners"}
    return %y
  })",
                                 true);
  graph->results()[0].input(0).node().set_origin(origin);
  const test::PassResult done = test::run(*test::find_pass("ResizeRounding"), *graph);
  EXPECT_EQ(done.code, "");
  EXPECT_EQ(done.changed, !graph->results()[0].input(0).node().is<ops::v11::Interpolate>());
  return done.changed;
}

TEST(FrameworkDecisions, OnlyOnnxComputesCoordinatesFromTheLengthBeforeItIsRounded) {
  EXPECT_TRUE(rounds({.framework = "ONNX", .op = "Resize", .version = 13}));
  EXPECT_TRUE(rounds({.framework = "ONNX", .op = "Upsample", .version = 9, .derived = true}))
      << "made of a node of ONNX";
  EXPECT_FALSE(rounds({.framework = "TensorFlow", .op = "ResizeBilinear"}));
  EXPECT_FALSE(rounds({.framework = "Caffe", .op = "Interp"}));
  EXPECT_TRUE(rounds({})) << "a graph in text form is taken for one of ONNX";
}

TEST(RuntimeInformation, AMarkedConvertStaysAlthoughItChangesNothing) {
  for (const char* pass : {"EliminateNop", "SameTypeConvertElimination"})
    for (const bool says_something : {false, true}) {
      const auto graph =
          test::parse("graph(%x: f32[2]) { %c = Convert(%x) {destination_type=f32} %y = ReLU(%c) return %y }", true);
      if (says_something) graph->results()[0].input(0).node().input(0).node().set_rt_info("precise");
      const test::PassResult done = test::run(*test::find_pass(pass), *graph);
      EXPECT_EQ(done.code, "");
      EXPECT_EQ(done.changed, !says_something) << pass;
    }
}

}  // namespace
}  // namespace mo
