#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "extensions/config/config_update.hpp"
#include "tests/extensions/config_run.hpp"

namespace mo::config {
namespace {

/// A folder with a configuration in it.
class ConfigUpdate : public testing::Test {
 protected:
  ConfigUpdate() : folder_(std::filesystem::path(testing::TempDir()) / ("mo_config_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ConfigUpdate() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "c.json").string(); }
  std::string update(const std::string& text) {
    std::ofstream(path()) << text;
    const auto graph = parse(kBlocks);
    const auto done = update_config_file(path(), *graph, sink_);
    if (!done) return done.error().first().code;
    std::ifstream in(path());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path folder_;
  DiagnosticList sink_;
};

TEST_F(ConfigUpdate, FillsInInputsAndOutputsAndKeepsTheRest) {
  const std::string text = update(
      R"([{"match_kind": "scope", "id": "B", "op": "X", "instances": ["net/block1", "net/block2"], "mine": {"z": 1.50, "a": []}}])");
  EXPECT_EQ(text, R"([
    {
        "custom_attributes": {},
        "id": "B",
        "inputs": [
            [
                {
                    "node": "a$",
                    "port": 0
                },
                {
                    "node": "b$",
                    "port": 0
                }
            ]
        ],
        "instances": [
            "net/block1",
            "net/block2"
        ],
        "match_kind": "scope",
        "mine": {
            "a": [],
            "z": 1.50
        },
        "op": "X",
        "outputs": [
            {
                "node": "d$",
                "port": 0
            }
        ]
    }
]
)");
  const std::string again = update(text);
  EXPECT_EQ(again, text);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()), 1)
      << "nothing unfinished is left";
}

TEST_F(ConfigUpdate, ExistingKeysStay) {
  const std::string text =
      update(R"([{"match_kind": "scope", "id": "B", "instances": ["net/block1/"], "inputs": []}])");
  EXPECT_NE(text.find("\"inputs\": []"), std::string::npos) << text;
  EXPECT_NE(text.find("\"node\": \"d$\""), std::string::npos) << text;
  const std::string points_text = update(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/d")"));
  EXPECT_NE(points_text.find("\"include_inputs_to_sub_graph\": true"), std::string::npos);
  EXPECT_EQ(points_text.find("\"inputs\""), std::string::npos);
}

TEST_F(ConfigUpdate, ItsFailuresLeaveTheFile) {
  EXPECT_EQ(update("[{]"), "MO-CONFIG-0002");
  EXPECT_EQ(update(R"([{"match_kind": "scope", "id": "B", "instances": [".*block"]}])"), "MO-CONFIG-0031")
      << "it fits two places";
  EXPECT_EQ(update(R"([{"match_kind": "scope", "id": "B", "instances": ["net/block1/.$"]}])"), "MO-CONFIG-0031")
      << "no part of a name ends there";
  sink_.items.clear();
  EXPECT_NE(update(R"([{"match_kind": "general", "id": "B"}, {"match_kind": "scope", "id": "B", "instances": ["q"]}])")
                .find("general"),
            std::string::npos);
  ASSERT_EQ(sink_.items.size(), 2U);
  EXPECT_EQ(sink_.items[0].code, "MO-CONFIG-0030");
  EXPECT_EQ(sink_.items[1].code, "MO-CONFIG-0026");
  if (::geteuid() != 0) {  // root may write everything
    std::filesystem::permissions(path(), std::filesystem::perms::owner_read);
    const auto graph = parse(kBlocks);
    const auto done = update_config_file(path(), *graph, sink_);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().first().code, "MO-CONFIG-0032");
  }
}

TEST(ConfigPatterns, NamesAreQuoted) {
  const auto graph =
      parse(R"x(graph(%x: f32[4] "x") { %a = ReLU(%x) "s/a.b(1)" %b = ReLU(%x) "s/aXb(1)" return %a, %b })x");
  DiagnosticList sink;
  const auto document = parse_json(R"([{"match_kind": "scope", "id": "B", "instances": ["s"]}])", "c.json");
  const auto made = updated_config(*document, "c.json", *graph, sink);
  ASSERT_TRUE(made) << made.error().first().format();
  EXPECT_NE(to_json_text(*made).find(R"x("a\\.b\\(1\\)$")x"), std::string::npos) << to_json_text(*made);
}

}  // namespace
}  // namespace mo::config
