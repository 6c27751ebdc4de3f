#include <algorithm>

#include "core/text/printer.hpp"
#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

constexpr std::string_view kRelu = "node { input: 'x' output: 'y' op_type: 'Relu' }";

TEST(OnnxModel, a_small_model_becomes_a_graph_of_framework_nodes) {
  const Read read = read_graph(
      "node { name: 'r' input: 'x' output: 'y' op_type: 'Relu' attribute { name: 'alpha' type: FLOAT f: 0.5 } "
      "attribute { name: 'axes' type: INTS ints: [1, -1] } attribute { name: 'mode' type: STRING s: 'full' } }",
      "producer_name: 'maker' model_version: 3 domain: 'org.maker' metadata_props { key: 'k' value: 'v' }");
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Graph& graph = **read.graph;
  EXPECT_EQ(graph.name, "g");
  const Node relu = graph.find_node("r");
  ASSERT_TRUE(relu);
  EXPECT_EQ(relu.type(), "onnx::Relu");
  EXPECT_EQ(relu.framework(), "ONNX Relu, opset 13");
  EXPECT_EQ(relu.sources(), (std::vector<std::string_view>{"r"}));
  EXPECT_EQ(relu.attr<std::int64_t>("@opset"), 13);
  EXPECT_EQ(relu.attr<double>("alpha"), 0.5);
  EXPECT_EQ(relu.attr<std::vector<std::int64_t>>("axes"), (std::vector<std::int64_t>{1, -1}));
  EXPECT_EQ(relu.attr<std::string>("mode"), "full");
  EXPECT_EQ(relu.out_port(0).data().tensor_names(), (std::vector<std::string_view>{"y"}));
  ASSERT_EQ(graph.parameters().size(), 1U);
  EXPECT_EQ(graph.parameters()[0].name(), "x");
  EXPECT_EQ(graph.parameters()[0].output_type().to_string(), "f32[2,?#1]");
  ASSERT_EQ(graph.results().size(), 1U);
  EXPECT_EQ(graph.results()[0].name(), "y/sink_port_0");
  EXPECT_EQ(*graph.properties.find("onnx_ir_version"), AttributeValue(8));
  EXPECT_EQ(*graph.properties.find("producer_name"), AttributeValue("maker"));
  EXPECT_EQ(*graph.properties.find("model_version"), AttributeValue(3));
  EXPECT_EQ(*graph.properties.find("metadata"), AttributeValue(AttributeMap{{"k", "v"}}));
  EXPECT_EQ(*graph.properties.find("opset_imports"), AttributeValue(AttributeMap{{"ai.onnx", 13}}));
  EXPECT_EQ(*graph.properties.find("dim_params"), AttributeValue(std::vector<std::string>{"n"}));
}

TEST(OnnxModel, reals_are_the_decimal_numbers_of_the_file) {
  const Read read = read_graph(
      "node { name: 'r' input: 'x' output: 'y' op_type: 'Relu' attribute { name: 'alpha' type: FLOAT f: 0.1 } "
      "attribute { name: 'list' type: FLOATS floats: [0.7, 1e-3] } }");
  ASSERT_TRUE(read.graph) << read.graph.error().first().format();
  const Node relu = (*read.graph)->find_node("r");
  EXPECT_EQ(relu.attr<double>("alpha"), 0.1) << "not 0.10000000149";
  EXPECT_EQ(relu.attr<std::vector<double>>("list"), (std::vector<double>{0.7, 1e-3}));
}

TEST(OnnxModel, a_file_gives_the_same_graph_as_memory) {
  ModelProto model;
  Folder folder;
  const std::string text = model_text(kRelu);
  const std::string path = folder.write("m.onnxtxt", text);
  const Read from_file = read_path(path);
  const Read from_memory = read_text(text);
  ASSERT_TRUE(from_file.graph && from_memory.graph);
  EXPECT_EQ(to_text(**from_file.graph), to_text(**from_memory.graph));
}

TEST(OnnxModel, a_model_cut_off_anywhere_is_an_error_and_never_a_crash) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(3);
  for (float v : {1.F, 2.F, 3.F}) tensor.add_float_data(v);
  const std::string whole = model_with_tensor(tensor);
  ASSERT_EQ(read_bytes(whole).code(), "");
  Folder folder;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(read_bytes(whole.substr(0, size)).code(), "") << size;
    EXPECT_NE(read_path(folder.write("cut.onnx", whole.substr(0, size))).code(), "") << size;
  }
}

TEST(OnnxModel, a_changed_byte_never_crashes) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT32);
  tensor.add_dims(2);
  tensor.add_int32_data(-7);
  tensor.add_int32_data(7);
  const std::string whole = model_with_tensor(tensor);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      read_bytes(changed);
    }
  }
}

TEST(OnnxModel, a_file_that_is_not_a_model_is_named) {
  Folder folder;
  const auto code = [&](std::string_view content) { return read_path(folder.write("m.onnx", content)).code(); };
  using namespace std::string_view_literals;
  EXPECT_EQ(code(""), "MO-IO-0020");
  EXPECT_EQ(code("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"), "MO-IO-0021");
  EXPECT_EQ(code("\n <!DOCTYPE html><html>"), "MO-IO-0022");
  EXPECT_EQ(code("PK\x03\x04 and so on"), "MO-IO-0023");
  EXPECT_EQ(code("\x1F\x8B\x08"sv), "MO-IO-0023");
  EXPECT_EQ(code("# comment\nlayer { name: 'x' }"), "MO-IO-0024");
  EXPECT_EQ(code("\x89HDF\r\n\x1A\n"), "MO-IO-0025");
  EXPECT_EQ(code("\x0A\x05hello"), "MO-ONNX-0001");  // a GraphDef begins like this
  EXPECT_EQ(code("\xFF\xFE\xFD\xFC\xFB\xFA\xF9\xF8\xF7\xF6\xF5\xF4"), "MO-PB-0004");
  EXPECT_EQ(read_path(folder / "missing.onnx").code(), "MO-IO-0001");
  EXPECT_EQ(read_path(folder / ".").code(), "MO-IO-0002");
}

TEST(OnnxModel, text_that_is_too_long_is_refused_before_it_is_read) {
  Folder folder;
  const std::string path = folder.write("m.onnxtxt", "");
  ASSERT_EQ(::truncate(path.c_str(), (off_t{1} << 28) + 1), 0);
  EXPECT_EQ(read_path(path).code(), "MO-IO-0026");
}

TEST(OnnxModel, text_errors_carry_line_and_column) {
  const Read read = read_text("ir_version: 8\ngraph { nodes { } }");
  ASSERT_EQ(read.code(), "MO-ONNX-0050");
  EXPECT_NE(read.graph.error().first().message.find("line 2"), std::string::npos);
  std::string deep = "ir_version: 8 ";
  for (int i = 0; i < 10'000; ++i) deep += "graph { node { attribute { g { node { attribute { ";
  EXPECT_EQ(read_text(deep).code(), "MO-ONNX-0050");
}

TEST(OnnxModel, versions_are_checked) {
  const std::string graph = " graph { output { name: 'y' } node { output: 'y' op_type: 'Constant' } }";
  EXPECT_EQ(read_text("producer_name: 'p'").code(), "MO-ONNX-0001");
  EXPECT_EQ(read_text("ir_version: 8 opset_import { version: 13 }").code(), "MO-ONNX-0001");
  EXPECT_EQ(read_text("opset_import { version: 13 }" + graph).code(), "MO-ONNX-0002");
  EXPECT_EQ(read_text("ir_version: 0 opset_import { version: 13 }" + graph).code(), "MO-ONNX-0002");
  EXPECT_EQ(read_text("ir_version: 4611686018427387904 opset_import { version: 13 }" + graph).code(), "MO-ONNX-0002");
  const Read newer = read_text("ir_version: 15 opset_import { version: 99 }" + graph);
  EXPECT_EQ(newer.code(), "");
  EXPECT_TRUE(newer.warned_of("MO-ONNX-0003"));
  EXPECT_TRUE(newer.warned_of("MO-ONNX-0006"));
  const Read current = read_text("ir_version: 14 opset_import { version: 28 }" + graph);
  EXPECT_FALSE(current.warned_of("MO-ONNX-0003") || current.warned_of("MO-ONNX-0006"));
  EXPECT_EQ(read_text("ir_version: 3" + graph).code(), "MO-ONNX-0004");
  const Read oldest = read_text("ir_version: 2" + graph);
  ASSERT_TRUE(oldest.graph);
  EXPECT_EQ((*oldest.graph)->find_node("y").attr<std::int64_t>("@opset"), 1);
  EXPECT_EQ(read_text("ir_version: 8 opset_import { version: 0 }" + graph).code(), "MO-ONNX-0005");
  EXPECT_EQ(read_text("ir_version: 8 opset_import { version: 4611686018427387904 }" + graph).code(), "MO-ONNX-0005");
  EXPECT_EQ(
      read_text("ir_version: 8 opset_import { version: 13 } opset_import { domain: 'ai.onnx' version: 12 }" + graph)
          .code(),
      "MO-ONNX-0007");
  EXPECT_EQ(
      read_text("ir_version: 8 opset_import { version: 13 } opset_import { domain: 'ai.onnx' version: 13 }" + graph)
          .code(),
      "");
}

TEST(OnnxModel, operators_need_an_imported_domain) {
  EXPECT_EQ(read_text("ir_version: 8 opset_import { domain: 'com.acme' version: 1 } graph { node { op_type: 'Relu' } }")
                .code(),
            "MO-ONNX-0008");
  const Read read = read_graph("node { input: 'x' output: 'y' op_type: 'Gelu' domain: 'com.microsoft' }");
  ASSERT_TRUE(read.graph);
  EXPECT_TRUE(read.warned_of("MO-ONNX-0009"));
  const Node gelu = (*read.graph)->find_node("y");
  EXPECT_EQ(gelu.type(), "com.microsoft::Gelu");
  EXPECT_EQ(gelu.attr<std::string>("@domain"), "com.microsoft");
  EXPECT_EQ(gelu.framework(), "ONNX com.microsoft.Gelu, opset 1");
  EXPECT_TRUE(read_graph(kRelu, "training_info { }").warned_of("MO-ONNX-0060"));
}

TEST(OnnxModel, limits_hold) {
  std::string functions("\x08\x08", 2);
  for (int i = 0; i < 1'250'001; ++i) functions += std::string("\xCA\x01\x00", 3);  // empty FunctionProtos
  EXPECT_EQ(read_bytes(functions).code(), "MO-ONNX-0018");

  ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type("Relu");
  node.add_output(std::string(100'000, 'n'));
  EXPECT_EQ(read_bytes(model.SerializeAsString()).code(), "MO-PB-0008");
  node.clear_output();
  AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("a");
  attribute.set_type(AttributeProto::INTS);
  for (int i = 0; i <= 1 << 22; ++i) attribute.add_ints(1);
  EXPECT_EQ(read_bytes(model.SerializeAsString()).code(), "MO-ONNX-0019");
}

}  // namespace
}  // namespace mo::onnx::testing
