#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::tensorflow::testing {
namespace {

std::string signature(std::string_view name, std::string_view input, std::string_view output) {
  return "signature_def { key: '" + std::string(name) + "' value { inputs { key: 'in' value { name: '" +
         std::string(input) +
         ":0' dtype: DT_FLOAT tensor_shape { dim { size: -1 } dim { size: 3 } } } } outputs { key: 'out' value { name: "
         "'" +
         std::string(output) + "' } } } }\n";
}
std::string meta(std::string_view tags, std::string_view nodes, std::string_view signatures) {
  std::string text = "meta_graphs { meta_info_def {";
  while (!tags.empty()) {
    const std::string_view tag = tags.substr(0, tags.find(','));
    tags.remove_prefix(std::min(tags.size(), tag.size() + 1));
    text += " tags: '" + std::string(tag) + "'";
  }
  return text + " } graph_def { " + std::string(nodes) + " } " + std::string(signatures) + " }\n";
}
const std::string kNodes =
    placeholder("x") + placeholder("other") + node("y", "Relu", "x") + node("z", "TopKV2", "x x");

/// A SavedModel in text form in a folder of its own.
class SavedModelTest : public ::testing::Test {
 protected:
  Read read(const std::string& text, std::vector<std::string> tags = {}, std::string name = {},
            std::vector<std::string> outputs = {}) {
    folder_.write("saved_model.pbtxt", text);
    ModelSource source;
    source.saved_model_dir = folder_.path();
    source.tags = std::move(tags);
    source.signature = std::move(name);
    source.outputs = std::move(outputs);
    return read_source(source);
  }
  ModelFolder folder_;
};

TEST_F(SavedModelTest, SignatureNamesBecomeTensorNames) {
  const Read model = read(meta("serve", kNodes, signature("serving_default", "x", "z:1")));
  ASSERT_TRUE(model.graph) << model.text();
  const auto parameters = (*model.graph)->parameters();
  ASSERT_EQ(parameters.size(), 1U);  // "other" is not needed
  const auto has = [](const Value& value, std::string_view name) {
    const auto names = value.data().tensor_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has(parameters[0].output(), "in"));
  EXPECT_TRUE(has(parameters[0].output(), "x:0"));
  EXPECT_EQ(parameters[0].output_type(0).to_string(), "f32[2,3]");  // what the node and the signature know together
  const auto results = (*model.graph)->results();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_TRUE(has(results[0].input(0), "out"));
  EXPECT_EQ(results[0].input(0).index(), 1U);
}

TEST_F(SavedModelTest, ASignatureThatFeedsAnInnerTensorCutsThere) {
  const Read model = read(meta("serve", kNodes + node("w", "Tanh", "y"), signature("serving_default", "y", "w:0")));
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ((*model.graph)->parameters()[0].name(), "y");
  EXPECT_FALSE(model.node("x"));
  // Only one of several outputs of a node is fed.
  const Read part = read(meta("serve", kNodes + node("w", "AddV2", "z:1 z"),
                              "signature_def { key: 's' value { inputs { key: 'in' value { name: 'z:1' } } outputs { "
                              "key: 'out' value { name: 'w:0' } } } }"));
  ASSERT_TRUE(part.graph) << part.text();
  EXPECT_TRUE(part.node("z/placeholder_out_port_1"));
  EXPECT_TRUE(part.node("z"));
}

TEST_F(SavedModelTest, SignaturesAreChosen) {
  const std::string two =
      meta("serve", kNodes,
           signature("a", "x", "y:0") + signature("b", "x", "z:0") + signature("__saved_model_init_op", "x", "y:0"));
  const Read unclear = read(two);
  EXPECT_EQ(unclear.code(), "MO-TF-0033");
  EXPECT_NE(unclear.text().find("'a', 'b'"), std::string::npos) << unclear.text();
  EXPECT_EQ(read(two, {}, "c").code(), "MO-TF-0033");
  EXPECT_EQ(read(two, {}, "b").code(), "");
  EXPECT_EQ(read(meta("serve", kNodes, signature("only", "x", "y:0"))).code(), "");
  EXPECT_EQ((*read(meta("serve", kNodes, "")).graph)->results().size(), 2U);  // no signature: tensors without readers
  EXPECT_EQ(read(meta("serve", kNodes, signature("serving_default", "gone", "y:0"))).code(), "MO-TF-0006");
  EXPECT_EQ(read(meta("serve", kNodes, signature("serving_default", "x", "gone:0"))).code(), "MO-TF-0006");
}

TEST_F(SavedModelTest, TagsAreChosen) {
  const std::string two = meta("serve,gpu", kNodes, "") + meta("train", kNodes, "");
  const Read unclear = read(two);
  EXPECT_EQ(unclear.code(), "MO-TF-0032");
  EXPECT_NE(unclear.text().find("[serve,gpu], [train]"), std::string::npos) << unclear.text();
  EXPECT_EQ(read(two, {"gpu", "serve"}).code(), "");
  EXPECT_EQ(read(two, {"serve"}).code(), "MO-TF-0032");
  EXPECT_EQ(read(meta("serve", kNodes, "") + meta("train", kNodes, "")).code(), "");  // serving is what a model is for
  EXPECT_EQ(read(meta("anything", kNodes, "")).code(), "");                           // there is only one
  std::string many;
  for (int i = 0; i < 1000; ++i) many += meta("tag" + std::to_string(i), "", "");
  EXPECT_EQ(read(many).code(), "MO-TF-0032");
}

TEST_F(SavedModelTest, RequestedOutputsReplaceThoseOfTheSignature) {
  const Read model = read(meta("serve", kNodes, signature("serving_default", "x", "z:1")), {}, {}, {"y"});
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_TRUE(model.node("y"));
  EXPECT_FALSE(model.node("z"));
}

TEST_F(SavedModelTest, PathsThatAreNotSavedModels) {
  ModelSource source;
  source.saved_model_dir = folder_ / "gone";
  EXPECT_EQ(read_source(source).code(), "MO-TF-0030");
  source.saved_model_dir = folder_.path();
  EXPECT_EQ(read_source(source).code(), "MO-TF-0030");
  folder_.write("saved_model.pb", "x");
  EXPECT_EQ(read(meta("serve", kNodes, "")).code(), "MO-TF-0031");
  std::filesystem::remove(folder_ / "saved_model.pb");
  EXPECT_EQ(read("saved_model_schema_version: 1").code(), "MO-TF-0001");
}

TEST_F(SavedModelTest, MetaGraphs) {
  ModelSource source;
  source.meta_graph = folder_.write("m.meta", "graph_def { " + kNodes + " } " + signature("s", "x", "y:0"));
  const Read sinks = read_source(source);
  ASSERT_TRUE(sinks.graph) << sinks.text();
  EXPECT_EQ((*sinks.graph)->results().size(), 2U);
  source.outputs = {"y"};
  EXPECT_EQ((*read_source(source).graph)->results().size(), 1U);
  source.meta_graph = folder_.write("empty.meta", "meta_info_def { }");
  EXPECT_EQ(read_source(source).code(), "MO-TF-0001");
}

}  // namespace
}  // namespace mo::tensorflow::testing
