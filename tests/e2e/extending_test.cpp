#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/convert.hpp"
#include "driver/replacements.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// A folder of its own with a TensorFlow model in it: x -> net/block (a, b, c) -> y.
class Extending : public testing::Test {
 protected:
  Extending() : folder_(fs::path(testing::TempDir()) / ("mo_extending_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "out");
    options_.input_model = write("m.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "net/block/a" op: "Sigmoid" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/block/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT
  tensor_shape { dim { size: 3 } } float_val: 1 float_val: 2 float_val: 3 } } } }
node { name: "net/block/b" op: "Mul" input: "net/block/a" input: "net/block/w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/block/c" op: "Tanh" input: "net/block/b" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "net/block/c" attr { key: "T" value { type: DT_FLOAT } } })");
    options_.output_dir = (folder_ / "out").string();
  }
  ~Extending() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// All errors as text; empty when it went well.
  std::string run() {
    sink_.items.clear();
    report_ = {};
    auto report = convert(options_, sink_);
    std::string text;
    if (!report) {
      for (const Diagnostic& d : report.error().items()) text += d.format() + "\n";
      return text;
    }
    report_ = *report;
    return text;
  }
  std::string xml() { return read(folder_ / "out" / "m.xml"); }

  fs::path folder_;
  Options options_;
  DiagnosticList sink_;
  Report report_;
};

TEST_F(Extending, AnUnknownOpReachesTheIrByAFewLinesOfJson) {
  options_.transformations_config = write("c.json", R"([
    {
        "id": "anything",
        "op": "FancyBlock",
        "match_kind": "scope",
        "instances": ["net/block/"],
        "custom_attributes": {"alpha": 0.5, "mode": "fast", "sizes": [1, 2]}
    }
])");
  ASSERT_EQ(run(), "");
  const std::string text = xml();
  EXPECT_NE(text.find("name=\"net/block/c\" type=\"FancyBlock\" version=\"extension\""), std::string::npos) << text;
  EXPECT_NE(text.find("<data alpha=\"0.5\" mode=\"fast\" sizes=\"1, 2\" />"), std::string::npos) << text;
  EXPECT_EQ(text.find("Tanh"), std::string::npos);
  EXPECT_EQ(text.find("type=\"Const\""), std::string::npos) << "the hidden sub-graph is not written";
  EXPECT_EQ(report_.layers, 4U);
  EXPECT_EQ(fs::file_size(folder_ / "out" / "m.bin"), 0U);
}

TEST_F(Extending, TheUpdateCompletesTheFileAndWritesNoIr) {
  const std::string config =
      write("c.json", R"([{"id": "any", "op": "FancyBlock", "match_kind": "scope", "instances": [".*block"]}])");
  options_.tensorflow.custom_operations_config_update = config;
  ASSERT_EQ(run(), "");
  EXPECT_EQ(report_.xml_path, "");
  EXPECT_TRUE(fs::is_empty(folder_ / "out"));
  const std::string text = read(config);
  EXPECT_NE(text.find("\"node\": \"a$\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"node\": \"c$\""), std::string::npos) << text;
  options_.tensorflow.custom_operations_config_update.clear();
  options_.transformations_config = config;
  ASSERT_EQ(run(), "");
  EXPECT_NE(xml().find("FancyBlock"), std::string::npos);
}

TEST_F(Extending, ErrorsOfAllFilesAreReportedBeforeTheModelIsRead) {
  options_.transformations_config =
      write("a.json", "[{\"id\": \"a\"}]") + "," + write("b.json", "[{]") + "," + (folder_ / "none.json").string();
  options_.input_model = (folder_ / "none.pb").string();
  const std::string text = run();
  for (const char* part :
       {"a.json:1:2", "MO-CONFIG-0004", "b.json:1:3", "MO-CONFIG-0002", "none.json", "MO-CONFIG-0001"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Extending, AnIdWithoutAReplacerIsAnError) {
  options_.transformations_config = write("c.json", R"([{"id": "NobodyHasThis", "match_kind": "general"}])");
  EXPECT_NE(run().find("MO-CONFIG-0009"), std::string::npos);
}

TEST_F(Extending, AConfigurationOfAnotherModelIsAWarningWithNames) {
  options_.transformations_config = write(
      "c.json",
      R"([{"id": "any", "op": "X", "match_kind": "points", "instances": {"start_points": ["net/blok/a"], "end_points": ["net/block/c"]}}])");
  ASSERT_EQ(run(), "");
  ASSERT_FALSE(sink_.items.empty());
  EXPECT_EQ(sink_.items[0].code, "MO-CONFIG-0026");
  EXPECT_NE(sink_.items[0].format().find("did you mean 'net/block/a'?"), std::string::npos) << sink_.items[0].format();
}

TEST_F(Extending, TransformsAreCheckedBeforeAnythingElse) {
  options_.transform = "LowLatency9";
  EXPECT_NE(run().find("MO-CONFIG-0041"), std::string::npos);
  options_.transform = "ConstantFolding";
  EXPECT_NE(run().find("it runs anyway"), std::string::npos);
  for (const char* wrong : {"A[", "A[k=]", "A[k=1", "A]", "A,B,A", "A[k=\"1\"]", "A[k=\u201ctrue\u201d]", "A[k='x']",
                            "A[k=1,B[k=2]", "A(k=1", "A(k=1]"}) {
    const auto parsed = parse_transforms(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().first().code, "MO-CONFIG-0040");
  }
  const auto parsed = parse_transforms("A[x=1;y=0.5;z=true;w=abc],B");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 2U);
  const auto settings = settings_in((*parsed)[0], graph_pass("A").run({}));
  ASSERT_TRUE(settings);
  EXPECT_EQ(*settings, (AttributeMap{{"x", 1}, {"y", 0.5}, {"z", true}, {"w", "abc"}}));
}

TEST_F(Extending, SettingsOfTransformsAreThoseThatTheyDeclare) {
  options_.transform = "LowLatency2[use_const_initialiser=false]";
  const std::string unknown = run();
  EXPECT_NE(unknown.find("MO-PASS-0022: --transform: LowLatency2: there is no setting use_const_initialiser"),
            std::string::npos)
      << unknown;
  EXPECT_NE(unknown.find("did you mean 'use_const_initializer'?"), std::string::npos) << unknown;
  options_.transform = "LowLatency2[use_const_initializer=perhaps]";
  const std::string kind = run();
  EXPECT_NE(kind.find("MO-PASS-0023: --transform: LowLatency2: setting use_const_initializer: a boolean is expected"),
            std::string::npos)
      << kind;
  options_.transform = "LowLatency2[use_const_initializer=true;use_const_initializer=false]";
  EXPECT_NE(run().find("MO-PASS-0026"), std::string::npos);
  for (const char* spelling :
       {"LowLatency2[use_const_initializer=false]", "LowLatency2(use_const_initializer=false)", "LowLatency2(false)"}) {
    options_.transform = spelling;
    EXPECT_EQ(run(), "") << spelling;
  }
}

TEST_F(Extending, PruningTakesZeroChannelsOut) {
  options_.input_model = write("m.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 2 } } } } }
node { name: "v" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT
  tensor_shape { dim { size: 2 } dim { size: 3 } } float_val: 1 float_val: 0 float_val: 2 float_val: 3 float_val: 0 float_val: 4 } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT
  tensor_shape { dim { size: 3 } dim { size: 1 } } float_val: 1 float_val: 2 float_val: 3 } } } }
node { name: "a" op: "MatMul" input: "x" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b" op: "Relu" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "MatMul" input: "b" input: "w" attr { key: "T" value { type: DT_FLOAT } } })");
  ASSERT_EQ(run(), "");
  const auto size_of_constants = [&] { return fs::file_size(folder_ / "out" / "m.bin"); };
  EXPECT_EQ(size_of_constants(), 9 * sizeof(float));
  options_.transform = "Pruning";
  for (const int version : {10, 11}) {
    options_.ir_version = version;
    ASSERT_EQ(run(), "");
    EXPECT_EQ(size_of_constants(), 6 * sizeof(float)) << "without the channel of zeros";
  }
  options_.transform = "LowLatency9";
  EXPECT_NE(run().find("Pruning, LowLatency2, MakeStateful"), std::string::npos);
}

TEST_F(Extending, EnvironmentVariablesSwitchPasses) {
  const auto status = [&](const std::string& environment) {
    const std::string command = environment + " " + MO_BIN_DIR + "/mo --input_model " + options_.input_model +
                                " --output_dir " + options_.output_dir + " --silent > /dev/null 2>&1";
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(status("MO_DISABLED_TRANSFORMS=extensions.middle.ConstantFolding"), 0);
  EXPECT_EQ(status("MO_DISABLED_TRANSFORMS=NoSuchPass"), 2);
  EXPECT_EQ(status("MO_ENABLED_TRANSFORMS=NoSuchPass"), 2);
}

}  // namespace
}  // namespace mo
