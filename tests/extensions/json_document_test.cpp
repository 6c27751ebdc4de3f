#include <gtest/gtest.h>

#include "core/attributes/codec.hpp"
#include "extensions/config/json_view.hpp"

namespace mo::config {
namespace {

/// "code line:column message", or "" when it is fine.
std::string complaint(std::string_view text) {
  const auto parsed = parse_json(text, "f.json");
  if (parsed) return "";
  const Diagnostic& d = parsed.error().first();
  return d.code + " " + d.location.substr(7) + " " + d.message;
}

TEST(JsonDocument, ValuesKnowTheirPlaces) {
  const auto parsed = parse_json("[\n  {\"id\": \"a\\u00e9\\n\", \"n\": -12},\n  1.5e1, null, true\n]", "f.json");
  ASSERT_TRUE(parsed) << parsed.error().first().format();
  const JsonValue& object = parsed->items[0];
  EXPECT_EQ(object.place.line, 2U);
  EXPECT_EQ(object.place.column, 3U);
  EXPECT_EQ(object.find("id")->text, "a\xC3\xA9\n");
  EXPECT_EQ(object.find("id")->place.column, 10U);
  EXPECT_EQ(object.members[1].place.column, 23U);
  EXPECT_EQ(object.find("n")->integer, -12);
  EXPECT_EQ(parsed->items[1].real, 15.0);
  EXPECT_EQ(parsed->items[1].kind, JsonKind::real);
  EXPECT_TRUE(parsed->items[3].boolean);
}

TEST(JsonDocument, EachMistakeIsFoundWhereItIs) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "MO-CONFIG-0002 1:1 a value is missing: the text ends here"},
      {"[1,\n 2,]", "MO-CONFIG-0002 2:4 a value is missing"},
      {"{\"a\": 1,}", "MO-CONFIG-0002 1:9 a key is missing"},
      {"{\"a\": 1 \"b\": 2}", "MO-CONFIG-0002 1:9 a comma or } is missing here"},
      {"[1 2]", "MO-CONFIG-0002 1:4 a comma or ] is missing here"},
      {"{\"a\" 1}", "MO-CONFIG-0002 1:6 a colon is missing after the key \"a\""},
      {"{a: 1}", "MO-CONFIG-0002 1:2 a key in double quotes is missing here"},
      {"{'a': 1}", "MO-CONFIG-0002 1:2 a key in double quotes is missing here"},
      {"['a']", "MO-CONFIG-0002 1:2 strings are written in double quotes"},
      {"[1] x", "MO-CONFIG-0002 1:5 there is text after the end of the document"},
      {"// c\n[]", "MO-CONFIG-0002 1:1 JSON has no comments"},
      {"{\"a\": 1,\n\"a\": 2}", "MO-CONFIG-0002 2:1 duplicate key \"a\""},
      {"[\"\\d\"]", "MO-CONFIG-0002 1:3 JSON has no such escape"},
      {"[\"\\u12\"]", "MO-CONFIG-0002 1:3 \\u needs four hexadecimal digits"},
      {"[\"\\ud800x\"]", "MO-CONFIG-0002 1:9 half of a surrogate pair"},
      {"[\"a\xFF\"]", "MO-CONFIG-0002 1:4 the text is not valid UTF-8"},
      {"[\"a\xC0\x80\"]", "MO-CONFIG-0002 1:4 the text is not valid UTF-8"},
      {"[\"abc", "MO-CONFIG-0002 1:2 the string does not end"},
      {"[\"abc\n\"]", "MO-CONFIG-0002 1:2 the string does not end on its line"},
      {"[01]", "MO-CONFIG-0002 1:2 this is not a number"},
      {"[1.]", "MO-CONFIG-0002 1:2 this is not a number"},
      {"[-]", "MO-CONFIG-0002 1:2 this is not a number"},
      {"[1e999]", "MO-CONFIG-0002 1:2 the number is too large"},
      {"[99999999999999999999]", "MO-CONFIG-0002 1:2 the integer is too large"},
      {"[NaN]", "MO-CONFIG-0002 1:2 this is not a JSON value"},
      {"[", "MO-CONFIG-0002 1:2 a value is missing: the text ends here"},
      {"[{\"a\":\n 007}]", "MO-CONFIG-0002 2:2 this is not a number"},
      {"[1x]", "MO-CONFIG-0002 1:2 this is not a number"},
      {"[18446744073709551615]", "MO-CONFIG-0002 1:2 the integer is too large"},
      {"[\"a\", \"\\udc00\"]", "MO-CONFIG-0002 1:14 half of a surrogate pair"},
      {"[\"\\ud83d\\u0041\"]", "MO-CONFIG-0002 1:9 half of a surrogate pair"},
      {"[\"\xE2\x82\"]", "MO-CONFIG-0002 1:3 the text is not valid UTF-8"},
      {"[\"\x01\"]", "MO-CONFIG-0002 1:3 a control character inside of a string"},
      {"{\"a\" : [true, nul]}", "MO-CONFIG-0002 1:15 this is not a JSON value"},
      {"{\"a\"", "MO-CONFIG-0002 1:5 a colon is missing after the key \"a\""},
      {std::string("[1]\0", 4), "MO-CONFIG-0002 1:4 there is text after the end of the document"},
      {std::string("[\0]", 3), "MO-CONFIG-0002 1:2 this is not a JSON value"},
      {"\xEF\xBB\xBF[1", "MO-CONFIG-0002 1:3 a comma or ] is missing here"},
  };
  for (const auto& [text, wanted] : cases) EXPECT_EQ(complaint(text), wanted) << text;
}

TEST(JsonDocument, NestingIsLimited) {
  EXPECT_EQ(complaint(std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_NE(complaint(std::string(100000, '[')).find("nested more than 100 deep"), std::string::npos);
}

TEST(JsonDocument, ValuesAreCounted) {
  std::string text = "[{}";
  for (int i = 0; i < 200'000; ++i) text += ",{}";
  EXPECT_NE(complaint(text + "]").find("more than 200000 values"), std::string::npos);
  text = "{";
  for (std::size_t i = 0; i <= kMaxJsonKeys; ++i) text += fmt::format("\"{}\": 0, ", i);
  EXPECT_NE(complaint(text + "\"last\": 0}").find("more than 10000 keys"), std::string::npos);
}

TEST(JsonDocument, AMissingFileHasItsOwnError) {
  EXPECT_EQ(read_json("/nowhere/x.json").error().first().code, "MO-CONFIG-0001");
}

TEST(JsonDocument, WrittenTextReadsBackEqual) {
  const std::string text =
      "{\n    \"b\": [\n        1,\n        0.50\n    ],\n    \"a\": {},\n    \"c\": \"x\\\\d\\n\"\n}\n";
  const auto parsed = parse_json(text, "f.json");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(to_json_text(*parsed), text);
  EXPECT_LT(to_json_text(*parsed, true).find("\"a\""), to_json_text(*parsed, true).find("\"b\""));
}

TEST(JsonView, AllProblemsAreCollectedWithTheirKeyPaths) {
  const auto document = parse_json("[{\"id\": 3,\n  \"knd\": 1, \"kind\": \"other\", \"list\": [\"a\", 2]}]", "f.json");
  ASSERT_TRUE(document);
  JsonProblems problems("f.json");
  const JsonView view = JsonView(*document, problems).items()[0];
  view.allow_keys({"id", "kind", "list", "instances"});
  EXPECT_FALSE(view.require("id")->text());
  EXPECT_FALSE(view.require("kind")->one_of({"scope", "points"}));
  EXPECT_FALSE(view.require("instances"));
  EXPECT_FALSE(view.require("list")->texts());
  const auto result = problems.finish();
  ASSERT_FALSE(result);
  std::vector<std::string> found;
  for (const Diagnostic& d : result.error().items())
    found.push_back(d.code + " " + d.location + " " + d.message + " (" + d.hint_text + ")");
  const std::vector<std::string> wanted = {
      "MO-CONFIG-0005 f.json:2:3 [0].knd: this key is not known (did you mean \"id\"?)",
      "MO-CONFIG-0003 f.json:1:9 [0].id: this must be a string, and it is an integer (the schemas in docs/schemas "
      "define the value of each key)",
      "MO-CONFIG-0006 f.json:2:21 [0].kind: \"other\" is not known here (use one of: scope, points)",
      "MO-CONFIG-0004 f.json:1:2 [0]: the key \"instances\" is missing (the schemas in docs/schemas define the "
      "required keys)",
      "MO-CONFIG-0003 f.json:2:44 [0].list[1]: this must be a string, and it is an integer (the schemas in "
      "docs/schemas define the value of each key)"};
  ASSERT_EQ(found.size(), wanted.size());
  EXPECT_NE(found[0].find("[0].knd: this key is not known (did you mean \"kind\"?)"), std::string::npos) << found[0];
  for (std::size_t i = 1; i < wanted.size(); ++i) EXPECT_EQ(found[i], wanted[i]);
}

TEST(JsonView, ValuesBecomeAttributes) {
  const auto document = parse_json(
      R"({"i": 1, "r": 0.5, "s": "t", "b": true, "is": [1, 2], "rs": [1, 0.5], "ss": ["a"], "m": {"k": [1]}, "n": null, "x": [[1], "a"]})",
      "f.json");
  ASSERT_TRUE(document);
  JsonProblems problems("f.json");
  const AttributeMap map = to_attributes(JsonView(*document, problems));
  EXPECT_EQ(map, (AttributeMap{{"i", 1},
                               {"r", 0.5},
                               {"s", "t"},
                               {"b", true},
                               {"is", std::vector<std::int64_t>{1, 2}},
                               {"rs", std::vector<double>{1, 0.5}},
                               {"ss", std::vector<std::string>{"a"}},
                               {"m", AttributeMap{{"k", std::vector<std::int64_t>{1}}}},
                               {"n", AttributeValue()},
                               {"x", AttributeList{std::vector<std::int64_t>{1}, "a"}}}));
}

}  // namespace
}  // namespace mo::config
