#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::tensorflow::testing {
namespace {

/// A function `name(a) -> r` whose nodes are `nodes` and whose result is `returned`.
std::string function(std::string_view name, std::string_view nodes, std::string_view returned) {
  std::string body(nodes);
  for (std::size_t at = body.find("node {"); at != std::string::npos; at = body.find("node {", at + 10))
    body.replace(at, 6, "node_def {");
  return "function { signature { name: '" + std::string(name) +
         "' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'r' type: DT_FLOAT } } " + body +
         " ret { key: 'r' value: '" + std::string(returned) + "' } }\n";
}
std::string library(std::string_view functions) { return "library { " + std::string(functions) + " }"; }
std::string call(std::string_view name, std::string_view function, std::string_view input) {
  return node(
      name, "PartitionedCall", input,
      attribute("f", "func { name: '" + std::string(function) + "' }") + attribute("Tout", "list { type: DT_FLOAT }"));
}

TEST(TensorFlowFunctions, CallsAreReplacedByTheirBodies) {
  const Read read = read_text(
      placeholder("x") + call("outer", "f", "x") + node("y", "Tanh", "outer") +
      library(function("f", node("in", "Relu", "a") + call("inner", "g", "in:activations:0"), "inner:output:0") +
              function("g", node("neg", "Neg", "a") + node("unused", "Abs", "a"), "neg:y:0")));
  ASSERT_TRUE(read.graph) << read.text();
  const Node neg = read.node("outer/inner/neg");
  ASSERT_TRUE(neg);
  EXPECT_EQ(read.node("y").input(0), neg.output());
  EXPECT_EQ(neg.input(0).node().name(), "outer/in");
  EXPECT_FALSE(read.node("outer/inner/unused"));
  // The names by which others know the outputs of the calls stay.
  const auto names = neg.out_port(0).data().tensor_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "outer:0"), names.end());
}

TEST(TensorFlowFunctions, OutputsAreCountedByArgument) {
  const std::string nodes = node("top", "TopKV2", "a k") +
                            node("k", "Const", "", attribute("value", "tensor { dtype: DT_INT32 int_val: 1 }")) +
                            node("parts", "Split", "k top:values:0", attribute("num_split", "i: 3")) +
                            node("batch", "FusedBatchNormV3", "parts:output:2 a a a a");
  const Read read = read_text(placeholder("x") + call("c", "f", "x") + node("y", "Relu", "c") +
                              library(function("f", nodes, "batch:batch_variance:0")));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("c/parts").input(1).index(), 0U);
  EXPECT_EQ(read.node("c/batch").input(0).index(), 2U);
  EXPECT_EQ(read.node("y").input(0).index(), 2U);
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f", "x") + node("y", "Relu", "c") +
                      library(function("f", node("top", "TopKV2", "a a"), "top:nothing:0")))
                .code(),
            "MO-TF-0007");
}

TEST(TensorFlowFunctions, AnOpThatIsAFunction) {
  const Read read =
      read_text(placeholder("x") + node("y", "twice", "x", attribute("T", "type: DT_HALF")) +
                library(function("twice", node("s", "AddV2", "a a", attribute("T", "placeholder: 'T'")), "s:z:0")));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("y/s").attr<ElementType>("T"), ElementType::f16);
}

TEST(TensorFlowFunctions, BodiesOfControlFlow) {
  const Read read = read_text(
      placeholder("x") + placeholder("p") +
      node("y", "StatelessIf", "p x",
           attribute("then_branch", "func { name: 'f' }") + attribute("else_branch", "func { name: 'g' }")) +
      node("z", "Case", "p x", attribute("branches", "list { func { name: 'f' } func { name: 'g' } }")) +
      library(function("f", call("n", "g", "a"), "n:output:0") + function("g", node("neg", "Neg", "a"), "neg:y:0")));
  ASSERT_TRUE(read.graph) << read.text();
  const auto taken = read.node("y").attr<Body>("then_branch");
  const auto other = read.node("y").attr<Body>("else_branch");
  ASSERT_TRUE(taken && other);
  EXPECT_TRUE(taken->graph().find_node("n/neg"));
  EXPECT_EQ(other->graph().parameters().size(), 1U);
  EXPECT_EQ(other->graph().parameters()[0].output_type(0).element_type, ElementType::f32);
  const AttributeValue branches = read.node("z").attribute("branches");
  ASSERT_TRUE(branches.get_if<AttributeList>());
  EXPECT_EQ(branches.get_if<AttributeList>()->size(), 2U);
}

TEST(TensorFlowFunctions, RecursionIsNamed) {
  const Read self =
      read_text(placeholder("x") + call("c", "f", "x") + library(function("f", call("n", "f", "a"), "n:output:0")));
  EXPECT_EQ(self.code(), "MO-TF-0014");
  const Read mutual = read_text(
      placeholder("x") + call("c", "f", "x") +
      library(function("f", call("n", "g", "a"), "n:output:0") + function("g", call("n", "f", "a"), "n:output:0")));
  EXPECT_EQ(mutual.code(), "MO-TF-0014");
  EXPECT_NE(mutual.text().find("f -> g -> f"), std::string::npos) << mutual.text();
  const std::string branches =
      attribute("then_branch", "func { name: 'f' }") + attribute("else_branch", "func { name: 'f' }");
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f", "x") +
                      library(function("f", node("n", "If", "a a", branches), "n:output:0")))
                .code(),
            "MO-TF-0014");
}

/// f_n calls f_(n-1) twice: 2^40 nodes.
TEST(TensorFlowFunctions, ExponentialGrowthIsStopped) {
  std::string functions = function("f0", node("n", "Neg", "a"), "n:y:0");
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    functions +=
        function("f" + std::to_string(i), call("n", before, "a") + call("m", before, "n:output:0"), "m:output:0");
  }
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f40", "x") + library(functions)).code(), "MO-TF-0010");
}

TEST(TensorFlowFunctions, CallsShareLargeAttributesOfTheFunction) {
  std::string list = "list {";
  for (int i = 0; i < 5000; ++i) list += " i: 7";
  const std::string own = attribute("k", "placeholder: 'k'") + attribute("z", list + " }");
  const Read read = read_text(placeholder("x") + call("c", "f", "x") + call("d", "f", "c") +
                              library(function("f", node("n", "Neg", "a", own), "n:y:0")));
  ASSERT_TRUE(read.graph) << read.text();
  const auto numbers = [&](std::string_view name) {
    const AttributeValue* value = static_cast<const AttributeMap*>(read.node(name).payload())->find("z");
    return value ? value->get_if<std::vector<std::int64_t>>() : nullptr;
  };
  ASSERT_TRUE(numbers("c/n"));
  EXPECT_EQ(numbers("c/n")->size(), 5000U);
  EXPECT_EQ(numbers("c/n"), numbers("d/n"));
}

TEST(TensorFlowFunctions, ArgumentsOfBranchesAreCounted) {
  std::string arguments;
  for (int i = 0; i < 2000; ++i) arguments += "input_arg { name: 'a" + std::to_string(i) + "' type: DT_FLOAT } ";
  const std::string wide = "function { signature { name: 'f' " + arguments +
                           " output_arg { name: 'o' type: DT_FLOAT } } ret { key: 'o' value: 'a0' } }";
  std::string names;
  for (int i = 0; i < 600; ++i) names += " func { name: 'f' }";
  const auto case_of = [&](int given) {
    std::string inputs = "p";
    for (int i = 0; i < given; ++i) inputs += " x";
    return read_text(placeholder("x") + placeholder("p") +
                     node("z", "Case", inputs, attribute("branches", "list {" + names + " }")) + library(wide))
        .code();
  };
  EXPECT_EQ(case_of(1), "MO-TF-0755") << "told before any branch is made";
  EXPECT_EQ(case_of(2000), "MO-TF-0010");
}

TEST(TensorFlowFunctions, DeepNestingIsStopped) {
  std::string functions = function("f0", node("n", "Neg", "a"), "n:y:0");
  for (int i = 1; i <= 100; ++i)
    functions += function("f" + std::to_string(i), call("n", "f" + std::to_string(i - 1), "a"), "n:output:0");
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f100", "x") + library(functions)).code(), "MO-TF-0015");
}

TEST(TensorFlowFunctions, InconsistentOnes) {
  EXPECT_EQ(read_text(placeholder("x") + call("c", "gone", "x")).code(), "MO-TF-0016");
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f", "x x") + library(function("f", node("n", "Neg", "a"), "n:y:0")))
                .code(),
            "MO-TF-0012");
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f", "x") + node("y", "Relu", "c:5") +
                      library(function("f", node("n", "Neg", "a"), "n:y:0")))
                .code(),
            "MO-TF-0012");
  EXPECT_EQ(
      read_text(placeholder("x") + call("c", "f", "x") + library(function("f", node("n", "Neg", "b"), "n:y:0"))).code(),
      "MO-TF-0006");
  const std::string twice = function("f", node("n", "Neg", "a"), "n:y:0");
  EXPECT_EQ(read_text(placeholder("x") + call("c", "f", "x") + library(twice + twice)).code(), "MO-TF-0008");
}

}  // namespace
}  // namespace mo::tensorflow::testing
