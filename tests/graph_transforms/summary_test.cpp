#include "tests/graph_transforms/transformed.hpp"
#include "tools/diff/compare.hpp"
#include "tools/inspect/summarize.hpp"
#include "tools/inspect/tensor_text.hpp"

namespace mo::graph_transforms::testing {
namespace {

std::string summary(const std::string& text, bool structure = false) {
  const auto made = tools::summary_of(*transformed(text, "").graph, "model.pb", structure);
  return made ? *made : made.error().first().format();
}

std::string typed(std::string_view type, std::string_view shape = "") {
  return attribute("dtype", "type: " + std::string(type)) +
         (shape.empty() ? "" : attribute("shape", "shape { " + std::string(shape) + " }"));
}

TEST(SummarizeGraph, PrintsInputsAndOutputs) {
  const std::string text = node("image", "Placeholder", "", typed("DT_FLOAT", "dim { size: -1 } dim { size: 299 }")) +
                           node("any", "Placeholder", "", typed("DT_QUINT8", "unknown_rank: true")) +
                           node("scalar", "Placeholder", "", typed("DT_BOOL", " ")) + node("untyped", "Placeholder") +
                           node("v", "VariableV2", "", typed("DT_FLOAT_REF", "dim { size: 2 }")) +
                           constant("c", {2, 3}, {1, 2, 3, 4, 5, 6}) + node("y", "Add", "image c ^any ^v") +
                           node("z", "NoOp", "^y") + node("w", "Relu", "c");
  EXPECT_EQ(
      summary(text),
      "Found 4 possible inputs: (name=image, type=float(1), shape=[?,299]) (name=any, type=quint8(12), "
      "shape=<unknown>) (name=scalar, "
      "type=bool(10), shape=[]) "
      "(name=untyped, type=INVALID(0), shape=None) \n"
      "Found 1 variables: (name=v, type=float_ref(101), shape=[2]) \n"
      "Found 1 possible outputs: (name=w, op=Relu) \n"
      "Found 6 (6) const parameters, 0 (0) variable parameters, and 3 control_edges\n"
      "Op types used: 4 Placeholder, 1 Add, 1 Const, 1 NoOp, 1 Relu, 1 VariableV2\n"
      "To use with tensorflow/tools/benchmark:benchmark_model try these arguments:\n"
      "bazel run tensorflow/tools/benchmark:benchmark_model -- --graph=model.pb --show_flops "
      "--input_layer=image,any,scalar,untyped,v "
      "--input_layer_type=float,quint8,bool,INVALID,float_ref --input_layer_shape=-1,299::::2 --output_layer=w\n");
}

TEST(SummarizeGraph, ReportsMissingParts) {
  EXPECT_TRUE(
      summary(node("n", "NoOp")).starts_with("No inputs spotted.\nNo variables spotted.\nNo outputs spotted.\n"));
}

TEST(SummarizeGraph, CountsDevicesAndOpsOfFunctions) {
  const std::string text =
      "node { name: 'a' op: 'Relu' device: '/b' } node { name: 'c' op: 'Relu' device: '/a' } library { function { "
      "signature { name: 'f' } node_def { "
      "name: 'n' op: 'Neg' } } }";
  const std::string made = summary(text);
  EXPECT_NE(
      made.find("1 nodes assigned to device '/a'\n1 nodes assigned to device '/b'\nOp types used: 2 Relu, 1 Neg\n"),
      std::string::npos)
      << made;
}

TEST(SummarizeGraph, ListsNodesInOrderOfExecution) {
  const std::string made =
      summary(node("y", "Add", "a:1 b ^a") + node("a", "Split", "b") + constant("b", {2, 2}, {1, 2.5F, 3, 4}), true);
  EXPECT_TRUE(
      made.ends_with("b (Const): [], value=Tensor<type: float shape: [2,2] values: [1 2.5][3...]>\na (Split): [b]\ny "
                     "(Add): [a:1, b, ^a]\n"))
      << made;
}

TEST(SummarizeGraph, NumbersAreReadable) {
  const std::pair<std::int64_t, std::string_view> rows[] = {
      {999, "999"},           {1000, "1.00k"},          {999'999, "1000.00k"},        {1'000'000, "1.00M"},
      {23'853'946, "23.85M"}, {1'999'999'999, "2.00B"}, {2'000'000'000'000, "2.00T"}, {1'000'000'000'000'000, "1E+15"}};
  for (const auto& [count, text] : rows) EXPECT_EQ(tools::readable_count(count), text);
}

TEST(TensorText, ShowsTheFirstElements) {
  EXPECT_EQ(tools::tensor_text(Tensor::vector<std::int32_t>({1, 2, 3, 4}), 3),
            "Tensor<type: int32 shape: [4] values: 1 2 3...>");
  EXPECT_EQ(tools::tensor_text(Tensor::vector<std::int32_t>({1, 2, 3}), 3),
            "Tensor<type: int32 shape: [3] values: 1 2 3>");
  EXPECT_EQ(tools::tensor_text(Tensor::scalar(0.5F), 1), "Tensor<type: float shape: [] values: 0.5>");
}

std::string compared(const std::string& a, const std::string& b) {
  return tools::first_difference(*transformed(a, "").graph, *transformed(b, "").graph).value_or("equal");
}

TEST(CompareGraphs, OrderSpellingAndPrivateAttributesDoNotCount) {
  EXPECT_EQ(compared(node("a", "Const") + node("b", "Relu", "a:0 ^c ^a", attribute("_x", "i: 1")) + node("c", "NoOp"),
                     node("c", "NoOp") + node("b", "Relu", "a ^a ^c") + node("a", "Const")),
            "equal");
}

TEST(CompareGraphs, PrintsTheFirstDifference) {
  const std::string a = node("a", "Const");
  EXPECT_EQ(compared(a, node("b", "Const")), "Did not find expected node 'a'");
  EXPECT_EQ(compared(a, a + node("b", "Const")), "Found unexpected node 'b'");
  EXPECT_EQ(compared(a, node("a", "Relu")), "Node named 'a' has op 'Relu' but expected 'Const'");
  EXPECT_EQ(compared(a, "node { name: 'a' op: 'Const' device: '/cpu:0' }"),
            "Node named 'a' has device '/cpu:0' but expected ''");
  EXPECT_EQ(compared(a + node("b", "Relu", "a"), a + node("b", "Relu")),
            "Node named 'b' has 0 inputs but expected has 1 inputs");
  EXPECT_EQ(compared(a + node("b", "Relu", "a"), a + node("b", "Relu", "a:1")),
            "Node named 'b' has input 0 'a:1' that doesn't match expected input 'a:0'");
  EXPECT_EQ(compared(a + node("c", "NoOp") + node("b", "NoOp", "^a"), a + node("c", "NoOp") + node("b", "NoOp", "^c")),
            "Node named 'b' is missing control input '^a'");
  EXPECT_EQ(compared(node("a", "Const", "", attribute("k", "i: 1")), a), "Node named 'a' is missing attr 'k'");
  EXPECT_EQ(compared(a, node("a", "Const", "", attribute("k", "i: 1"))), "Node named 'a' has unexpected attr 'k'");
  EXPECT_EQ(compared(node("a", "Const", "", attribute("k", "i: 2")), node("a", "Const", "", attribute("k", "i: 1"))),
            "Node named 'a' has attr 'k' with another value than expected");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
