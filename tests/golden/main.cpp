#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tools/test/case.hpp"

namespace {

class GoldenTest : public testing::Test {
 public:
  GoldenTest(const mo::test::TestFile& file, const mo::test::Case& test) : file_(file), case_(test) {}
  void TestBody() override {
    const std::string bad = mo::test::run_case(file_, case_);
    if (!bad.empty()) ADD_FAILURE_AT(file_.path.c_str(), case_.line) << bad;
  }

 private:
  const mo::test::TestFile& file_;
  const mo::test::Case& case_;
};

/// The oracle is only worth something as long as it is asked. Raise the bounds with the number of cases; never lower them to get a change through.
class OracleTest : public testing::Test {
 public:
  void TestBody() override {
    const mo::test::OracleCount& count = mo::test::oracle();
    std::printf("numeric oracle: %d cases of passes compared, %d could not be run; %d cases tried inside of a body\n", count.compared, count.skipped,
                count.in_bodies);
    EXPECT_GE(count.compared, 1800);
    EXPECT_LE(count.skipped,
              160);  // states between two runs are eighteen of them, internal ops of plugins six; orders, shapes and indices that are inputs
    EXPECT_GE(count.in_bodies, 1550);
  }
};

/// A misspelt setting would test the defaults instead.
class SettingsTest : public testing::Test {
 public:
  void TestBody() override {
    EXPECT_EQ(complaints("{ir_version=10}"), "");
    EXPECT_EQ(complaints("LowLatency2 {use_const_initializer=false}"), "");
    for (const char* wrong :
         {"{ir_verson=10}", "{ir_version=\"10\"}", "{ir_version", "10", "LowLatency2 {zeros=true}", "LowLatency3 {}", "ConstantFolding {}"})
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
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::filesystem::path root = argc > 1 ? argv[1] : MO_TESTS_DIR;
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
                            [&file, &test] { return new GoldenTest(file, test); });
  }
  // With a folder or a filter of its own, a run says nothing about all cases.
  if (argc <= 1 && testing::GTEST_FLAG(filter) == "*")
    testing::RegisterTest("oracle", "most cases of passes are compared", nullptr, nullptr, __FILE__, __LINE__, [] { return new OracleTest(); });
  testing::RegisterTest("goldens", "settings are checked", nullptr, nullptr, __FILE__, __LINE__, [] { return new SettingsTest(); });
  return RUN_ALL_TESTS();
}
