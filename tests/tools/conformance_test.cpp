#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tools/conformance/expectations.hpp"
#include "tools/conformance/isolation.hpp"
#include "tools/conformance/test_case.hpp"

namespace mo::conformance {
namespace {

Outcome made(Category category, std::string code = {}) {
  Outcome outcome;
  outcome.category = category;
  outcome.code = std::move(code);
  return outcome;
}

TEST(Isolation, a_crash_an_endless_loop_and_excessive_memory_end_only_their_own_process) {
  Limits limits;
  limits.seconds = 1;
  limits.memory_bytes = 1ULL << 30;
  limits.jobs = 3;
  const auto outcomes = run_isolated(
      6,
      [](std::size_t i, const std::string& folder) {
        std::ofstream(folder + "/left_behind") << folder;
        if (i == 1) {
          std::fprintf(stderr, "last words\n");
          std::fflush(stderr);
          std::raise(SIGKILL);
        }
        if (i == 2) ::pause();
        if (i == 3) std::_Exit(7);
        if (i == 4) return made(Category::refused, "MO-FRONT-0001");
        Outcome wrong = made(Category::wrong);
        wrong.detail = "two\nlines";
        return i == 5 ? wrong : made(Category::passed);
      },
      limits);
  ASSERT_TRUE(outcomes);
  EXPECT_EQ((*outcomes)[0].category, Category::passed);
  for (const std::size_t i : {1, 2, 3}) {
    EXPECT_EQ((*outcomes)[i].category, Category::failed) << i;
    EXPECT_TRUE((*outcomes)[i].crashed) << i;
  }
  EXPECT_NE((*outcomes)[1].detail.find("last words"), std::string::npos) << (*outcomes)[1].detail;
  EXPECT_NE((*outcomes)[2].detail.find("no answer"), std::string::npos) << (*outcomes)[2].detail;
  EXPECT_NE((*outcomes)[3].detail.find("exit code 7"), std::string::npos) << (*outcomes)[3].detail;
  EXPECT_EQ((*outcomes)[4].code, "MO-FRONT-0001");
  EXPECT_FALSE((*outcomes)[4].crashed);
  EXPECT_EQ((*outcomes)[5].detail, "two\nlines");
}

TEST(Isolation, in_one_process_each_task_has_an_empty_folder_that_is_removed) {
  std::vector<std::string> folders;
  const auto outcomes = run_in_process(2, [&](std::size_t i, const std::string& folder) {
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::ofstream(folder + "/left_behind") << folder;
    folders.push_back(folder);
    return made(i == 0 ? Category::passed : Category::wrong);
  });
  ASSERT_TRUE(outcomes);
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_EQ((*outcomes)[0].category, Category::passed);
  EXPECT_EQ((*outcomes)[1].category, Category::wrong);
  for (const std::string& folder : folders) EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
}

TEST(Isolation, a_missing_temporary_folder_is_reported) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", "/nonexistent/folder", 1);
  const auto outcomes = run_isolated(0, [](std::size_t, const std::string&) { return Outcome(); }, {});
  if (before != nullptr)
    ::setenv("TMPDIR", kept.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().first().code, "MO-RUN-0021");
}

TEST(Expectations, comments_and_empty_lines_do_not_count) {
  const auto list = parse_expectations("# comment\n\nnode/a MO-X-0001\n  node/b   MO-X-0002  \n", "list");
  ASSERT_TRUE(list);
  EXPECT_EQ(*list, (Expectations{{"node/a", "MO-X-0001"}, {"node/b", "MO-X-0002"}}));
}

TEST(Expectations, malformed_lines_are_refused) {
  for (const char* text : {"node/a\n", "node/a MO-X-0001 more\n", "node/a MO-X-0001\nnode/a MO-X-0002\n"}) {
    const auto list = parse_expectations(text, "list");
    ASSERT_FALSE(list) << text;
    EXPECT_EQ(list.error().first().code, "MO-RUN-0023");
  }
}

TEST(Expectations, every_other_outcome_is_a_surprise) {
  const Expectations expected{{"node/r", "C1"},
                              {"node/other_code", "C1"},
                              {"node/passes_now", "C1"},
                              {"node/gone", "C1"},
                              {"simple/not_run", "C1"}};
  const std::vector<std::string> names{"node/p",          "node/r",           "node/other_code",
                                       "node/passes_now", "node/new_refusal", "node/w"};
  const std::vector<Outcome> outcomes{made(Category::passed),        made(Category::refused, "C1"),
                                      made(Category::refused, "C2"), made(Category::passed),
                                      made(Category::refused, "C1"), made(Category::wrong)};
  EXPECT_EQ(surprises(expected, names, outcomes, true).size(), 5U);
  EXPECT_EQ(surprises(expected, names, outcomes, false).size(), 4U);
  EXPECT_TRUE(surprises({{"node/r", "C1"}}, {"node/p", "node/r"}, {outcomes[0], outcomes[1]}, true).empty());
}

TEST(Expectations, other_numbers_are_wrong_ones_and_nothing_else) {
  const Expectations expected{{"node/a", "other_numbers"}};
  for (const Category category : {Category::passed, Category::wrong, Category::failed, Category::refused})
    EXPECT_EQ(surprises(expected, {"node/a"}, {made(category)}, true).empty(), category == Category::wrong);
}

TEST(Expectations, a_written_list_expects_its_own_run) {
  const std::vector<std::string> names{"node/p", "node/r"};
  const std::vector<Outcome> outcomes{made(Category::passed), made(Category::refused, "C1")};
  const auto list = parse_expectations(print_expectations(names, outcomes), "list");
  ASSERT_TRUE(list);
  EXPECT_TRUE(surprises(*list, names, outcomes, true).empty());
}

TEST(TestCases, folders_with_a_model_are_found_below_the_root_and_named_with_their_parent) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::TempDir()) / "conformance_test_data";
  fs::remove_all(root);
  for (const char* name : {"node/test_b", "node/test_a", "simple/test_c", "real/empty"})
    fs::create_directories(root / name);
  for (const char* name : {"node/test_b", "node/test_a", "simple/test_c"})
    std::ofstream(root / name / "model.onnx") << "x";
  const auto names = [](const Expected<std::vector<TestCase>>& found) {
    std::vector<std::string> list;
    if (found)
      for (const TestCase& test : *found) list.push_back(test.name);
    return list;
  };
  EXPECT_EQ(names(find_tests(root.string())),
            (std::vector<std::string>{"node/test_a", "node/test_b", "simple/test_c"}));
  EXPECT_EQ(names(find_tests((root / "node").string() + "/")),
            (std::vector<std::string>{"node/test_a", "node/test_b"}));
  const auto nothing = find_tests((root / "real").string());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().first().code, "MO-RUN-0020");
}

TEST(TestCases, inputs_go_by_name_when_all_names_are_known_and_else_by_position) {
  Graph graph;
  graph.create_parameter({ElementType::f32, PartialShape{}}, "x").output().data().add_tensor_name("x:0");
  graph.create_parameter({ElementType::f32, PartialShape{}}, "y");
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(*input_order(graph, {"y", "x:0"}), (Order{1, 0}));
  EXPECT_EQ(*input_order(graph, {"unused", "x", "y"}), (Order{1, 2}));
  EXPECT_EQ(*input_order(graph, {"", ""}), (Order{0, 1}));
  EXPECT_EQ(*input_order(graph, {"y", "z"}), (Order{0, 1}));
  const auto unclear = input_order(graph, {"", "", ""});
  ASSERT_FALSE(unclear);
  EXPECT_EQ(unclear.error().first().code, "MO-RUN-0022");
}

}  // namespace
}  // namespace mo::conformance
