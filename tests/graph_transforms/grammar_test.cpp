#include "graph_transforms/engine/grammar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace mo::graph_transforms {
namespace {

/// "foo{a:[1,3], b:[2]} bar{}", or the error.
std::string parsed(std::string_view text, Grammar grammar = Grammar::lenient) {
  const auto calls = parse_transforms(text, grammar);
  if (!calls) return calls.error().first().message;
  std::vector<std::string> shown;
  for (const TransformCall& call : *calls) {
    std::vector<std::string> parameters;
    for (const auto& [name, values] : call.parameters)
      parameters.push_back(fmt::format("{}:[{}]", name, fmt::join(values, "|")));
    shown.push_back(fmt::format("{}{{{}}}", call.name, fmt::join(parameters, ", ")));
  }
  return fmt::format("{}", fmt::join(shown, " "));
}

struct Golden {
  std::string_view text;
  std::string_view result;
};

TEST(TransformGrammar, ReadsWhatTheOriginalReads) {
  const Golden goldens[] = {
      {"foo", "foo{}"},
      {"foo bar", "foo{} bar{}"},
      {"foo() bar()", "foo{} bar{}"},
      {"foo(bob_something=sue)", "foo{bob_something:[sue]}"},
      {"bar(a=1, b=2, a=3)", "bar{a:[1|3], b:[2]}"},
      {"bar(a=\"1\", b=\"1,2,3\", a=3)", "bar{a:[1|3], b:[1,2,3]}"},
      {"foo()bar", "foo{} bar{}"},
      {"foo(a=x)bar(b=y)", "foo{a:[x]} bar{b:[y]}"},
      {"foo(a=1 b=2)", "foo{a:[1], b:[2]}"},
      {"foo(,a=1)", "foo{a:[1]}"},
      {"foo( a=1)", "foo{a:[1]}"},
      {"foo(a=1,\n  b=2)", "foo{a:[1], b:[2]}"},
      {"foo(op=Identity, op=CheckNumerics)\nbar", "foo{op:[Identity|CheckNumerics]} bar{}"},
      {"foo(name=\"x:0\")", "foo{name:[x:0]}"},
      {"foo(a=\"\")", "foo{a:[]}"},
      {"foo(a=\"x\\\"y\")", "foo{a:[x\\\"y]}"},
      {"foo(a=-6.0)", "foo{a:[-6.0]}"},
      {"foo(a=x\"')", "foo{a:[x]}"},
      {" \t\n\v\f\rfoo", "foo{}"},
      {"", ""},
  };
  for (const Golden& golden : goldens)
    for (const Grammar grammar : {Grammar::lenient, Grammar::original})
      EXPECT_EQ(parsed(golden.text, grammar), golden.result) << golden.text;
}

TEST(TransformGrammar, RefusesWhatTheOriginalRefuses) {
  const Golden goldens[] = {
      {"foo (a=1)", "Looking for transform name, but found (a=1)"},
      {"foo(a=1 )", "Looking for parameter name, but found )"},
      {"foo( )", "Looking for parameter name, but found )"},
      {"foo(a=1,)", "Looking for parameter name, but found )"},
      {"foo(a=1 , b=2)", "Looking for parameter name, but found , b=2)"},
      {"foo(a = 1)", "Looking for =, but found  = 1)"},
      {"foo(a= 1)", "Looking for parameter name, but found  1)"},
      {"foo(name=x:0)", "Looking for parameter name, but found :0)"},
      {"foo(a='x')", "Looking for parameter name, but found 'x')"},
      {"foo(a=1e+5)", "Looking for parameter name, but found +5)"},
      {"foo,bar", "Looking for transform name, but found ,bar"},
      {"f\xc3\xb6\xc3\xb6", "Looking for transform name, but found \xc3\xb6\xc3\xb6"},
  };
  for (const Golden& golden : goldens)
    for (const Grammar grammar : {Grammar::lenient, Grammar::original})
      EXPECT_EQ(parsed(golden.text, grammar), golden.result) << golden.text;
  EXPECT_EQ(parse_transforms("foo,bar").error().first().code, "MO-GTT-0003");
  EXPECT_EQ(parsed("foo(a=\"x"), "Looking for parameter name, but found x");
}

TEST(TransformGrammar, AContinuedLineIsABlankUnlessTheOriginalIsRequested) {
  EXPECT_EQ(parsed("\\\n foo(a=1,\\\n b=2)\\\r\n bar"), "foo{a:[1], b:[2]} bar{}");
  EXPECT_EQ(parsed("\\\n"), "");
  EXPECT_EQ(parsed("\\\n", Grammar::original), "Looking for transform name, but found \\\n");
}

TEST(TransformGrammar, AMissingParenthesisIsAnErrorUnlessTheOriginalIsRequested) {
  for (const std::string_view text : {"bar foo(a=1", "bar foo(", "bar foo(a="}) {
    EXPECT_EQ(parsed(text), "Looking for ), but found the end") << text;
    EXPECT_EQ(parsed(text, Grammar::original), "bar{}") << text;
  }
}

}  // namespace
}  // namespace mo::graph_transforms
