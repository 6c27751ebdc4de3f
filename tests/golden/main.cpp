#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/variation_run.hpp"
#include "tools/test/case.hpp"

namespace {

/// The cases of passes that the numeric oracle cannot run, from uncompared.txt: a reason, and below it patterns of
/// names, indented.
class Uncompared {
 public:
  explicit Uncompared(std::istream& in) {
    bool has_reason = false;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || line.front() == '#') continue;
      if (begin == 0)
        has_reason = true;
      else if (has_reason)
        patterns_.push_back({.pattern = line.substr(begin), .line = number});
    }
  }

  /// Whether a pattern fits this case; those that do are in use when the oracle has skipped it.
  bool lists(const std::string& name, bool is_skipped) {
    bool listed = false;
    for (Pattern& entry : patterns_) {
      if (fnmatch(entry.pattern.c_str(), name.c_str(), 0) != 0) continue;
      listed = true;
      entry.is_used |= is_skipped;
    }
    return listed;
  }

  /// The lines whose pattern fits no case that was skipped.
  std::vector<int> unused() const {
    std::vector<int> lines;
    for (const Pattern& entry : patterns_)
      if (!entry.is_used) lines.push_back(entry.line);
    return lines;
  }

 private:
  struct Pattern {
    std::string pattern;
    int line = 0;
    bool is_used = false;
  };
  std::vector<Pattern> patterns_;
};

constexpr const char* kUncompared = MO_TESTS_DIR "/golden/uncompared.txt";

Uncompared& uncompared() {
  static Uncompared list = [] {
    std::ifstream in(kUncompared);
    return Uncompared(in);
  }();
  return list;
}

/// `name`: "suite.title" as the list of uncompared cases has it; empty for cases of another folder, which no list
/// knows.
class GoldenTest : public testing::Test {
 public:
  GoldenTest(const mo::test::TestFile& file, const mo::test::Case& test, std::string name)
      : file_(file), case_(test), name_(std::move(name)) {}
  void TestBody() override {
    const mo::test::OracleCount before = mo::test::oracle();
    const std::string bad = mo::test::run_case(file_, case_);
    if (!bad.empty()) ADD_FAILURE_AT(file_.path.c_str(), case_.line) << bad;
    if (name_.empty()) return;
    const mo::test::OracleCount& after = mo::test::oracle();
    const bool is_skipped = after.skipped > before.skipped;
    const bool is_listed = uncompared().lists(name_, is_skipped);
    if (is_skipped && !is_listed)
      ADD_FAILURE_AT(file_.path.c_str(), case_.line)
          << "the numeric oracle cannot run this case: " << after.why_skipped
          << "\nlet the graph read numbers that it accepts, or list it in " << kUncompared << ":\n  " << name_;
    if (is_listed && after.compared > before.compared)
      ADD_FAILURE_AT(file_.path.c_str(), case_.line)
          << "the numeric oracle compares this case, which " << kUncompared << " lists: " << name_;
  }

 private:
  const mo::test::TestFile& file_;
  const mo::test::Case& case_;
  std::string name_;
};

/// The oracle is only worth something as long as it is asked. What it cannot run is listed. Raise the bounds with the
/// number of cases; never lower them to get a change through.
class OracleTest : public testing::Test {
 public:
  void TestBody() override {
    const mo::test::OracleCount& count = mo::test::oracle();
    std::printf("numeric oracle: %d cases of passes compared, %d could not be run; %d cases tried inside of a body\n",
                count.compared, count.skipped, count.in_bodies);
    EXPECT_GE(count.compared, 2250);
    EXPECT_GE(count.in_bodies, 2050);
    for (const int line : uncompared().unused())
      ADD_FAILURE_AT(kUncompared, line) << "no case that this pattern fits is skipped: remove the line";
  }
};

class UncomparedTest : public testing::Test {
 public:
  void TestBody() override {
    std::istringstream in(
        "  a.without reason\n# a comment\nA reason.\n  a.b*\n  a.[c]\n\nAnother one.\n  d.e?\n  f.g\n");
    Uncompared list(in);
    EXPECT_FALSE(list.lists("a.without reason", true));
    EXPECT_TRUE(list.lists("a.bcd", true));
    EXPECT_TRUE(list.lists("d.e!", true));
    EXPECT_FALSE(list.lists("d.e", true));
    EXPECT_TRUE(list.lists("f.g", false));
    EXPECT_EQ(list.unused(), (std::vector<int>{5, 9}));
  }
};

/// A misspelt setting would test the defaults instead.
class SettingsTest : public testing::Test {
 public:
  void TestBody() override {
    EXPECT_EQ(complaints("{ir_version=10}"), "");
    EXPECT_EQ(complaints("LowLatency2 {use_const_initializer=false}"), "");
    for (const char* wrong : {"{ir_verson=10}", "{ir_version=\"10\"}", "{ir_version", "10", "LowLatency2 {zeros=true}",
                              "LowLatency3 {}", "DeadCodeElimination {}"})
      EXPECT_NE(complaints(wrong).find("settings at line 7"), std::string::npos) << wrong << "\n" << complaints(wrong);
  }

 private:
  static std::string complaints(const std::string& settings) {
    mo::test::Case test;
    test.graph = "graph(%x: f32[2]) { %y = ReLU(%x) return %y }";
    test.sections = {{"settings", settings, "", 7}, {"unchanged", "", "", 8}};
    return mo::test::run_case({.path = "", .passes = {"ConstantFolding"}, .cases = {}}, test);
  }
};

}  // namespace

/// Every `.test` file below the folder given as the first argument becomes a test suite, every case a test.
/// `--variations LIST [--update]`: varies the cases instead (variation_run.hpp).
int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--variations")
    return mo::test::run_variations(MO_TESTS_DIR, argv[2], argc > 3 && std::string_view(argv[3]) == "--update");
  testing::InitGoogleTest(&argc, argv);
  const bool has_own_folder = argc > 1;
  const std::filesystem::path root = has_own_folder ? argv[1] : MO_TESTS_DIR;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".test") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  static std::vector<mo::test::TestFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) {
    files.push_back(mo::test::read_test_file(path));
    const mo::test::TestFile& file = files.back();
    const std::string suite = std::filesystem::relative(path, root).replace_extension().string();
    for (const mo::test::Case& test : file.cases)
      testing::RegisterTest(suite.c_str(), test.title.c_str(), nullptr, nullptr, path.c_str(), test.line,
                            [&file, &test, name = has_own_folder ? std::string() : suite + "." + test.title] {
                              return new GoldenTest(file, test, name);
                            });
  }
  // With a given folder or filter, a run does not cover all cases.
  if (!has_own_folder && testing::GTEST_FLAG(filter) == "*")
    testing::RegisterTest("oracle", "most cases of passes are compared", nullptr, nullptr, __FILE__, __LINE__,
                          [] { return new OracleTest(); });
  testing::RegisterTest("goldens", "settings are checked", nullptr, nullptr, __FILE__, __LINE__,
                        [] { return new SettingsTest(); });
  testing::RegisterTest("uncompared", "cases are listed below a reason", nullptr, nullptr, __FILE__, __LINE__,
                        [] { return new UncomparedTest(); });
  return RUN_ALL_TESTS();
}
