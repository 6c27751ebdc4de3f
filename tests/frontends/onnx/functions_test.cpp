#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

const std::string kImports = "opset_import { domain: 'local' version: 1 } ";

/// A function of domain "local" whose nodes follow opset 17.
std::string function(std::string_view name, std::string_view content) {
  return "functions { domain: 'local' opset_import { version: 17 } opset_import { domain: 'local' version: 1 } name: "
         "'" +
         std::string(name) + "' " + std::string(content) + " } ";
}

std::string call(std::string_view name, std::string_view more = "") {
  return "node { name: 'call' input: 'x' output: 'y' domain: 'local' op_type: '" + std::string(name) + "' " +
         std::string(more) + " } ";
}

constexpr std::string_view kTwice =
    "input: 'a' output: 'c' node { name: 'first' input: 'a' output: 'b' op_type: 'Relu' } node { name: 'second' input: "
    "'b' output: 'c' op_type: "
    "'Relu' }";

TEST(OnnxFunctions, a_call_becomes_the_nodes_of_the_function) {
  const Read read = read_graph(call("Twice"), kImports + function("Twice", kTwice));
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Graph& graph = **read.graph;
  EXPECT_FALSE(graph.find_node("call"));
  const Node first = graph.find_node("call/first");
  const Node second = graph.find_node("call/second");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first.input(0).node().name(), "x");
  EXPECT_EQ(first.out_port(0).data().tensor_names(), (std::vector<std::string_view>{"call/b"}));
  EXPECT_EQ(second.out_port(0).data().tensor_names(), (std::vector<std::string_view>{"y"}));
  EXPECT_EQ(graph.results()[0].input(0), second.out_port(0));
  EXPECT_EQ(graph.results()[0].name(), "y/sink_port_0");
  EXPECT_EQ(first.attr<std::int64_t>("@opset"), 17);
  EXPECT_EQ(first.sources(), (std::vector<std::string_view>{"call/first"}));
  EXPECT_EQ(*graph.properties.find("function_count"), AttributeValue(1));
}

TEST(OnnxFunctions, calls_in_functions_and_in_bodies_are_inlined_too) {
  const Read read = read_graph(
      call("Outer") +
          "node { name: 'if' input: 'x' output: 'z' op_type: 'If' attribute { name: 'b' type: GRAPH g { output { name: "
          "'q' } " +
          "node { name: 'inside' input: 'x' output: 'q' domain: 'local' op_type: 'Twice' } } } }",
      kImports + function("Twice", kTwice) +
          function(
              "Outer",
              "input: 'i' output: 'o' node { name: 'n' input: 'i' output: 'o' domain: 'local' op_type: 'Twice' }"));
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node last = (*read.graph)->find_node("call/n/second");
  ASSERT_TRUE(last);
  EXPECT_EQ(last.out_port(0).data().tensor_names(), (std::vector<std::string_view>{"y"}));
  EXPECT_TRUE((*read.graph)->find_node("if").bodies()[0]->find_node("inside/first"));
}

TEST(OnnxFunctions, attributes_come_from_the_call_or_the_default_or_are_dropped) {
  const std::string body = function(
      "F",
      "input: 'a' output: 'b' attribute: 'given' attribute: 'absent' attribute_proto { name: 'preset' type: INT i: 4 } "
      "node { name: 'n' input: 'a' output: 'b' op_type: 'Op' attribute { name: 'p' type: INT ref_attr_name: 'given' } "
      "attribute { name: 'q' type: INT ref_attr_name: 'preset' } attribute { name: 'r' type: INT ref_attr_name: "
      "'absent' } "
      "attribute { name: 'g' type: GRAPH g { node { name: 'deep' op_type: 'Op' attribute { name: 's' type: INT "
      "ref_attr_name: 'given' } } } } }");
  const Read read =
      read_graph(call("F", "attribute { name: 'given' type: INT i: 3 } attribute { name: 'other' type: INT i: 1 }"),
                 kImports + body);
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node node = (*read.graph)->find_node("call/n");
  EXPECT_EQ(node.attr<std::int64_t>("p"), 3);
  EXPECT_EQ(node.attr<std::int64_t>("q"), 4);
  EXPECT_FALSE(node.has_attr("r"));
  EXPECT_EQ(node.bodies()[0]->find_node("deep").attr<std::int64_t>("s"), 3);
  EXPECT_TRUE(read.warned_of("MO-ONNX-0046"));
  const Read preset = read_graph(call("F", "attribute { name: 'preset' type: INT i: 9 }"), kImports + body);
  EXPECT_EQ((*preset.graph)->find_node("call/n").attr<std::int64_t>("q"), 9);
}

TEST(OnnxFunctions, an_output_may_be_an_input_and_optional_inputs_may_be_absent) {
  const std::string body = function(
      "F", "input: ['a', 'b'] output: ['a', 'c'] node { name: 'n' input: ['a', 'b'] output: 'c' op_type: 'Op' }");
  const Read read =
      read_graph("node { name: 'call' input: 'x' output: ['y', 'z'] domain: 'local' op_type: 'F' }", kImports + body);
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  EXPECT_TRUE((*read.graph)->results()[0].input(0).node().is<Parameter>());
  EXPECT_FALSE((*read.graph)->find_node("call/n").input(1));
  const std::string through = function("F", "input: ['a', 'b'] output: 'b'");
  EXPECT_EQ(read_graph(call("F"), kImports + through).code(), "MO-ONNX-0047");
}

TEST(OnnxFunctions, overloads_are_distinguished) {
  const Read read = read_graph(
      call("F", "overload: 'two'"),
      kImports +
          function("F",
                   "overload: 'one' input: 'a' output: 'b' node { name: 'n1' input: 'a' output: 'b' op_type: 'Abs' }") +
          function("F",
                   "overload: 'two' input: 'a' output: 'b' node { name: 'n2' input: 'a' output: 'b' op_type: 'Neg' }"));
  ASSERT_TRUE(read.graph);
  EXPECT_TRUE((*read.graph)->find_node("call/n2"));
  EXPECT_FALSE((*read.graph)->find_node("call/n1"));
}

TEST(OnnxFunctions, recursion_is_refused_and_named) {
  const std::string self =
      function("F", "input: 'a' output: 'b' node { input: 'a' output: 'b' domain: 'local' op_type: 'F' }");
  EXPECT_EQ(read_graph(call("F"), kImports + self).code(), "MO-ONNX-0041");
  const std::string mutual =
      function("F", "input: 'a' output: 'b' node { input: 'a' output: 'b' domain: 'local' op_type: 'G' }") +
      function(
          "G",
          "input: 'a' output: 'b' node { input: 'a' output: 'b' op_type: 'If' attribute { name: 'g' type: GRAPH g { "
          "node { input: 'a' output: 'q' domain: 'local' op_type: 'F' } } } }");
  const Read read = read_graph(call("F"), kImports + mutual);
  ASSERT_EQ(read.code(), "MO-ONNX-0041");
  EXPECT_NE(read.graph.error().first().message.find("local::F -> local::G -> local::F"), std::string::npos);
}

TEST(OnnxFunctions, depth_and_size_are_limited_before_anything_grows) {
  const auto chain = [](int length, int calls) {
    std::string text =
        kImports + function("f0", "input: 'a' output: 'b' node { input: 'a' output: 'b' op_type: 'Abs' }");
    for (int i = 1; i <= length; ++i) {
      std::string nodes = "input: 'a' output: 'b0' ";
      for (int k = 0; k < calls; ++k)
        nodes += "node { name: 'n" + std::to_string(k) + "' input: 'a' output: 'b" + std::to_string(k) +
                 "' domain: 'local' op_type: 'f" + std::to_string(i - 1) + "' } ";
      text += function("f" + std::to_string(i), nodes);
    }
    return read_graph(call("f" + std::to_string(length)), text).code();
  };
  EXPECT_EQ(chain(60, 1), "");
  EXPECT_EQ(chain(64, 1), "MO-ONNX-0042");
  EXPECT_EQ(chain(10, 2), "");
  EXPECT_EQ(chain(40, 2), "MO-ONNX-0043");
}

TEST(OnnxFunctions, inconsistent_ones_are_errors) {
  EXPECT_EQ(read_graph(call("F"), kImports + function("F", kTwice) + function("F", kTwice)).code(), "MO-ONNX-0040");
  EXPECT_EQ(read_graph("node { name: 'call' input: ['x', 'x'] output: 'y' domain: 'local' op_type: 'F' }",
                       kImports + function("F", kTwice))
                .code(),
            "MO-ONNX-0044");
  EXPECT_EQ(read_graph("node { input: 'x' output: ['y', 'z'] domain: 'local' op_type: 'F' }",
                       kImports + function("F", kTwice))
                .code(),
            "MO-ONNX-0044");
  EXPECT_EQ(read_graph(call("F", "attribute { name: 'g' type: GRAPH g { } }"), kImports + function("F", kTwice)).code(),
            "MO-ONNX-0045");
  EXPECT_EQ(
      read_graph(
          call("F"),
          kImports + function("F", "node { op_type: 'If' attribute { name: 'g' type: GRAPH ref_attr_name: 'h' } }"))
          .code(),
      "MO-ONNX-0045");
  EXPECT_EQ(read_graph(call("F"), kImports + function("F", "attribute_proto { name: 'g' type: GRAPH g { } }")).code(),
            "MO-ONNX-0045");
  EXPECT_EQ(read_graph(call("F"), kImports + function("", kTwice)).code(), "MO-ONNX-0013");
  EXPECT_EQ(
      read_graph(call("F"),
                 kImports + function("F", "input: 'a' output: 'b' node { input: 'nowhere' output: 'b' op_type: 'A' }"))
          .code(),
      "MO-ONNX-0011");
  EXPECT_EQ(read_graph(call("F"), kImports + function("F", "input: 'a' output: 'nothing'")).code(), "MO-ONNX-0012");
}

}  // namespace
}  // namespace mo::onnx::testing
