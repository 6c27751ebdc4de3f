#include "core/pass/pass_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace mo {
namespace {

/// "A{k=v "quoted"} B{}", or "PART@PLACE" of the problem.
std::string parsed(std::string_view text, const PassListStyle& style = {}) {
  std::string problem;
  const auto calls = parse_pass_list(text, style, [&](PassListPart part, std::size_t at, char close) {
    constexpr std::string_view kParts[] = {"name", "key", "=", "value", "end of quote"};
    problem = part == PassListPart::close ? std::string(1, close) : kParts[static_cast<std::size_t>(part)];
    problem += fmt::format("@{}", at);
    return error("MO-TEST-0001", "no list");
  });
  if (!calls) return problem;
  std::vector<std::string> shown;
  for (const PassCall& call : *calls) {
    std::vector<std::string> arguments;
    for (const PassCall::Argument& argument : call.arguments)
      arguments.push_back(fmt::format("{}{}{}", argument.key, argument.key.empty() ? "" : "=",
                                      argument.is_quoted ? '"' + argument.value + '"' : argument.value));
    shown.push_back(fmt::format("{}{{{}}}", call.name, fmt::join(arguments, " ")));
  }
  return fmt::format("{}", fmt::join(shown, " "));
}

struct Golden {
  std::string_view text;
  std::string_view result;
};

TEST(PassList, ReadsEverySpelling) {
  for (const Golden& golden : std::initializer_list<Golden>{
           {"", ""},
           {"A", "A{}"},
           {"A B,C", "A{} B{} C{}"},
           {" ,A \\\n B\\\r\n", "A{} B{}"},
           {"A()B( )", "A{} B{}"},
           {"A(k=1, l=x; m=\"a b\")", "A{k=1 l=x m=\"a b\"}"},
           {"A(k=1 l=2)B[k=1;l=a b,c]", "A{k=1 l=2} B{k=1 l=a b,c}"},
           {"A(true \"f32->f16\" f32->f16)", "A{true \"f32->f16\" f32->f16}"},
           {"A(k=\"x\\\"y\")", "A{k=\"x\\\"y\"}"},
           {"A[m={'a':'b','c':'d'}] B(m={'a':'b'})", "A{m={'a':'b','c':'d'}} B{m={'a':'b'}}"},
           {"GraphRewrite(A, B)", "GraphRewrite{A B}"},
       })
    EXPECT_EQ(parsed(golden.text), golden.result) << golden.text;
}

TEST(PassList, ProblemsHaveAPlace) {
  for (const Golden& golden : std::initializer_list<Golden>{
           {"A)", "name@1"},
           {"A (k=1)", "name@2"},
           {"A(k", ")@3"},
           {"A(k=", ")@4"},
           {"A[k=1", "]@5"},
           {"A(k=1]", "value@5"},
           {"A(k=\"x)", "end of quote@5"},
           {"A(k='x')", "value@4"},
           {"A[k=]", "value@4"},
           {"A[k=\u201cx\u201d]", "value@4"},
           {"A[m={'a':'b']", "value@4"},
       })
    EXPECT_EQ(parsed(golden.text), golden.result) << golden.text;
}

TEST(PassList, StrictListsHaveNoCommasBetweenCallsAndNoSquareBrackets) {
  const PassListStyle strict{.name_marks = "_", .value_marks = "_-./", .is_strict = true};
  EXPECT_EQ(parsed("a(k=1, l=2)b", strict), "a{k=1 l=2} b{}");
  EXPECT_EQ(parsed("a,b", strict), "name@1");
  EXPECT_EQ(parsed("a[k=1]", strict), "name@1");
  EXPECT_EQ(parsed("a(1)", strict), "=@3");
  EXPECT_EQ(parsed("a(k=1 )", strict), "key@6");
}

TEST(PassList, SettingsHaveTheKindsOfTheirValues) {
  Pass pass;
  pass.name = "A";
  pass.parameters = {"first", "second"};
  const auto settings = [&](std::string_view text) {
    const auto calls = parse_pass_list(text, {}, [](auto...) { return error("MO-TEST-0001", "no list"); });
    return settings_in(calls->front(), pass);
  };
  EXPECT_EQ(*settings("A(1 \"2\" third=0.5 fourth=True fifth=x)"),
            (AttributeMap{{"first", 1}, {"second", "2"}, {"third", 0.5}, {"fourth", true}, {"fifth", "x"}}));
  EXPECT_EQ(settings("A(1 2 3)").error().first().code, "MO-PASS-0022");
  EXPECT_EQ(settings("A(1 first=2)").error().first().code, "MO-PASS-0026");
}

}  // namespace
}  // namespace mo
