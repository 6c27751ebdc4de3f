#include "core/text/printer.hpp"
#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

TEST(OnnxGraph, nodes_may_come_in_any_order) {
  const Read read =
      read_graph("node { input: 'a' output: 'y' op_type: 'Sigmoid' } node { input: 'x' output: 'a' op_type: 'Relu' }");
  ASSERT_TRUE(read.graph);
  EXPECT_EQ((*read.graph)->find_node("y").input(0).node().name(), "a");
}

TEST(OnnxGraph, optional_inputs_and_outputs_keep_their_positions) {
  const Read read = read_graph("node { input: ['x', '', 'x', ''] output: ['', 'y', '', ''] op_type: 'Op' }");
  ASSERT_TRUE(read.graph);
  const Node node = (*read.graph)->find_node("y");
  EXPECT_EQ(node.in_port_count(), 4U);
  EXPECT_FALSE(node.input(1));
  EXPECT_TRUE(node.input(2));
  EXPECT_EQ(node.out_port_count(), 2U);
  EXPECT_TRUE(node.out_port(0).data().tensor_names().empty());
  EXPECT_EQ((*read.graph)->results()[0].input(0), node.out_port(1));
}

TEST(OnnxGraph, inconsistent_names_are_errors) {
  EXPECT_EQ(
      read_graph("node { input: 'x' output: 'y' op_type: 'A' } node { input: 'x' output: 'y' op_type: 'B' }").code(),
      "MO-ONNX-0010");
  EXPECT_EQ(read_graph("node { input: 'x' output: 'x' op_type: 'A' }").code(), "MO-ONNX-0010");
  const Read unknown = read_graph(
      "node { input: 'layer_1/oot' output: 'y' op_type: 'A' } node { input: 'x' output: 'layer_1/out' op_type: 'B' }");
  ASSERT_EQ(unknown.code(), "MO-ONNX-0011");
  EXPECT_NE(unknown.graph.error().first().hint_text.find("'layer_1/out'"), std::string::npos);
  EXPECT_EQ(unknown.graph.error().first().node, "y");
  EXPECT_EQ(read_graph("node { input: 'p' output: 'y' op_type: 'A' } node { input: 'q' output: 'z' op_type: 'A' }")
                .graph.error()
                .items()
                .size(),
            2U);
  EXPECT_EQ(read_graph("node { input: 'x' output: 'z' op_type: 'A' }").code(), "MO-ONNX-0012");
  EXPECT_EQ(read_graph("node { input: 'x' output: 'y' }").code(), "MO-ONNX-0013");
  EXPECT_EQ(read_graph("input { } node { input: 'x' output: 'y' op_type: 'A' }").code(), "MO-ONNX-0014");
  EXPECT_EQ(read_graph("input { name: 'x' } node { input: 'x' output: 'y' op_type: 'A' }").code(), "MO-ONNX-0010");
  EXPECT_EQ(read_graph("initializer { name: 'w' data_type: 1 dims: 0 } initializer { name: 'w' data_type: 1 dims: 0 }")
                .code(),
            "MO-ONNX-0010");
}

TEST(OnnxGraph, cycles_are_errors) {
  EXPECT_EQ(read_graph("node { input: 'y' output: 'y' op_type: 'A' }").code(), "MO-GRAPH-0010");
  EXPECT_EQ(
      read_graph("node { input: 'b' output: 'y' op_type: 'A' } node { input: 'y' output: 'b' op_type: 'A' }").code(),
      "MO-GRAPH-0010");
}

TEST(OnnxGraph, an_initializer_that_is_also_an_input_is_a_constant) {
  const Read read = read_graph(
      "input { name: 'w' } initializer { name: 'w' data_type: 1 dims: 1 float_data: 3 } node { input: ['x', 'w'] "
      "output: 'y' op_type: 'Add' }");
  ASSERT_TRUE(read.graph);
  EXPECT_EQ((*read.graph)->parameters().size(), 1U);
  EXPECT_TRUE((*read.graph)->find_node("w").is<Const>());
}

TEST(OnnxGraph, an_output_may_be_an_input_or_an_initializer) {
  const Read read = read_text(
      "ir_version: 8 opset_import { version: 13 } graph { input { name: 'x' } initializer { name: 'w' data_type: 7 "
      "int64_data: 4 } output { name: "
      "'x' } output { name: 'w' } }");
  ASSERT_TRUE(read.graph);
  ASSERT_EQ((*read.graph)->results().size(), 2U);
  EXPECT_TRUE((*read.graph)->results()[0].input(0).node().is<Parameter>());
  EXPECT_TRUE((*read.graph)->results()[1].input(0).node().is<Const>());
}

TEST(OnnxGraph, shapes_keep_what_is_known) {
  const auto type = [](std::string_view shape) {
    const Read read = read_text(
        "ir_version: 8 opset_import { version: 13 } graph { input { name: 'x' type { tensor_type { elem_type: 1 " +
        std::string(shape) + " } } } }");
    return read.graph ? (*read.graph)->parameters()[0].output_type().to_string() : read.code();
  };
  EXPECT_EQ(type(""), "f32[...]");
  EXPECT_EQ(type("shape { }"), "f32[]");
  EXPECT_EQ(type("shape { dim { } dim { dim_value: 0 } dim { dim_value: -1 } }"), "f32[?,0,?]");
  EXPECT_EQ(type("shape { dim { dim_param: 'a' } dim { dim_param: 'b' } dim { dim_param: 'a' } }"), "f32[?#1,?#2,?#1]");
  EXPECT_EQ(type("shape { dim { dim_param: '?' } dim { dim_param: '?' } }"), "f32[?,?]");
  EXPECT_EQ(type("shape { dim { dim_value: -2 } }"), "MO-ONNX-0023");
}

TEST(OnnxGraph, inputs_that_are_not_tensors_must_not_be_used) {
  const std::string sequence =
      "input { name: 's' type { sequence_type { elem_type { tensor_type { elem_type: 1 } } } } } ";
  EXPECT_EQ(read_graph(sequence + "node { input: 's' output: 'y' op_type: 'SequenceAt' }").code(), "MO-ONNX-0015");
  const Read unused = read_graph(sequence + "node { input: 'x' output: 'y' op_type: 'Relu' }");
  ASSERT_TRUE(unused.graph);
  EXPECT_TRUE(unused.warned_of("MO-ONNX-0016"));
  EXPECT_EQ((*unused.graph)->parameters().size(), 1U);
  EXPECT_EQ(
      read_graph(
          "input { name: 'c' type { tensor_type { elem_type: 14 } } } node { input: 'c' output: 'y' op_type: 'A' }")
          .code(),
      "MO-ONNX-0015");
  // A body may take one: what the loop does with it decides.
  EXPECT_EQ(
      read_graph("node { input: 'x' output: 'y' op_type: 'Loop' attribute { name: 'body' type: GRAPH g { " + sequence +
                 "node { input: 's' output: 'r' op_type: 'SequenceInsert' } output { name: 'r' } } } }")
          .code(),
      "");
}

TEST(OnnxAttributes, every_kind_is_read) {
  const Read read = read_graph(
      "node { input: 'x' output: 'y' op_type: 'A' "
      "attribute { name: 'i' type: INT i: -5 } attribute { name: 'fs' type: FLOATS floats: [1, 2.5] } attribute { "
      "name: 'ss' type: STRINGS strings: "
      "['a', 'b'] } "
      "attribute { name: 't' type: TENSOR t { data_type: 7 dims: 2 int64_data: [3, 4] } } attribute { name: 'ts' type: "
      "TENSORS tensors { data_type: "
      "7 int64_data: 9 } } "
      "attribute { name: 'sp' type: SPARSE_TENSOR sparse_tensor { dims: 3 values { data_type: 1 dims: 1 float_data: 7 "
      "} indices { data_type: 7 dims: "
      "1 int64_data: 2 } } } "
      "attribute { name: 'tp' type: TYPE_PROTO tp { sequence_type { elem_type { tensor_type { elem_type: 1 } } } } } "
      "attribute { name: 'gs' type: GRAPHS graphs { } } attribute { name: 'none' type: INTS } attribute { name: 'old' "
      "f: 2 } attribute { name: "
      "'zero' type: INT } }");
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node node = (*read.graph)->find_node("y");
  EXPECT_EQ(node.attr<std::int64_t>("i"), -5);
  EXPECT_EQ(node.attr<std::vector<double>>("fs"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(node.attr<std::vector<std::string>>("ss"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(node.attribute("t"), AttributeValue(Tensor::vector<std::int64_t>({3, 4})));
  EXPECT_EQ(node.attribute("ts"), AttributeValue(AttributeList{Tensor::scalar<std::int64_t>(9)}));
  EXPECT_EQ(node.attribute("sp"), AttributeValue(Tensor::vector<float>({0, 0, 7})));
  ASSERT_NE(node.attribute("tp").map(), nullptr);
  EXPECT_EQ(*node.attribute("tp").map()->find("kind"), AttributeValue("sequence"));
  EXPECT_TRUE(node.attribute("gs").holds<AttributeList>());
  EXPECT_EQ(node.attr<std::vector<std::int64_t>>("none"), std::vector<std::int64_t>{});
  EXPECT_EQ(node.attr<double>("old"), 2.0);
  EXPECT_EQ(node.attr<std::int64_t>("zero"), 0);
}

TEST(OnnxAttributes, malformed_ones_are_errors) {
  const auto code = [](std::string_view attribute) {
    return read_graph("node { input: 'x' output: 'y' op_type: 'A' " + std::string(attribute) + " }").code();
  };
  EXPECT_EQ(code("attribute { type: INT i: 1 }"), "MO-ONNX-0020");
  EXPECT_EQ(code("attribute { name: '@opset' type: INT i: 1 }"), "MO-ONNX-0020");
  EXPECT_EQ(code("attribute { name: 'a' type: INT i: 1 } attribute { name: 'a' type: INT i: 1 }"), "MO-ONNX-0020");
  EXPECT_EQ(code("attribute { name: 'a' type: INT f: 1 }"), "MO-ONNX-0021");
  EXPECT_EQ(code("attribute { name: 'a' }"), "MO-ONNX-0021");
  EXPECT_EQ(code("attribute { name: 'a' type: TENSOR }"), "MO-ONNX-0021");
  EXPECT_EQ(code("attribute { name: 'a' type: INT ref_attr_name: 'b' }"), "MO-ONNX-0022");
  std::string type = "tensor_type { elem_type: 1 }";
  for (int i = 0; i < 66; ++i) type = "sequence_type { elem_type { " + type + " } }";
  EXPECT_EQ(code("attribute { name: 'a' type: TYPE_PROTO tp { " + type + " } }"), "MO-ONNX-0024");
}

TEST(OnnxBodies, captured_tensors_become_parameters_and_inputs) {
  const Read read = read_graph(
      "node { input: 'x' output: 'outer' op_type: 'Relu' } "
      "node { name: 'if' input: 'x' output: 'y' op_type: 'If' "
      "  attribute { name: 'then_branch' type: GRAPH g { name: 't' output { name: 'a' } node { input: ['outer', 'x'] "
      "output: 'a' op_type: 'Add' } } "
      "} "
      "  attribute { name: 'else_branch' type: GRAPH g { name: 'e' output { name: 'b' } node { name: 'inner' input: "
      "'x' output: 'b' op_type: 'If' "
      "    attribute { name: 'then_branch' type: GRAPH g { output { name: 'c' } node { input: 'late' output: 'c' "
      "op_type: 'Neg' } } } } } } } "
      "node { input: 'x' output: 'late' op_type: 'Abs' }");
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node node = (*read.graph)->find_node("if");
  EXPECT_EQ(node.attr<std::vector<std::string>>("@captures"), (std::vector<std::string>{"outer", "x", "late"}));
  ASSERT_EQ(node.in_port_count(), 4U);
  EXPECT_EQ(node.input(1).node().name(), "outer");
  EXPECT_EQ(node.input(2).node().name(), "x");
  EXPECT_EQ(node.input(3).node().name(), "late");
  const auto bodies = node.bodies();
  ASSERT_EQ(bodies.size(), 2U);
  ASSERT_EQ(bodies[0]->parameters().size(), 2U);
  EXPECT_EQ(bodies[0]->parameters()[0].name(), "outer");
  EXPECT_EQ(bodies[0]->parameters()[1].name(), "x");
  ASSERT_EQ(bodies[1]->parameters().size(), 2U);
  EXPECT_EQ(bodies[1]->parameters()[1].name(), "late");
  const Node inner = bodies[1]->find_node("inner");
  EXPECT_EQ(inner.attr<std::vector<std::string>>("@captures"), (std::vector<std::string>{"late"}));
  EXPECT_EQ(inner.input(1).node().name(), "late");
}

TEST(OnnxBodies, formal_inputs_come_before_captured_ones_and_initializers_stay_inside) {
  const Read read = read_graph(
      "node { name: 'loop' input: ['', '', 'x'] output: 'y' op_type: 'Loop' attribute { name: 'body' type: GRAPH g { "
      "input { name: 'i' } input { name: 'c' } input { name: 'v' } initializer { name: 'k' data_type: 1 float_data: 2 "
      "} output { name: 'c' } output "
      "{ name: 'w' } "
      "node { input: ['v', 'k'] output: 'm' op_type: 'Mul' } node { input: ['m', 'x'] output: 'w' op_type: 'Add' } } } "
      "}");
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node loop = (*read.graph)->find_node("loop");
  ASSERT_EQ(loop.in_port_count(), 4U);
  EXPECT_FALSE(loop.input(0));
  const Graph& body = *loop.bodies()[0];
  ASSERT_EQ(body.parameters().size(), 4U);
  EXPECT_EQ(body.parameters()[3].name(), "x");
  EXPECT_EQ(body.results()[0].input(0), body.parameters()[1].out_port(0));
}

TEST(OnnxBodies, an_unknown_captured_name_is_an_error_of_the_owner) {
  const Read read = read_graph(
      "node { name: 'if' input: 'x' output: 'y' op_type: 'If' attribute { name: 'b' type: GRAPH g { output { name: 'a' "
      "} node { input: 'nowhere' "
      "output: 'a' op_type: 'Neg' } } } }");
  ASSERT_EQ(read.code(), "MO-ONNX-0011");
  EXPECT_EQ(read.graph.error().first().node, "if");
}

TEST(OnnxBodies, nesting_is_limited) {
  const auto nested = [](int depth) {
    ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(13);
    GraphProto* graph = model.mutable_graph();
    for (int i = 0; i < depth; ++i) {
      NodeProto* node = graph->add_node();
      node->set_op_type("If");
      AttributeProto* attribute = node->add_attribute();
      attribute->set_name("then_branch");
      attribute->set_type(AttributeProto::GRAPH);
      graph = attribute->mutable_g();
    }
    return read_bytes(model.SerializeAsString()).code();
  };
  EXPECT_EQ(nested(64), "");
  EXPECT_EQ(nested(65), "MO-ONNX-0017");
  EXPECT_EQ(nested(1000), "MO-ONNX-0017");
}

}  // namespace
}  // namespace mo::onnx::testing
