#include <google/protobuf/text_format.h>

#include "core/tensor/convert.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::tensorflow::testing {
namespace {

std::string graph_bytes(const std::string& text) {
  GraphDef graph;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  return graph.SerializeAsString();
}

std::string constant(std::string_view tensor) {
  return node("c", "Const", "", attribute("value", "tensor { " + std::string(tensor) + " }"));
}

Tensor tensor_of(const Read& read) {
  const Node found = read.node("c");
  return *found.attribute("value").get_if<Tensor>();
}

TEST(TensorFlowGraph, NodesPortsAndNames) {
  const Read read = read_text(placeholder("x") + node("s", "Split", "axis x", attribute("num_split", "i: 2")) +
                              node("axis", "Const", "", attribute("value", "tensor { dtype: DT_INT32 int_val: 1 }")) +
                              node("y", "Relu", "s:1 ^axis"));
  ASSERT_TRUE(read.graph) << read.text();
  const Graph& graph = **read.graph;
  EXPECT_EQ(graph.parameters().size(), 1U);
  EXPECT_EQ(graph.parameters()[0].output_type(0).to_string(), "f32[2,?]");
  const Node split = read.node("s");
  EXPECT_EQ(split.type(), "tf::Split");
  EXPECT_EQ(split.framework(), "TensorFlow Split");
  EXPECT_EQ(split.attr<std::int64_t>("num_split"), 2);
  ASSERT_EQ(split.out_port_count(), 2U);
  EXPECT_EQ(split.out_port(1).data().tensor_names().front(), "s:1");
  EXPECT_EQ(read.node("y").input(0), split.output(1));
  EXPECT_EQ(read.node("y").control_inputs().size(), 1U);
  ASSERT_EQ(graph.results().size(), 1U);
  EXPECT_EQ(graph.results()[0].name(), "y:0");
}

TEST(TensorFlowGraph, OutputsBeforeOneThatIsReadAreLimited) {
  EXPECT_EQ(read_text(placeholder("x") + node("a", "Relu", "x") + node("y", "Relu", "a:1000")).code(), "");
  EXPECT_EQ(read_text(placeholder("x") + node("a", "Relu", "x") + node("y", "Relu", "a:1048575")).code(), "MO-TF-0011");
}

TEST(TensorFlowGraph, OneValueForManyElementsIsNotWrittenOut) {
  const Read read =
      read_text(constant("dtype: DT_INT32 tensor_shape { dim { size: 100000 } dim { size: 3 } } int_val: 7") +
                node("y", "Relu", "c"));
  ASSERT_TRUE(read.graph) << read.text();
  const Tensor tensor = tensor_of(read);
  EXPECT_FALSE(tensor.in_memory());
  const auto loaded = tensor.load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->shape(), (Shape{100000, 3}));
  for (const std::int32_t value : loaded->values<std::int32_t>()) ASSERT_EQ(value, 7);
  const Read zeros =
      read_text(constant("dtype: DT_DOUBLE tensor_shape { dim { size: 100000 } }") + node("y", "Relu", "c"));
  ASSERT_TRUE(zeros.graph) << zeros.text();
  const auto doubles = tensor_of(zeros).load();
  ASSERT_TRUE(doubles);
  EXPECT_EQ(doubles->values<double>()[99'999], 0.0);
}

TEST(TensorFlowGraph, NodesOfOneOpHaveTheAttributesThatTheirOwnTextSays) {
  const std::string of_float = attribute("T", "type: DT_FLOAT");
  const Read read =
      read_text(placeholder("x") + node("a", "Relu", "x", of_float) + node("b", "Relu", "a", of_float) +
                node("c", "Relu", "b", attribute("T", "type: DT_HALF")) + node("d", "Relu", "c") +
                node("e", "Relu", "d", of_float + attribute("_note", "s: 'x'")) + node("y", "Relu", "e", of_float));
  ASSERT_TRUE(read.graph) << read.text();
  const auto type = [&](const char* name) { return read.node(name).attr<ElementType>("T"); };
  for (const char* name : {"a", "b", "e", "y"}) EXPECT_EQ(type(name), ElementType::f32) << name;
  EXPECT_EQ(type("c"), ElementType::f16);
  EXPECT_FALSE(type("d"));
  EXPECT_TRUE(read.node("e").has_attr("_note"));
  EXPECT_FALSE(read.node("y").has_attr("_note"));
}

TEST(TensorFlowGraph, ReadersComeInTheOrderOfNodesWhateverIsReadBeforeItIsThere) {
  const Read read =
      read_text(placeholder("x") + node("early", "Relu", "late") + node("first", "Relu", "x") +
                node("late", "Add", "x x") + node("last", "Relu", "late") + node("y", "AddN", "early first last"));
  ASSERT_TRUE(read.graph) << read.text();
  const auto names = [&](const char* name) {
    std::vector<std::string> readers;
    for (const InPort& port : read.node(name).output().get_destinations()) readers.emplace_back(port.node().name());
    return readers;
  };
  EXPECT_EQ(names("late"), (std::vector<std::string>{"early", "last"}));
  EXPECT_EQ(names("x"), (std::vector<std::string>{"first", "late", "late"}));
}

TEST(TensorFlowGraph, AttributesOfAllKinds) {
  const Read read = read_text(
      placeholder("x") +
      node("y", "Any", "x",
           attribute("s", "s: 'NHWC'") + attribute("i", "i: -3") + attribute("f", "f: 0.001") +
               attribute("b", "b: true") + attribute("type", "type: DT_INT64") +
               attribute("resource", "type: DT_RESOURCE") + attribute("shape", "shape { dim { size: 4 } }") +
               attribute("ints", "list { i: 1 i: 2 }") + attribute("floats", "list { f: 0.5 }") +
               attribute("strings", "list { s: 'a' s: 'b' }") +
               attribute("types", "list { type: DT_FLOAT type: DT_VARIANT }") + attribute("empty", "list { }") +
               attribute("shapes", "list { shape { dim { size: 1 } } shape { unknown_rank: true } }")));
  ASSERT_TRUE(read.graph) << read.text();
  const Node y = read.node("y");
  EXPECT_EQ(y.attr<std::string>("s"), "NHWC");
  EXPECT_EQ(y.attr<std::int64_t>("i"), -3);
  EXPECT_EQ(y.attr<double>("f"), 0.001);
  EXPECT_EQ(y.attr<bool>("b"), true);
  EXPECT_EQ(y.attr<ElementType>("type"), ElementType::i64);
  EXPECT_EQ(y.attr<std::string>("resource"), "DT_RESOURCE");
  EXPECT_EQ(y.attr<PartialShape>("shape"), PartialShape({4}));
  EXPECT_EQ(y.attr<std::vector<std::int64_t>>("ints"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(y.attr<std::vector<double>>("floats"), (std::vector<double>{0.5}));
  EXPECT_EQ(y.attr<std::vector<std::string>>("strings"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(y.attr<std::vector<std::string>>("types"), (std::vector<std::string>{"f32", "DT_VARIANT"}));
  EXPECT_EQ(y.attr<std::vector<std::int64_t>>("empty"), std::vector<std::int64_t>{});
  EXPECT_EQ(y.attribute("shapes").get_if<AttributeList>()->size(), 2U);
}

TEST(TensorFlowGraph, OldPlaceholdersOfUnknownShape) {
  const std::string graph =
      node("x", "Placeholder", "", attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { }")) +
      node("y", "Relu", "x");
  EXPECT_EQ((*read_text(graph + "versions { producer: 21 }").graph)->parameters()[0].output_type(0).to_string(),
            "f32[...]");
  EXPECT_EQ((*read_text(graph + "versions { producer: 23 }").graph)->parameters()[0].output_type(0).to_string(),
            "f32[...]");
  EXPECT_EQ((*read_text(graph + "versions { producer: 24 }").graph)->parameters()[0].output_type(0).to_string(),
            "f32[]");
  EXPECT_EQ((*read_text(graph + "versions { producer: 27 }").graph)->parameters()[0].output_type(0).to_string(),
            "f32[]");
}

TEST(TensorFlowGraph, ComplexPlaceholdersArePairsOfReals) {
  const std::string dtype = attribute("dtype", "type: DT_COMPLEX128");
  const Read read = read_text(node("x", "Placeholder", "", dtype + attribute("shape", "shape { dim { size: 3 } }")) +
                              node("y", "Real", "x"));
  EXPECT_EQ((*read.graph)->parameters()[0].output_type(0).to_string(), "f64[3,2]");
}

TEST(TensorFlowGraph, NodesThatOnlyHaveEffectsAreNotOutputs) {
  const Read read =
      read_text(placeholder("x") + placeholder("unused") + node("y", "Relu", "x") + node("s", "HistogramSummary", "y") +
                node("z", "Tanh", "x") + node("a", "Assert", "z") + node("n", "NoOp", "^z"));
  ASSERT_FALSE(read.graph);
  EXPECT_EQ(read.code(), "MO-TF-0013");
  ModelSource source;
  ModelFolder folder;
  source.input_model = folder.write("m.pb", graph_bytes(placeholder("x") + placeholder("unused") +
                                                        node("y", "Relu", "x") + node("s", "HistogramSummary", "y")));
  source.outputs = {"y"};
  const Read asked = read_source(source);
  ASSERT_TRUE(asked.graph) << asked.text();
  EXPECT_EQ((*asked.graph)->node_count(), 3U);  // x, y, Result: the rest is not needed
}

TEST(TensorFlowTensor, ValuesFillTheShape) {
  const auto reals = [](std::string_view tensor) {
    return *to_reals(tensor_of(read_text(constant(tensor) + node("y", "Relu", "c"))));
  };
  EXPECT_EQ(reals("dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: 1 float_val: 2"),
            (std::vector<double>{1, 2, 2}));
  EXPECT_EQ(reals("dtype: DT_FLOAT tensor_shape { dim { size: 2 } }"), (std::vector<double>{0, 0}));
  EXPECT_EQ(reals("dtype: DT_INT32 int_val: -7"), (std::vector<double>{-7}));
  EXPECT_EQ(reals("dtype: DT_HALF tensor_shape { dim { size: 2 } } half_val: 15360"), (std::vector<double>{1, 1}));
  EXPECT_EQ(reals("dtype: DT_BOOL tensor_shape { dim { size: 2 } } bool_val: true bool_val: false"),
            (std::vector<double>{1, 0}));
  EXPECT_EQ(reals("dtype: DT_COMPLEX64 tensor_shape { dim { size: 2 } } scomplex_val: 1 scomplex_val: -2"),
            (std::vector<double>{1, -2, 1, -2}));
  EXPECT_EQ(reals("dtype: DT_UINT8 tensor_shape { dim { size: 2 } } tensor_content: '\\001\\377'"),
            (std::vector<double>{1, 255}));
  EXPECT_EQ(reals("dtype: DT_QINT8 tensor_shape { dim { size: 1 } } int_val: -128"), (std::vector<double>{-128}));
}

TEST(TensorFlowTensor, SeveralValuesOfAScalarAreAVector) {
  for (const std::string tensor :
       {"dtype: DT_FLOAT float_val: 1 float_val: 2 float_val: 3",
        "dtype: DT_FLOAT tensor_shape { } float_val: [1, 2, 3]", "dtype: DT_INT8 tensor_content: '\\001\\002\\003'",
        "dtype: DT_INT64 tensor_shape { } int64_val: [1, 2, 3]"}) {
    SCOPED_TRACE(tensor);
    const Read read = read_text(constant(tensor) + node("y", "Relu", "c"));
    ASSERT_TRUE(read.graph) << read.code();
    ASSERT_EQ(read.sink.items.size(), 1U);
    EXPECT_EQ(read.sink.items.front().code, "MO-TF-0024");
    EXPECT_EQ(read.sink.items.front().node, "c");
    const Tensor value = tensor_of(read);
    EXPECT_EQ(value.shape(), Shape{3});
    EXPECT_EQ(*to_reals(value), (std::vector<double>{1, 2, 3}));
  }
}

TEST(TensorFlowTensor, MalformedOnes) {
  const auto code = [](std::string_view tensor) { return read_text(constant(tensor) + node("y", "Relu", "c")).code(); };
  EXPECT_EQ(code("dtype: DT_VARIANT"), "MO-TF-0020");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: -1 } }"), "MO-TF-0021");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: -5 } }"), "MO-TF-0021");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: 9223372036854775806 } dim { size: 4 } }"), "MO-TF-0021");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: 1 } } float_val: 1 float_val: 2"), "MO-TF-0022");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: 'abc'"), "MO-TF-0022");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_content: 'abcdef'"), "MO-TF-0022");
  EXPECT_EQ(code("dtype: DT_COMPLEX64 scomplex_val: [1, 2, 3, 4]"), "MO-TF-0022");
  EXPECT_EQ(code("dtype: DT_FLOAT tensor_shape { dim { size: 1000000000000 } } float_val: 1"), "MO-TF-0023");
}

TEST(TensorFlowGraph, MalformedNodes) {
  EXPECT_EQ(read_text("node { op: 'Relu' }").code(), "MO-TF-0003");
  EXPECT_EQ(read_text("node { name: 'y' }").code(), "MO-TF-0003");
  const Read twice = read_text(placeholder("x") + node("y", "Relu", "x") + node("y", "Tanh", "x"));
  EXPECT_EQ(twice.code(), "MO-TF-0004");
  EXPECT_NE(twice.text().find("number 1 of the graph, the second number 2"), std::string::npos) << twice.text();
  for (const char* input : {":0", "^", "x:999999999999", "x:-1", "x:zero", "x:", "^x:1"})
    EXPECT_EQ(read_text(placeholder("x") + node("y", "Relu", input)).code(), "MO-TF-0005") << input;
  EXPECT_EQ(read_text(placeholder("x") + "node { name: 'y' op: 'Relu' input: '' }").code(), "MO-TF-0005");
  EXPECT_EQ(read_text(placeholder("x") + node("y", "Relu", "x:1")).code(), "MO-TF-0005");
  const Read unknown = read_text(placeholder("features") + node("y", "Relu", "feature"));
  EXPECT_EQ(unknown.code(), "MO-TF-0006");
  EXPECT_NE(unknown.text().find("did you mean 'features'"), std::string::npos) << unknown.text();
  EXPECT_EQ(read_text(placeholder("x") + node("y", "Relu", "x ^gone")).code(), "MO-TF-0006");
  EXPECT_EQ(read_text(node("y", "Relu", "y")).code(), "MO-TF-0009");
  EXPECT_EQ(read_text(node("n", "NoOp", "^n2") + node("n2", "NoOp")).code(), "MO-TF-0013");
}

TEST(TensorFlowGraph, ListsThatAreTooLong) {
  GraphDef graph;
  auto* made = graph.add_node();
  made->set_name("y");
  made->set_op("Any");
  for (int i = 0; i < (1 << 22) + 1; ++i) (*made->mutable_attr())["ints"].mutable_list()->add_i(1);
  EXPECT_EQ(read_bytes(graph.SerializeAsString()).code(), "MO-TF-0011");
}

TEST(TensorFlowGraph, ABinaryFileDeclaredAsTextIsReadWithAWarning) {
  ModelFolder folder;
  ModelSource source;
  source.is_text = true;
  const std::string text = placeholder("x") + node("y", "Relu", "x");
  source.input_model = folder.write("m.pb", graph_bytes(text));
  const Read binary = read_source(source);
  EXPECT_EQ(binary.code(), "");
  ASSERT_EQ(binary.sink.items.size(), 1U);
  EXPECT_EQ(binary.sink.items[0].code, "MO-TF-0018");
  source.input_model = folder.write("m.pbtxt", text);
  EXPECT_TRUE(read_source(source).sink.items.empty());
}

TEST(TensorFlowGraph, WrongKindsOfFiles) {
  ModelFolder folder;
  const auto code = [&](std::string_view content) {
    ModelSource source;
    source.input_model = folder.write("m.pb", content);
    return read_source(source).code();
  };
  EXPECT_EQ(code(""), "MO-IO-0020");
  EXPECT_EQ(code("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "MO-IO-0021");
  EXPECT_EQ(code("<!DOCTYPE html><html></html>"), "MO-IO-0022");
  EXPECT_EQ(code(std::string("PK\3\4") + std::string(30, '\1')), "MO-IO-0023");
  EXPECT_EQ(code("node { name: 'x' op: 'Placeholder' }\nnode { nonsense"), "MO-TF-0002");
  EXPECT_EQ(code(graph_bytes(placeholder("x") + node("y", "Relu", "x"))), "");
  EXPECT_EQ(code(placeholder("x") + node("y", "Relu", "x")), "");  // text is recognised
  SavedModel saved;
  saved.set_saved_model_schema_version(1);
  saved.add_meta_graphs()->mutable_graph_def()->add_node()->set_name("x");
  EXPECT_EQ(code(saved.SerializeAsString()), "MO-TF-0001");
}

/// Every prefix of a model is either refused or a model; nothing crashes, nothing hangs.
TEST(TensorFlowGraph, TruncatedAtEveryByte) {
  const std::string bytes =
      graph_bytes(placeholder("x") +
                  constant("dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: 1 float_val: 2 float_val: 3") +
                  node("y", "AddV2", "x c", attribute("T", "type: DT_FLOAT") + attribute("l", "list { i: 1 i: 300 }")));
  ASSERT_TRUE(read_bytes(bytes).graph);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Read read = read_bytes(std::string_view(bytes).substr(0, size));
    EXPECT_TRUE(read.graph || !read.code().empty()) << size;
  }
}

/// One byte changed at a time: whatever it makes of the model, it is refused or read.
TEST(TensorFlowGraph, EveryByteChanged) {
  const std::string bytes =
      graph_bytes(placeholder("x") + constant("dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: 1") +
                  node("y", "AddV2", "x c"));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const unsigned flip : {1U, 0x80U, 0xFFU}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      const Read read = read_bytes(changed);
      EXPECT_TRUE(read.graph || !read.code().empty()) << at;
    }
}

}  // namespace
}  // namespace mo::tensorflow::testing
