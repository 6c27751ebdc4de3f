#include <gtest/gtest.h>

#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

std::string round_trip(const std::string& text) {
  const auto graph = parse_graph(text, test::builtins().ops());
  return graph ? to_text(**graph) : graph.error().first().format();
}

TEST(TextForm, IntegersBeyondI64ReadBackAsTheyAre) {
  const auto graph =
      parse_graph("graph() { %a = Const {value=[9223372036854775809, 18446744073709551615, 1]:u64} return %a }",
                  test::builtins().ops());
  ASSERT_TRUE(graph);
  const auto values = (*graph)->results()[0].input(0).data().value()->values<std::uint64_t>();
  EXPECT_EQ(std::vector<std::uint64_t>(values.begin(), values.end()),
            (std::vector<std::uint64_t>{9223372036854775809U, 18446744073709551615U, 1U}));
  const std::string text = to_text(**graph);
  EXPECT_NE(text.find("[9223372036854775809, 18446744073709551615, 1]:u64"), std::string::npos) << text;
  EXPECT_EQ(round_trip(text), text);
}

TEST(TextForm, StringsKeepQuotesBackslashesAndControlCharacters) {
  const std::string name = "a \"quoted\" \\ back\nline\ttab";
  const auto graph = parse_graph("graph(%x: f32[2]) { %y = ReLU(%x) return %y }", test::builtins().ops());
  ASSERT_TRUE(graph);
  (*graph)->results()[0].input(0).node().set_name(name);
  const std::string text = to_text(**graph);
  EXPECT_NE(text.find(R"(a \"quoted\" \\ back)"), std::string::npos) << text;
  const auto again = parse_graph(text, test::builtins().ops());
  ASSERT_TRUE(again) << text;
  EXPECT_EQ((*again)->results()[0].input(0).node().name(), name);
}

TEST(TextForm, AnOpWithoutOutputsAfterANodeWithoutNameIsNotItsName) {
  const std::string text =
      "graph(%0: f32[2]) {\n  %1 = \"tf::Table\"(%0)\n  \"tf::Init\"(%1) \"init\"\n  return %0\n}\n";
  EXPECT_EQ(round_trip(text), text);
}

}  // namespace
}  // namespace mo
