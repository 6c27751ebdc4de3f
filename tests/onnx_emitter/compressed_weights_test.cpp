#include <gtest/gtest.h>

#include "tests/onnx_emitter/model_text.hpp"

/// Weights of 4 and 8 bits stay what they are, behind a DequantizeLinear.
namespace mo::onnx_emitter {
namespace {

/// A product with 2 x 4 weights of a type: (weights - zero_point) * scale.
std::string product_with(const std::string& type, const std::string& zero_point, const std::string& scale,
                         std::int64_t opset) {
  const std::string subtract = zero_point.empty() ? "" : "%s = Subtract(%c, " + zero_point + ")\n";
  const std::string factor = zero_point.empty() ? "%c" : "%s";
  return model_of("graph(%x: f32[1,4]) {\n%c = Convert([[1, 2, 3, 4], [5, 6, 7, 0]]:" + type +
                      ") {destination_type=f32}\n" + subtract + "%w = Multiply(" + factor + ", " + scale +
                      ")\n%y = MatMul(%x, %w) {transpose_b=true}\nreturn %y\n}",
                  opset);
}

bool is_dequantized(const std::string& model) {
  return has(model, "\"DequantizeLinear\"") && !has(model, "\"Cast\"") && !has(model, "\"Mul\"") &&
         !has(model, "\"Sub\"");
}

TEST(CompressedWeights, OneScaleIsKnownToAllOpSets) {
  const std::string model = product_with("i8", "", "0.5:f32", 11);
  EXPECT_TRUE(is_dequantized(model)) << model;
  EXPECT_FALSE(has(model, "name: \"axis\"")) << model;
}

TEST(CompressedWeights, ScalesOfRowsHaveAnAxisSinceOpSet13) {
  const std::string model = product_with("u8", "[[3], [128]]:f32", "[[0.5], [2]]:f32", 13);
  EXPECT_TRUE(is_dequantized(model)) << model;
  EXPECT_TRUE(has(model, "name: \"axis\"")) << model;
  EXPECT_FALSE(is_dequantized(product_with("u8", "[[3], [128]]:f32", "[[0.5], [2]]:f32", 12)));
}

TEST(CompressedWeights, AZeroPointThatTheTypeLacksIsSubtracted) {
  for (const char* const zero_point : {"0.5:f32", "-1:f32", "256:f32"}) {
    const std::string model = product_with("u8", zero_point, "0.5:f32", 17);
    EXPECT_FALSE(has(model, "\"DequantizeLinear\"")) << model;
    EXPECT_TRUE(has(model, "\"Sub\"")) << model;
  }
}

TEST(CompressedWeights, FourBitsAreBytesBeforeOpSet21) {
  const std::string bytes = product_with("i4", "", "[[0.5], [2]]:f32", 17);
  EXPECT_TRUE(is_dequantized(bytes)) << bytes;
  EXPECT_TRUE(has(bytes, "data_type: 3")) << bytes;  // INT8
  const std::string bits = product_with("i4", "", "[[0.5], [2]]:f32", 21);
  EXPECT_TRUE(is_dequantized(bits)) << bits;
  EXPECT_TRUE(has(bits, "data_type: 22")) << bits;  // INT4
}

TEST(CompressedWeights, GroupsAreBlocksSinceOpSet21) {
  const char* const grouped = R"(graph(%x: f32[1,4]) {
    %c = Convert([[[1, 2], [3, 4]], [[5, 6], [7, 0]]]:u4) {destination_type=f32}
    %s = Subtract(%c, 8:f32)
    %w = Multiply([[[0.5], [1]], [[2], [4]]]:f32, %s)
    %r = Reshape(%w, [2, 4]:i64)
    %y = MatMul(%x, %r) {transpose_b=true}
    return %y
  })";
  const std::string blocks = model_of(grouped, 21);
  EXPECT_TRUE(is_dequantized(blocks)) << blocks;
  EXPECT_TRUE(has(blocks, "name: \"block_size\"")) << blocks;
  EXPECT_FALSE(has(model_of(grouped, 17), "\"DequantizeLinear\""));
}

TEST(CompressedWeights, ScalesOfSingleElementsAreMultiplied) {
  const std::string model = product_with("i8", "", "[[1, 2, 3, 4], [5, 6, 7, 8]]:f32", 21);
  EXPECT_TRUE(has(model, "\"Mul\"")) << model;
}

}  // namespace
}  // namespace mo::onnx_emitter
