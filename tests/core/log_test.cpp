#include "core/support/log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/pass/pass_manager.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

struct CountsFormatting {
  int* count;
};

}  // namespace
}  // namespace mo

template <>
struct fmt::formatter<mo::CountsFormatting> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const mo::CountsFormatting& value, Context& context) const {
    ++*value.count;
    return context.out();
  }
};

namespace mo {
namespace {

/// What is logged at a level; the level is restored afterwards.
template <class Fn>
std::string logged(std::string_view level, Fn&& fn) {
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(log::set_level(level));
  fn();
  log::set_level("ERROR");
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, LevelsAreThoseOfTheOriginal) {
  const auto both = [] {
    log::info("step {}", 1);
    log::debug("detail {}", 2);
    log::write(log::Level::error, "wrong");
  };
  EXPECT_EQ(logged("CRITICAL", both), "");
  for (const char* level : {"ERROR", "WARN", "WARNING"}) EXPECT_EQ(logged(level, both), "[ ERROR ]  wrong\n") << level;
  EXPECT_EQ(logged("INFO", both), "[ INFO ]  step 1\n[ ERROR ]  wrong\n");
  for (const char* level : {"DEBUG", "NOTSET"}) {
    const std::string text = logged(level, both);
    EXPECT_NE(text.find(" ] [ INFO ]  step 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find(" ] [ DEBUG ]  detail 2\n"), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with("[ 2")) << "with the time: " << text;
  }
  EXPECT_FALSE(log::set_level("LOUD"));
  EXPECT_FALSE(log::enabled(log::Level::info)) << "an unknown level changes nothing";
}

TEST(Log, NothingIsFormattedBelowTheLevel) {
  int formatted = 0;
  const auto both = [&] {
    log::info("{}", CountsFormatting{&formatted});
    log::debug("{}", CountsFormatting{&formatted});
  };
  EXPECT_EQ(logged("ERROR", both), "");
  EXPECT_EQ(formatted, 0);
  logged("INFO", both);
  EXPECT_EQ(formatted, 1);
}

TEST(Log, NamesOfModelsCannotControlATerminal) {
  EXPECT_EQ(logged("INFO", [] { log::info("a\x1b[31mb"); }), "[ INFO ]  a\\x1b[31mb\n");
  EXPECT_EQ(logged("CRITICAL", [] { log::write_plain("graph\x1b {\n}\n"); }), "graph\\x1b {\n}\n");
}

Pass log_test_pass(const char* name, bool changes) {
  return graph_pass(name).run([changes](Graph& graph, PassContext&) -> Expected<bool> {
    if (changes) graph.create_parameter({}, "more");
    return changes;
  });
}

TEST(Log, PhasesAndPassesThatChangeSomethingHaveALine) {
  const auto run = [] {
    const auto graph = test::parse("graph(%x: f32[2]) { %y = ReLU(%x) return %y }");
    PassManager manager;
    ASSERT_TRUE(manager.add(log_test_pass("Idle", false)));
    ASSERT_TRUE(manager.add(log_test_pass("Grow", true)));
    test::Context c;
    ASSERT_TRUE(manager.run(Phase::middle, *graph, c.context));
  };
  EXPECT_EQ(logged("ERROR", run), "");
  const std::string info = logged("INFO", run);
  EXPECT_TRUE(info.starts_with("[ INFO ]  phase middle: 1 of 2 passes changed something, 3 -> 4 nodes, ")) << info;
  EXPECT_EQ(std::count(info.begin(), info.end(), '\n'), 1) << info;
  const std::string debug = logged("DEBUG", run);
  EXPECT_NE(debug.find(" ] [ DEBUG ]  pass Grow (middle): 3 -> 4 nodes, "), std::string::npos) << debug;
  EXPECT_EQ(debug.find("Idle"), std::string::npos) << debug;
}

}  // namespace
}  // namespace mo
