#include "frontends/tensorflow/graph_def/graph_def.hpp"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include "core/files/output_set.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/text_form.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::tensorflow::testing {
namespace {

namespace fs = std::filesystem;

GraphDef parsed(std::string_view bytes) {
  GraphDef graph;
  EXPECT_TRUE(graph.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  return graph;
}

GraphDef from_text(const std::string& text) {
  GraphDef graph;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  return graph;
}

/// "" when both say the same, field by field, unknown fields included; otherwise the first differences.
std::string difference(const GraphDef& a, const GraphDef& b) {
  google::protobuf::util::DefaultFieldComparator comparator;
  comparator.set_treat_nan_as_equal(true);
  google::protobuf::util::MessageDifferencer differencer;
  differencer.set_field_comparator(&comparator);
  std::string report;
  differencer.ReportDifferencesToString(&report);
  differencer.Compare(a, b);
  return report.substr(0, 2000);
}

std::unique_ptr<Graph> read_unlinked(std::string_view bytes) {
  DiagnosticList sink;
  auto graph = read_graph_def_bytes(bytes, sink);
  EXPECT_TRUE(graph) << test::text_of(graph.error());
  return graph ? *std::move(graph) : nullptr;
}

/// Reads and writes the graph; the difference between both.
std::string changed_by_round_trip(const GraphDef& graph) {
  const auto read = read_unlinked(graph.SerializeAsString());
  if (!read) return "unreadable";
  const auto bytes = graph_def_bytes(*read);
  if (!bytes) return test::text_of(bytes.error());
  return difference(graph, parsed(*bytes));
}

std::string with_value(const std::string& value) { return node("n", "Op", "", attribute("a", value)); }

TEST(GraphDef, EveryKindOfAttributeIsWrittenAsItWasRead) {
  for (const std::string value :
       {"s: 'text'",
        "s: ''",
        "s: 'DT_FLOAT'",
        "s: '\\000\\377'",
        "i: -5",
        "i: 9223372036854775807",
        "f: 0.1",
        "f: nan",
        "f: -inf",
        "f: 1e-45",
        "b: true",
        "b: false",
        "type: DT_FLOAT",
        "type: DT_QUINT8",
        "type: DT_FLOAT_REF",
        "type: DT_RESOURCE",
        "type: DT_INVALID",
        "type: 77",
        "shape { unknown_rank: true }",
        "shape {}",
        "shape { dim { size: -1 } dim { size: 0 } dim { size: 3 name: 'rows' } }",
        "list {}",
        "list { i: 1 i: -2 }",
        "list { f: 0.25 f: 0.1 }",
        "list { s: 'a' s: '' }",
        "list { s: 'DT_FLOAT' }",
        "list { b: true b: false }",
        "list { type: DT_FLOAT type: DT_QINT32 type: DT_INT64_REF }",
        "list { shape { dim { size: 1 } } shape { unknown_rank: true } }",
        "list { tensor { dtype: DT_INT32 int_val: 1 } }",
        "list { i: 1 s: 'a' }",
        "list { func { name: 'f' } }",
        "placeholder: 'T'",
        "func { name: 'f' }",
        "func { name: 'f' attr { key: 'T' value { type: DT_HALF } } }",
        "func { name: 'f' attr { key: 'z' value { i: 1 } } attr { key: 'a' value { placeholder: 'x' } } }",
        ""})
    EXPECT_EQ(changed_by_round_trip(from_text(with_value(value))), "") << value;
}

TEST(GraphDef, EverySpellingOfATensorIsKept) {
  for (const std::string tensor :
       {"dtype: DT_FLOAT float_val: 1", "dtype: DT_FLOAT tensor_shape {} tensor_content: '\\000\\000\\200?'",
        "dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2",
        "dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 1",
        "dtype: DT_FLOAT tensor_shape { dim { size: 0 } }",
        "dtype: DT_INT32 tensor_shape { dim { size: 2 } } tensor_content: '\\001\\000\\000\\000\\002\\000\\000\\000'",
        "dtype: DT_QUINT8 tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002'",
        "dtype: DT_HALF tensor_shape {} half_val: 15360",
        "dtype: DT_COMPLEX64 tensor_shape {} scomplex_val: 1 scomplex_val: 2",
        "dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: 'a' string_val: ''",
        "dtype: DT_RESOURCE resource_handle_val { name: 'v' }",
        "dtype: DT_VARIANT variant_val { type_name: 't' metadata: 'm' }", "dtype: DT_BOOL bool_val: true",
        "dtype: DT_BOOL tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002'",
        "dtype: DT_INT64 tensor_shape { dim { size: 3 } } int64_val: -1",
        "dtype: DT_FLOAT tensor_shape { dim { size: 3 } } tensor_content: 'odd'",
        "dtype: DT_FLOAT version_number: 3 float_val: 1",
        "dtype: DT_INT32 tensor_shape { dim { size: 100000 } } int_val: 7"})
    EXPECT_EQ(changed_by_round_trip(from_text(with_value("tensor { " + tensor + " }"))), "") << tensor;
}

TEST(GraphDef, InputsKeepTheirSpellingAndOrder) {
  EXPECT_EQ(changed_by_round_trip(from_text(node("a", "Split") + node("b", "Add", "a:0 a:1") +
                                            node("c", "Add", "^a a ^b b") + node("d", "NoOp", "^a ^a") +
                                            node("loop", "Merge", "a next") + node("next", "NextIteration", "loop:1"))),
            "");
}

TEST(GraphDef, PartsOtherThanNodesAreKept) {
  EXPECT_EQ(changed_by_round_trip(from_text(
                node("a", "NoOp") + "library { function { signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } "
                                    "} node_def { name: 'n' op: "
                                    "'Relu' input: 'x' } ret { key: 'y' value: 'n:activations:0' } } gradient { "
                                    "function_name: 'f' gradient_func: 'g' } } "
                                    "version: 21 versions { producer: 987 min_consumer: 12 bad_consumers: 1 }")),
            "");
  EXPECT_EQ(changed_by_round_trip(from_text(
                "node { name: 'a' op: 'NoOp' device: '/cpu:0' experimental_debug_info { original_node_names: 'b' } }")),
            "");
}

TEST(GraphDef, UnknownFieldsAreKept) {
  GraphDef graph = from_text(node("a", "NoOp", "", attribute("k", "i: 1")));
  graph.GetReflection()->MutableUnknownFields(&graph)->AddVarint(99, 5);
  NodeDef& node = *graph.mutable_node(0);
  auto* const fields = node.GetReflection()->MutableUnknownFields(&node);
  fields->AddLengthDelimited(100, "bytes");
  fields->AddFixed32(101, 7);
  fields->AddFixed64(102, 8);
  fields->AddGroup(103)->AddVarint(1, 2);
  AttrValue& value = (*node.mutable_attr())["k"];
  value.GetReflection()->MutableUnknownFields(&value)->AddVarint(98, 1);
  EXPECT_EQ(changed_by_round_trip(graph), "");
}

TEST(GraphDef, AChangedAttributeIsWrittenAnewAndOthersStay) {
  const auto graph =
      read_unlinked(from_text(with_value("tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 1 }"))
                        .SerializeAsString());
  ASSERT_TRUE(graph);
  const Node node = graph->find_node("n");
  ASSERT_TRUE(node.set_attr("a", std::vector<std::int64_t>{3}));
  const auto bytes = graph_def_bytes(*graph);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(difference(from_text(with_value("list { i: 3 }")), parsed(*bytes)), "");
}

TEST(GraphDef, AConstantKeepsItsQuantisedType) {
  const auto graph =
      read_unlinked(from_text(node("c", "Const", "", attribute("dtype", "type: DT_QUINT8"))).SerializeAsString());
  ASSERT_TRUE(graph);
  ASSERT_TRUE(graph->find_node("c").set_attr("value", Tensor::vector<std::uint8_t>({1, 2})));
  const auto text = graph_def_text(*graph);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("tensor {\n        dtype: DT_QUINT8"), std::string::npos) << *text;
}

TEST(GraphDef, AttributesThatNoGraphDefCanHoldAreAnError) {
  const auto graph = read_unlinked(from_text(node("c", "Op")).SerializeAsString());
  ASSERT_TRUE(graph);
  AttributeList of_a_list;  // not in braces: compilers do not agree whether {list} is a copy of the list
  of_a_list.emplace_back(AttributeList{});
  ASSERT_TRUE(graph->find_node("c").set_attr("a", of_a_list));
  const auto bytes = graph_def_bytes(*graph);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().first().code, "MO-TF-0050");
  EXPECT_EQ(bytes.error().first().node, "c");
}

TEST(GraphDef, AnInputWithoutAProducerIsAnError) {
  const auto graph = read_unlinked(from_text(node("c", "Op") + node("d", "Op", "c")).SerializeAsString());
  ASSERT_TRUE(graph);
  graph->erase(graph->find_node("c"));
  const auto bytes = graph_def_bytes(*graph);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().first().code, "MO-TF-0051");
}

TEST(GraphDef, TextIsReadAndPrinted) {
  DiagnosticList sink;
  const auto graph = read_graph_def_text(node("c", "Op", "", attribute("a", "i: 3")), sink);
  ASSERT_TRUE(graph);
  const auto text = graph_def_text(**graph);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "node {\n  name: \"c\"\n  op: \"Op\"\n  attr {\n    key: \"a\"\n    value {\n      i: 3\n    }\n  }\n}\n");
  EXPECT_EQ(text_from_bytes("no message", TextMessage::graph_def).error().first().code, "MO-TF-0052");
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The GraphDefs in a file: itself, or those of its MetaGraphs.
std::vector<GraphDef> graphs_in(const fs::path& path) {
  const std::string content = content_of(path);
  if (path.filename() == "saved_model.pb") {
    SavedModel model;
    EXPECT_TRUE(model.ParseFromString(content)) << path;
    std::vector<GraphDef> graphs;
    for (const MetaGraphDef& meta : model.meta_graphs()) graphs.push_back(meta.graph_def());
    return graphs;
  }
  if (path.extension() == ".meta") {
    MetaGraphDef meta;
    EXPECT_TRUE(meta.ParseFromString(content)) << path;
    return {meta.graph_def()};
  }
  if (path.extension() == ".pb") return {parsed(content)};
  return {};
}

TEST(RealGraphDefs, AreWrittenBackFieldByField) {
  const fs::path root = test::shared_models() + "/tf";
  if (test::skips_without(fs::is_directory(root)))
    GTEST_SKIP() << "there are no models at " << root << " (set MO_SHARED)";
  std::size_t graphs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    for (const GraphDef& graph : graphs_in(entry.path())) {
      ++graphs;
      EXPECT_EQ(changed_by_round_trip(graph), "") << entry.path();
    }
  }
  EXPECT_GE(graphs, 30U);
}

TEST(RealGraphDefs, AreStreamedFromFileToFile) {
  const ModelFolder folder;
  GraphDef graph = from_text(node("c", "Const", "", attribute("dtype", "type: DT_FLOAT")) + node("y", "Relu", "c"));
  TensorProto& tensor = *(*graph.mutable_node(0)->mutable_attr())["value"].mutable_tensor();
  tensor.set_dtype(DT_FLOAT);
  tensor.mutable_tensor_shape()->add_dim()->set_size(1 << 20);
  tensor.set_tensor_content(std::string(4 << 20, 'x'));
  const std::string path = folder.write("large.pb", graph.SerializeAsString());
  DiagnosticList sink;
  const auto read = read_graph_def(path, sink);
  ASSERT_TRUE(read);
  EXPECT_FALSE((*read)->find_node("c").attr<Tensor>("value")->in_memory());
  const auto set = OutputSet::create(folder.path(), "copy", {"copy.pb"});
  ASSERT_TRUE(set);
  OutputFile& file = **(*set)->open(0);
  ASSERT_TRUE(write_graph_def(**read, file));
  ASSERT_TRUE(file.close());
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(difference(graph, parsed(content_of(folder / "copy.pb"))), "");
}

}  // namespace
}  // namespace mo::tensorflow::testing
