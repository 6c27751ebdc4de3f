#include <gtest/gtest.h>

#include "tests/onnx_emitter/model_text.hpp"

/// Ops that are several operators in ONNX. Their numbers are judged by ONNX Runtime (tests/peers).
namespace mo::onnx_emitter {
namespace {

TEST(OnnxFamilies, FiltersOfPillowAreProductsWithConstantMatrices) {
  const std::string model = model_of(R"(graph(%x: f32[1,3,6,8]) {
    %y = Interpolate.v11(%x, [3, 4]:i64, [2, 3]:i64) {mode="bilinear_pillow", shape_calculation_mode="sizes"}
    return %y
  })",
                                     17);
  EXPECT_EQ(count_of(model, "MatMul"), 2U) << model;
  EXPECT_EQ(count_of(model, "Resize"), 0U) << model;
}

TEST(OnnxFamilies, SymmetricPadsAreGathered) {
  const std::string model = model_of(R"(graph(%x: f32[2,3]) {
    %y = Pad(%x, [1, 0]:i64, [1, 2]:i64) {pad_mode="symmetric"}
    return %y
  })",
                                     17);
  EXPECT_EQ(count_of(model, "Gather"), 2U) << model;
  EXPECT_EQ(count_of(model, "Pad"), 0U) << model;
}

TEST(OnnxFamilies, ReductionsOfScattersAreLoopsBeforeTheirOpSet) {
  const char* const graph = R"(graph(%x: f32[4], %i: i64[3], %u: f32[3]) {
    %y = ScatterElementsUpdate.v12(%x, %i, %u, 0:i64) {reduction="max"}
    return %y
  })";
  EXPECT_EQ(count_of(model_of(graph, 17), "Loop"), 1U) << model_of(graph, 17);
  EXPECT_EQ(count_of(model_of(graph, 18), "Loop"), 0U) << model_of(graph, 18);
}

TEST(OnnxFamilies, DecodersMoveKeptClassesToTheFront) {
  const std::string model = model_of(R"(graph(%x: f32[2,5,4], %l: i32[2]) {
    %c, %n = CTCGreedyDecoderSeqLen(%x, %l)
    return %c, %n
  })",
                                     13);
  EXPECT_EQ(count_of(model, "ArgMax"), 1U) << model;
  EXPECT_EQ(count_of(model, "ScatterElements"), 1U) << model;
}

TEST(OnnxFamilies, BitsAreTakenApartBeforeOpSet18) {
  const char* const graph = R"(graph(%a: i32[4], %b: i32[4]) {
    %y = BitwiseXor(%a, %b)
    return %y
  })";
  EXPECT_EQ(count_of(model_of(graph, 17), "BitwiseXor"), 0U);
  EXPECT_EQ(count_of(model_of(graph, 18), "BitwiseXor"), 1U);
}

TEST(OnnxFamilies, ReductionsAlongComputedAxesGoAxisByAxis) {
  const char* const graph = R"(graph(%x: f32[2,3,4], %a: i64[?]) {
    %y = ReduceMax(%x, %a) {keep_dims=true}
    return %y
  })";
  EXPECT_EQ(count_of(model_of(graph, 17), "ReduceMax"), 3U) << model_of(graph, 17);
  EXPECT_EQ(count_of(model_of(graph, 18), "ReduceMax"), 1U) << model_of(graph, 18);
}

TEST(OnnxFamilies, BatchedGatherOfALaterAxisCountsInBothDimensions) {
  const std::string model = model_of(R"(graph(%x: f32[2,3,4], %i: i64[2,5]) {
    %y = Gather(%x, %i, 2:i64) {batch_dims=1}
    return %y
  })",
                                     11);
  EXPECT_EQ(count_of(model, "Gather"), 2U) << model;  // the size of the axis, and the elements
  EXPECT_EQ(count_of(model, "Transpose"), 2U) << model;
}

TEST(OnnxFamilies, StateVariablesAreInputsAndOutputs) {
  const std::string model = model_of(R"(graph(%x: f32[2]) {
    %h = ReadValue([0.0, 0.0]:f32) {variable_id="h"}
    %y = Add(%x, %h) "y"
    %a = Assign(%y) {variable_id="h"}
    return %y, %a
  })",
                                     17);
  EXPECT_NE(model.find("name: \"h/next\""), std::string::npos) << model;
  // The input, its default, and where it is read.
  EXPECT_NE(model.find("input: \"h\""), std::string::npos) << model;
  const std::size_t first = model.find("name: \"h\"");
  ASSERT_NE(first, std::string::npos) << model;
  EXPECT_NE(model.find("name: \"h\"", first + 1), std::string::npos) << model;
}

TEST(OnnxFamilies, VariablesInsideOfBodiesAreRefused) {
  const std::string refused = model_of(R"(graph(%x: f32[2], %c: boolean[]) {
    %y = If(%c, %x) {then_body=graph(%a: f32[2]) { %h = ReadValue(%a) {variable_id="h"} return %h }, else_body=graph(%b: f32[2]) { %n = Negative(%b) return %n }, then_input_map=[{input=1, parameter=0}], then_output_map=[{output=0, result=0}], else_input_map=[{input=1, parameter=0}], else_output_map=[{output=0, result=0}]}
    return %y
  })",
                                       17);
  EXPECT_NE(refused.find("a state variable inside of a body"), std::string::npos) << refused;
}

TEST(OnnxFamilies, ConstantsOfFourBitsAreBytesBeforeOpSet21) {
  const char* const graph = R"(graph(%x: f32[2]) {
    %w = Convert([1, -2]:i4) {destination_type=f32}
    %y = Add(%x, %w)
    return %y
  })";
  EXPECT_NE(model_of(graph, 17).find("data_type: 3"), std::string::npos) << model_of(graph, 17);
  EXPECT_NE(model_of(graph, 21).find("data_type: 22"), std::string::npos) << model_of(graph, 21);
}

TEST(OnnxFamilies, PriorBoxesOfKnownSizesAreAConstant) {
  const char* const known = R"(graph() {
    %y = PriorBox([2, 2]:i64, [32, 32]:i64) {min_size=[8.0], scale_all_sizes=true}
    return %y
  })";
  EXPECT_EQ(count_of(model_of(known, 17), "Range"), 0U) << model_of(known, 17);
  const char* const computed = R"(graph(%m: i64[2], %i: i64[2]) {
    %y = PriorBox(%m, %i) {min_size=[8.0], scale_all_sizes=true}
    return %y
  })";
  EXPECT_EQ(count_of(model_of(computed, 17), "Range"), 2U) << model_of(computed, 17);
}

TEST(ShapesAsOnnx, RangeOfComputedIntegersIsOfTheTypeThatSizesHave) {
  // ONNX Runtime follows sizes as i64 behind a Cast, and wants one type.
  const std::string computed = "graph(%n: i32[]) {\n %1 = Range(0:i32, %n, 1:i32) {output_type=i32}\n return %1\n}\n";
  EXPECT_EQ(count_of(model_of(computed, 17), "Cast"), 2U) << model_of(computed, 17);
  const std::string known = "graph(%n: i64[]) {\n %1 = Range(0:i64, %n, 1:i64) {output_type=i64}\n return %1\n}\n";
  EXPECT_EQ(count_of(model_of(known, 17), "Cast"), 0U) << model_of(known, 17);
}

// Runtimes take FP16 IRs with f32 slopes and priors; operators of ONNX want one type.
TEST(OnnxFamilies, SlopesAndPriorsOfAnotherTypeGetThatOfTheData) {
  const std::string slopes = model_of(R"(graph(%x: f16[1,2,3,3]) {
    %y = PReLU(%x, [0.5, 0.25]:f32)
    return %y
  })",
                                      17);
  EXPECT_EQ(count_of(slopes, "PRelu"), 1U) << slopes;
  EXPECT_EQ(count_of(slopes, "Cast"), 1U) << slopes;
  const std::string detections = model_of(R"(graph(%b: f16[1,4], %s: f16[1,2], %p: f32[1,2,4]) {
    %y = DetectionOutput.v8(%b, %s, %p) {keep_top_k=[1], normalized=true}
    return %y
  })",
                                          17);
  EXPECT_EQ(count_of(detections, "NonMaxSuppression"), 1U) << detections;
}

TEST(OnnxFamilies, SoftSuppressionIsALoop) {
  const char* const graph = R"(graph(%b: f32[1,6,4], %s: f32[1,2,6]) {
    %i, %p, %n = NonMaxSuppression(%b, %s, 3:i64, 0.5:f32, 0.1:f32, 0.5:f32)
    return %i
  })";
  EXPECT_EQ(count_of(model_of(graph, 17), "Loop"), 1U) << model_of(graph, 17);
  EXPECT_EQ(count_of(model_of(graph, 17), "NonMaxSuppression"), 0U) << model_of(graph, 17);
}

}  // namespace
}  // namespace mo::onnx_emitter
