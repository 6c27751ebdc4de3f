#include "tools/transform/freezing.hpp"

#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"
#include "tests/graph_transforms/transformed.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/formats/formats.hpp"

// `transform_graph --freeze`: what freeze_graph of TensorFlow does.
namespace mo::graph_transforms::testing {
namespace {

using tensorflow::testing::bytes_of;

std::string handle(std::string_view name, std::string_view op = "VarHandleOp") {
  return node(name, op, "", attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }"));
}
const std::string kDtype = attribute("dtype", "type: DT_FLOAT");

/// The graph when it is frozen with a checkpoint that has v = [1, 2].
Transformed frozen(const std::string& text, const std::vector<std::string>& outputs, bool has_value = true) {
  const tensorflow::testing::Folder folder;
  tensorflow::testing::BundleWriter writer;
  if (has_value) writer.add("v", tensorflow::DT_FLOAT, {2}, bytes_of(std::vector<float>{1, 2}));
  writer.add("other", tensorflow::DT_FLOAT, {1}, bytes_of(std::vector<float>{3}));
  writer.write(folder / "m");
  DiagnosticList sink;
  Transformed result;
  result.graph = *tensorflow::read_graph_def_text(text, sink);
  tensorflow::VariableBinder variables;
  EXPECT_TRUE(variables.open((folder / "m").string(), Links::refused, sink));
  const tools::ModelEvaluation evaluation(tools::graph_def_format());
  const auto done = tools::freeze(*result.graph, variables, {{}, outputs, {}, &evaluation, &sink});
  if (!done) result.error_code = done.error().first().code;
  return result;
}

TEST(Freezing, VariablesBecomeConstantsOfTheirNames) {
  const Transformed by_reference = frozen(
      handle("v", "VariableV2") + node("r", "Identity", "v") + node("y", "Neg", "r") + node("save", "SaveV2", "v"),
      {"y"});
  EXPECT_EQ(by_reference.nodes(), "r = Identity(v)\ny = Neg(r)\nv = Const()\n");
  EXPECT_EQ(by_reference.floats("v"), (std::vector<float>{1, 2}));
  const Transformed by_handle =
      frozen(handle("v") + node("r", "ReadVariableOp", "v", kDtype) + node("y", "Neg", "r ^r"), {"y:0"});
  EXPECT_EQ(by_handle.nodes(), "r = Identity(v)\ny = Neg(r, ^r)\nv = Const()\n");
  EXPECT_EQ(by_handle.find("r").attr<ElementType>("T"), ElementType::f32);
}

TEST(Freezing, OtherReadsOfHandlesBecomeThoseOfTensors) {
  const std::string indices = constant_of_integers("i", {1}, {1});
  EXPECT_EQ(frozen(handle("v") + indices +
                       node("y", "ResourceGather", "v i", kDtype + attribute("Tindices", "type: DT_INT32")),
                   {"y"})
                .nodes(),
            "i = Const()\ny = GatherV2(v, i, y/axis)\ny/axis = Const()\nv = Const()\n");
  EXPECT_EQ(frozen(handle("v") + indices +
                       node("y", "ResourceGatherNd", "v i", kDtype + attribute("Tindices", "type: DT_INT32")),
                   {"y"})
                .nodes(),
            "i = Const()\ny = GatherNd(v, i)\nv = Const()\n");
  EXPECT_EQ(frozen(handle("v") + node("h", "Identity", "v", attribute("T", "type: DT_RESOURCE")) +
                       node("y", "VariableShape", "h", attribute("out_type", "type: DT_INT64")),
                   {"y"})
                .nodes(),
            "h = Identity(v)\ny = Shape(h)\nv = Const()\n");
}

/// A call of f(x, handle) = x + value of handle, in a function that a signature calls.
std::string calls(const std::string& inner_op) {
  const std::string one = attribute("Tout", "list { type: DT_FLOAT }");
  return node("x", "Placeholder") + handle("v") +
         node("call", "StatefulPartitionedCall", "x v", one + attribute("f", "func { name: 'outer' }")) +
         "library { function { signature { name: 'outer' input_arg { name: 'a' type: DT_FLOAT } input_arg { name: 'b' "
         "type: DT_RESOURCE } output_arg "
         "{ "
         "name: 'sum' type: DT_FLOAT } } node_def { name: 'in' op: '" +
         inner_op + "' input: 'a' input: 'b' " + one + attribute("f", "func { name: 'f' }") +
         " } ret { key: 'sum' value: 'in:output:0' } } function { signature { name: 'f' input_arg { name: 'a' type: "
         "DT_FLOAT } input_arg { name: 'b' "
         "type: "
         "DT_RESOURCE } output_arg { name: 'sum' type: DT_FLOAT } } node_def { name: 'read' op: 'ReadVariableOp' "
         "input: 'b' " +
         kDtype +
         " } node_def { name: 'add' op: 'Add' input: 'a' input: 'read:value:0' } ret { key: 'sum' value: 'add:z:0' } } "
         "}";
}

TEST(Freezing, FunctionsReplaceTheirCallsAndFetchedCallsKeepTheirNames) {
  const Transformed made = frozen(calls("PartitionedCall"), {"call:0"});
  EXPECT_EQ(made.nodes(),
            "x = Placeholder()\ncall = Identity(call/in/add)\ncall/in/read = Identity(v)\ncall/in/add = Add(x, "
            "call/in/read)\nv = Const()\n");
  EXPECT_EQ(tensorflow::graph_def_text(*made.graph)->find("library"), std::string::npos)
      << "nobody calls its functions";
}

TEST(Freezing, VariablesThatCannotBeFrozenAreRefused) {
  EXPECT_EQ(frozen(handle("v") + node("y", "ReadVariableOp", "v", kDtype), {"y"}, false).error_code, "MO-GTT-0070");
  EXPECT_EQ(
      frozen(handle("v", "VariableV2") + constant("c", {2}, {1, 1}) + node("y", "AssignAdd", "v c"), {"y"}).error_code,
      "MO-GTT-0070");
  EXPECT_EQ(frozen(handle("v") + constant("c", {2}, {1, 1}) + node("y", "AssignVariableOp", "v c"), {"y"}).error_code,
            "MO-GTT-0070");
  EXPECT_EQ(frozen(calls("If"), {"call"}).error_code, "MO-GTT-0070");
  EXPECT_EQ(frozen(handle("v"), {"nobody"}).error_code, "MO-GTT-0018");
}

TEST(Freezing, CallsWithoutEndAreErrors) {
  const std::string text = node("x", "Placeholder") +
                           node("c", "PartitionedCall", "x", attribute("f", "func { name: 'f' }")) +
                           "library { function { signature { name: 'f' input_arg { name: 'a' type: DT_FLOAT } "
                           "output_arg { name: 'r' } } node_def { name: "
                           "'c' op: 'PartitionedCall' input: 'a' " +
                           attribute("f", "func { name: 'f' }") + " } ret { key: 'r' value: 'c:output:0' } } }";
  EXPECT_EQ(frozen(text, {"c"}).error_code, "MO-TF-0015");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
