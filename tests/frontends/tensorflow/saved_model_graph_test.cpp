#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"

#include <google/protobuf/util/message_differencer.h>

#include "core/files/output_set.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/text_form.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

// Graphs of SavedModels that are rewritten.
namespace mo::tensorflow::testing {
namespace {

namespace fs = std::filesystem;

/// Two MetaGraphs; the one for serving has all that names nodes of its graph.
const std::string kTwoGraphs =
    "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'train' } graph_def { " + node("t", "NoOp", "") +
    " } }\n"
    "meta_graphs { meta_info_def { tags: 'serve' stripped_default_attrs: true } graph_def { " +
    placeholder("x") + node("y", "Relu", "x") + node("file", "Placeholder", "") + node("restore", "NoOp", "") +
    node("save", "Identity", "file") + node("init", "NoOp", "") + node("spare", "NoOp", "") +
    " versions { producer: 9 } }\n"
    "saver_def { filename_tensor_name: 'file:0' save_tensor_name: 'save:0' restore_op_name: 'restore' }\n"
    "collection_def { key: 'saved_model_main_op' value { node_list { value: 'init' } } }\n"
    "collection_def { key: 'other' value { node_list { value: 'nobody' } } }\n"
    "signature_def { key: 'serving_default' value { inputs { key: 'in' value { name: 'x:0' } } outputs { key: 'out' "
    "value { name: 'y:0' } } } }\n"
    "signature_def { key: 'more' value { inputs { key: 'in' value { name: 'x:0' } } outputs { key: 'b' value { name: "
    "'y:1' } } } }\n"
    "signature_def { key: '__saved_model_init_op' value { outputs { key: 'o' value { name: 'init:0' } } } } }\n";

class SavedModelGraph : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> read(const std::vector<std::string>& tags = {}) {
    folder_.write("saved_model.pbtxt", kTwoGraphs);
    DiagnosticList sink;
    auto graph = read_saved_model_graph(folder_.path(), tags, sink);
    EXPECT_TRUE(graph) << test::text_of(graph.error());
    return graph ? *std::move(graph) : nullptr;
  }
  static std::string code_of_writing(const Graph& graph) {
    const auto text = saved_model_text(graph);
    return text ? std::string() : std::string(text.error().first().code);
  }
  ModelFolder folder_;
};

TEST_F(SavedModelGraph, AllElseIsKept) {
  const auto graph = read();
  ASSERT_TRUE(graph);
  EXPECT_TRUE(is_of_saved_model(*graph));
  const auto written = saved_model_text(*graph);
  ASSERT_TRUE(written) << test::text_of(written.error());
  const auto original = bytes_from_text(kTwoGraphs, TextMessage::saved_model);
  EXPECT_EQ(*written, *text_from_bytes(*original, TextMessage::saved_model));
}

TEST_F(SavedModelGraph, OnlyTheGraphOfTheseTagsChanges) {
  const auto graph = read({"train"});
  ASSERT_TRUE(graph);
  ASSERT_TRUE(graph->find_node("t"));
  graph->find_node("t").set_name("u");
  const auto written = saved_model_text(*graph);
  ASSERT_TRUE(written);
  EXPECT_NE(written->find("name: \"u\""), std::string::npos);
  EXPECT_NE(written->find("name: \"spare\""), std::string::npos);
}

TEST_F(SavedModelGraph, SignaturesAndLoadingDetermineTheNeededNodes) {
  const auto graph = read();
  ASSERT_TRUE(graph);
  EXPECT_EQ(signature_inputs(*graph), (std::vector<std::string>{"x"}));
  EXPECT_EQ(signature_outputs(*graph), (std::vector<std::string>{"y:1", "y"}));
  EXPECT_EQ(loading_nodes(*graph), (std::vector<std::string>{"file", "save", "restore", "init"}));
}

TEST_F(SavedModelGraph, NodesNamedBySignaturesAndLoadingMustExist) {
  for (const auto& [name, code] : {std::pair("x", "MO-TF-0053"),
                                   {"y", "MO-TF-0053"},
                                   {"restore", "MO-TF-0053"},
                                   {"init", "MO-TF-0053"},
                                   {"spare", ""}}) {
    const auto graph = read();
    ASSERT_TRUE(graph);
    graph->find_node(name).set_name("renamed");
    EXPECT_EQ(code_of_writing(*graph), code) << name;
  }
}

std::string content_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RealSavedModels, AreWrittenBackFieldByField) {
  const fs::path root = test::shared_models() + "/tf";
  if (test::skips_without(fs::is_directory(root)))
    GTEST_SKIP() << "there are no models at " << root << " (set MO_SHARED)";
  std::size_t models = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().filename() != "saved_model.pb") continue;
    DiagnosticList sink;
    const auto graph = read_saved_model_graph(entry.path().parent_path().string(), {}, sink);
    ASSERT_TRUE(graph) << test::text_of(graph.error());
    const ModelFolder folder;
    const auto set = OutputSet::create(folder.path(), "copy", {"copy.pb"});
    ASSERT_TRUE(set);
    OutputFile& file = **(*set)->open(0);
    ASSERT_TRUE(write_saved_model(**graph, file));
    ASSERT_TRUE(file.close());
    ASSERT_TRUE((*set)->commit());
    SavedModel before;
    SavedModel after;
    ASSERT_TRUE(before.ParseFromString(content_of_file(entry.path())));
    ASSERT_TRUE(after.ParseFromString(content_of_file(folder / "copy.pb")));
    google::protobuf::util::MessageDifferencer differencer;
    std::string report;
    differencer.ReportDifferencesToString(&report);
    EXPECT_TRUE(differencer.Compare(before, after)) << entry.path() << report.substr(0, 2000);
    ++models;
  }
  EXPECT_GE(models, 11U);
}

}  // namespace
}  // namespace mo::tensorflow::testing
