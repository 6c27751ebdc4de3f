#include "tests/graph_transforms/transformed.hpp"

namespace mo::graph_transforms::testing {
namespace {

using List = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

const std::string kOfFloat = attribute("T", "type: DT_FLOAT");
const std::string kOnes = attribute("strides", "list { i: 1 i: 1 i: 1 i: 1 }") + attribute("padding", "s: 'SAME'");
constexpr std::string_view kFloatOps =
    "Add|BiasAdd|Concat|Conv2D|MatMul|Relu|Relu6|ResizeBilinear|AvgPool|MaxPool|Mul|Reshape";

List counted(int first, int last) {
  List numbers;
  for (int i = first; i <= last; ++i) numbers.push_back(static_cast<float>(i));
  return numbers;
}

/// Quantised and float results are within `tolerance`, and no layer of floats is left but what measures ranges.
Transformed expect_close(const std::string& text, const std::string& call = "quantize_nodes", float tolerance = 1) {
  Transformed result = transformed(text, call, {{}, {"y"}});
  EXPECT_EQ(result.error_code, "") << result.error_text;
  EXPECT_EQ(result.nodes_of("Add|BiasAdd|Concat|Conv2D|MatMul|Relu|Relu6|ResizeBilinear|AvgPool|MaxPool|Mul"), "");
  EXPECT_EQ(result.find("y").type(), "tf::Dequantize");
  const auto before = computed(*transformed(text, "").graph, {"y"});
  const auto after = computed(*result.graph, {"y"});
  if (!before.empty() && !after.empty()) {
    EXPECT_THAT(after.front(), Pointwise(FloatNear(tolerance), before.front()));
  }
  return result;
}

std::string product(std::int64_t m, std::int64_t n, std::int64_t k, const List& a, const List& b) {
  return constant("a", {m, k}, a) + constant("b", {k, n}, b) +
         node("y", "MatMul", "a b",
              kOfFloat + attribute("transpose_a", "b: false") + attribute("transpose_b", "b: false"));
}

TEST(QuantizeNodes, MatMul) {
  expect_close(product(1, 1, 1, {2}, {3}));
  expect_close(product(1, 2, 1, {1}, {2, 3}));
  expect_close(product(1, 1, 2, {1, 1}, {1, 1}));
  expect_close(product(1, 1, 2, {0, 0}, {1, 1}));
  expect_close(product(1, 1, 2, {1, 2}, {1, 2}));
  const Transformed result = expect_close(product(2, 4, 3, counted(1, 6), counted(7, 18)), "quantize_nodes", 2);
  EXPECT_THAT(computed(*transformed(product(2, 4, 3, counted(1, 6), counted(7, 18)), "").graph, {"y"}).front(),
              Pointwise(FloatNear(1e-3F), List{74, 80, 86, 92, 173, 188, 203, 218}));
  EXPECT_EQ(result.nodes_of("QuantizedMatMul"),
            "y/eightbit = QuantizedMatMul(y_eightbit/a/quantize, y_eightbit/b/quantize, y_eightbit/a/quantize:1, "
            "y_eightbit/a/quantize:2, "
            "y_eightbit/b/quantize:1, "
            "y_eightbit/b/quantize:2)\n");
  EXPECT_EQ(result.nodes_of("Requantize"),
            "y/eightbit/requantize = Requantize(y/eightbit, y/eightbit:1, y/eightbit:2, y/eightbit/requant_range, "
            "y/eightbit/requant_range:1)\n");
}

TEST(QuantizeNodes, Layers) {
  const std::string conv = kOfFloat + kOnes;
  expect_close(constant("x", {1, 3, 4, 1}, counted(1, 12)) + constant("w", {3, 3, 1, 1}, {1, 4, 7, 2, 5, 8, 3, 6, 9}) +
                   node("y", "Conv2D", "x w", conv),
               "quantize_nodes", 2);
  expect_close(constant("x", {1, 1, 2, 6}, counted(1, 12)) + constant("b", {6}, counted(1, 6)) +
               node("y", "BiasAdd", "x b", kOfFloat));
  const std::string image = constant("x", {1, 2, 6, 1}, counted(1, 12));
  expect_close(image + node("y", "Relu", "x", kOfFloat));
  expect_close(image + node("y", "Relu6", "x", kOfFloat));
  const std::string window = kOfFloat + kOnes + attribute("ksize", "list { i: 1 i: 2 i: 2 i: 1 }");
  expect_close(image + node("y", "AvgPool", "x", window));
  expect_close(image + node("y", "MaxPool", "x", window));
  expect_close(constant_of_integers("axis", {}, {0}) + constant("a", {2, 2, 3}, counted(1, 12)) +
               constant("b", {2, 2, 3}, counted(13, 24)) +
               node("y", "Concat", "axis a b", kOfFloat + attribute("N", "i: 2")));
  expect_close(constant("a", {2, 3}, counted(1, 6)) + constant("b", {3}, counted(1, 3)) +
               node("y", "Add", "a b", kOfFloat));
  expect_close(constant("a", {2, 3}, counted(1, 6)) + constant("b", {3}, counted(1, 3)) +
               node("y", "Mul", "a b", kOfFloat));
  expect_close(constant("a", {4, 5}, counted(1, 20)) + constant_of_integers("shape", {2}, {10, 2}) +
               node("y", "Reshape", "a shape", kOfFloat));
}

TEST(QuantizeNodes, ATensorThatIsReadTwiceIsQuantisedOnce) {
  const Transformed result = expect_close(constant("a", {3}, counted(1, 3)) + node("y", "Mul", "a a", kOfFloat));
  EXPECT_EQ(result.count("QuantizeV2"), 1U);
}

TEST(QuantizeNodes, InversePairsAreRemoved) {
  const std::string text =
      constant("x", {1, 2, 6, 1}, counted(1, 12)) + node("r", "Relu", "x", kOfFloat) +
      node("y", "MaxPool", "r", kOfFloat + kOnes + attribute("ksize", "list { i: 1 i: 2 i: 2 i: 1 }"));
  const Transformed result = expect_close(text);
  EXPECT_EQ(result.count("Dequantize"), 1U);
  EXPECT_EQ(result.nodes_of("QuantizedMaxPool"),
            "y/eightbit = QuantizedMaxPool(r/eightbit, r/eightbit:1, r/eightbit:2)\n");
  EXPECT_EQ(transformed(text + node("other", "Sqrt", "r", kOfFloat), "quantize_nodes", {{}, {"y", "other"}})
                .count("Dequantize"),
            2U);
}

TEST(QuantizeNodes, ArgumentsChooseOpsAndRanges) {
  const std::string text = constant("a", {2, 3}, counted(1, 6)) + constant("b", {3}, counted(1, 3)) +
                           node("m", "Mul", "a b", kOfFloat) + node("y", "Add", "m b", kOfFloat);
  EXPECT_EQ(transformed(text, "quantize_nodes(ignore_op=Mul)").nodes_of("Mul|Add"), "m = Mul(a, b)\n");
  EXPECT_EQ(transformed(text, "quantize_nodes(ignore_op=Mul, ignore_op=Add)").count("QuantizeV2"), 0U);
  const Transformed fallback = expect_close(text, "quantize_nodes(fallback_min=0, fallback_max=200)", 2);
  EXPECT_EQ(fallback.count("RequantizationRange"), 0U);
  EXPECT_EQ(fallback.floats("y/eightbit/fallback_max"), List{200});
  EXPECT_EQ(transformed(text, "quantize_nodes(input_min=0)").error_code, "MO-GTT-0013");
  EXPECT_EQ(transformed(text, "quantize_nodes(fallback_max=0)").error_code, "MO-GTT-0013");
}

TEST(QuantizeNodes, PlaceholdersOfFloatsTakeEightBits) {
  const std::string text = node("x", "Placeholder", "", attribute("dtype", "type: DT_FLOAT")) +
                           node("n", "Placeholder", "", attribute("dtype", "type: DT_INT32")) +
                           node("y", "Sqrt", "x", kOfFloat);
  EXPECT_EQ(transformed(text, "quantize_nodes(input_min=0, input_max=100)").nodes_of("Placeholder|Sqrt|Dequantize"),
            "x = Placeholder()\nn = Placeholder()\ny = Sqrt(x_eightbit/dequantize)\nx_eightbit/dequantize = "
            "Dequantize(x, x_eightbit/min, "
            "x_eightbit/max)\n");
}

TEST(QuantizeNodes, OtherTypesAndLayoutsStay) {
  const std::string integers =
      constant_of_integers("x", {2}, {1, 2}) + node("y", "Relu", "x", attribute("T", "type: DT_INT32"));
  EXPECT_EQ(transformed(integers, "quantize_nodes").count("Relu"), 1U);
  const std::string first = constant("x", {1, 1, 2, 2}, counted(1, 4)) +
                            node("y", "MaxPool", "x",
                                 kOfFloat + kOnes + attribute("ksize", "list { i: 1 i: 1 i: 2 i: 2 }") +
                                     attribute("data_format", "s: 'NCHW'"));
  EXPECT_EQ(transformed(first, "quantize_nodes").count("MaxPool"), 1U);
}

TEST(QuantizeNodes, TrainedRangesAreHoistedAndUsed) {
  const std::string text =
      constant("x", {1, 1, 2, 6}, counted(1, 12)) + constant("b", {6}, counted(1, 6)) + constant("min", {}, {0}) +
      constant("max", {}, {18}) + node("bias", "BiasAdd", "x b", kOfFloat) + node("relu_op", "Relu", "bias", kOfFloat) +
      node("pool", "MaxPool", "relu_op", kOfFloat + kOnes + attribute("ksize", "list { i: 1 i: 2 i: 2 i: 1 }")) +
      node("fake_quant_op", "FakeQuantWithMinMaxVars", "pool min max");
  const Transformed hoisted = transformed(text, "quantize_nodes(ignore_op=BiasAdd, ignore_op=Relu, ignore_op=MaxPool)",
                                          {{}, {"fake_quant_op"}});
  EXPECT_EQ(hoisted.nodes_of("MaxPool|Relu"),
            "relu_op = Relu(fake_quant_op_hoisted)\nfake_quant_op = MaxPool(relu_op)\n");
  const std::string direct = constant("x", {1, 1, 2, 6}, counted(1, 12)) + constant("b", {6}, counted(1, 6)) +
                             constant("min", {}, {0}) + constant("max", {}, {18}) +
                             node("bias", "BiasAdd", "x b", kOfFloat) +
                             node("y", "FakeQuantWithMinMaxVars", "bias min max");
  const Transformed result = transformed(direct, "quantize_nodes", {{}, {"y"}});
  EXPECT_EQ(result.nodes_of("FakeQuantWithMinMaxVars|BiasAdd"), "");
  EXPECT_EQ(result.nodes_of("Requantize"),
            "y_eightbit/requantize = Requantize(bias/eightbit, bias/eightbit:1, bias/eightbit:2, min, max)\n");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
