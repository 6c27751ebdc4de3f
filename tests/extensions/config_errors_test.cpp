#include <gtest/gtest.h>

#include "extensions/config/descriptor_reader.hpp"

namespace mo::config {
namespace {

/// "12:7 MO-CONFIG-0003 [0].id: …" for each problem.
std::vector<std::string> problems_of(const std::string& text) {
  const auto document = parse_json(text, "c.json");
  std::vector<std::string> lines;
  const auto add = [&](const Error& error) {
    for (const Diagnostic& d : error.items())
      lines.push_back(d.location.substr(d.location.find(':') + 1) + " " + d.code + " " + d.message);
  };
  if (!document) {
    add(document.error());
    return lines;
  }
  const auto read = read_descriptors(*document, "c.json");
  if (!read) add(read.error());
  return lines;
}

struct Row {
  const char* text;
  const char* wanted;  ///< a part of the first problem
};

// What stands before each place is short, so that columns can be counted.
constexpr Row kRows[] = {
    {"", "1:1 MO-CONFIG-0002"},
    {"[", "1:2 MO-CONFIG-0002"},
    {"[]x", "1:3 MO-CONFIG-0002"},
    {"[{},]", "1:5 MO-CONFIG-0002"},
    {"[{'id': 1}]", "1:3 MO-CONFIG-0002"},
    {"[{\"id\" 1}]", "1:8 MO-CONFIG-0002"},
    {"[{\"id\": \"a\", \"id\": \"b\"}]", "1:14 MO-CONFIG-0002"},
    {"[\n  {\"id\": \"a\" \"op\": \"b\"}]", "2:14 MO-CONFIG-0002"},
    {"[{\"id\": \"\xFF\"}]", "1:10 MO-CONFIG-0002"},
    {"[{\"id\": \"a\\q\"}]", "1:11 MO-CONFIG-0002"},
    {"[{\"id\": 01}]", "1:9 MO-CONFIG-0002"},
    {"[{\"id\": tru}]", "1:9 MO-CONFIG-0002"},
    {"[] // done", "1:4 MO-CONFIG-0002"},
    {"{}", "1:1 MO-CONFIG-0003"},
    {"[1]", "1:2 MO-CONFIG-0003 [0]"},
    {"[{}]", "1:2 MO-CONFIG-0004 [0]: the key \"id\""},
    {"[{\"id\": \"a\"}]", "1:2 MO-CONFIG-0004 [0]: the key \"match_kind\""},
    {"[{\"id\": 5, \"match_kind\": \"general\"}]", "1:9 MO-CONFIG-0003 [0].id"},
    {"[{\"id\": \"\", \"match_kind\": \"general\"}]", "1:9 MO-CONFIG-0012 [0].id"},
    {"[{\"id\": \"a\", \"match_kind\": \"scopes\"}]", "1:28 MO-CONFIG-0006 [0].match_kind"},
    {"[{\"id\": \"a\", \"match_kind\": 3}]", "1:28 MO-CONFIG-0003 [0].match_kind"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\"}]", "1:2 MO-CONFIG-0004 [0]: the key \"instances\""},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": {}}]", "2:14 MO-CONFIG-0003 [0].instances"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": []}]", "2:14 MO-CONFIG-0012 [0].instances"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": [\"x\", 2]}]",
     "2:20 MO-CONFIG-0003 [0].instances[1]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": [\"\"]}]", "2:15 MO-CONFIG-0012 [0].instances[0]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": [\"a(\"]}]", "2:15 MO-CONFIG-0011 [0].instances[0]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\",\n\"instances\": [\"(?!a)b\"]}]",
     "2:15 MO-CONFIG-0011 [0].instances[0]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"inputs\": {}}]",
     "2:11 MO-CONFIG-0003 [0].inputs"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"inputs\": [{}]}]",
     "2:12 MO-CONFIG-0003 [0].inputs[0]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"inputs\": [[]]}]",
     "2:12 MO-CONFIG-0012 [0].inputs[0]"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"inputs\": [[{\"port\": 0}]]}]",
     "2:13 MO-CONFIG-0004 [0].inputs[0][0]: the key \"node\""},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"outputs\": [{\"node\": \"n\"}]}]",
     "2:13 MO-CONFIG-0004 [0].outputs[0]: the key \"port\""},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"outputs\": [{\"node\": \"n\", \"port\": "
     "-1}]}]",
     "2:35 MO-CONFIG-0013 [0].outputs[0].port"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"outputs\": [{\"node\": \"n\", \"port\": "
     "1.5}]}]",
     "2:35 MO-CONFIG-0003 [0].outputs[0].port"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"outputs\": [{\"node\": \"*\", \"port\": "
     "0}]}]",
     "2:22 MO-CONFIG-0011 [0].outputs[0].node"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"outputs\": [{\"node\": \"n\", \"prot\": "
     "0}]}]",
     "2:27 MO-CONFIG-0005 [0].outputs[0].prot"},
    {"[{\"id\": \"a\", \"match_kind\": \"points\",\n\"instances\": [\"x\"]}]", "2:14 MO-CONFIG-0003 [0].instances"},
    {"[{\"id\": \"a\", \"match_kind\": \"points\",\n\"instances\": {\"start_points\": [\"x\"]}}]",
     "2:14 MO-CONFIG-0004 [0].instances: the key \"end_points\""},
    {"[{\"id\": \"a\", \"match_kind\": \"points\",\n\"instances\": {\"start_points\": [], \"end_points\": [\"y\"]}}]",
     "2:31 MO-CONFIG-0012 [0].instances.start_points"},
    {"[{\"id\": \"a\", \"match_kind\": \"points\",\n\"instances\": {\"start_points\": [\"x\", \"x\"], \"end_points\": "
     "[\"y\"]}}]",
     "2:37 MO-CONFIG-0014 [0].instances.start_points[1]"},
    {"[{\"id\": \"a\", \"match_kind\": \"points\",\n\"instances\": {\"start_point\": [\"x\"], \"end_points\": "
     "[\"y\"]}}]",
     "2:15 MO-CONFIG-0005 [0].instances.start_point"},
    {"[{\"id\": \"a\", \"match_kind\": \"general\",\n\"instances\": []}]", "2:14 MO-CONFIG-0015 [0].instances"},
    {"[{\"id\": \"a\", \"match_kind\": \"general\",\n\"op\": \"X\"}]", "2:7 MO-CONFIG-0015 [0].op"},
    {"[{\"id\": \"a\", \"match_kind\": \"scope\", \"instances\": [\"x\"],\n\"op\": \"tf::X\"}]",
     "2:7 MO-CONFIG-0015 [0].op"},
    {"[{\"id\": \"a\", \"match_kind\": \"general\",\n\"custom_attributes\": []}]",
     "2:22 MO-CONFIG-0003 [0].custom_attributes"},
    {"[{\"id\": \"a\", \"match_kind\": \"general\",\n\"custom_atributes\": {}}]",
     "2:1 MO-CONFIG-0005 [0].custom_atributes"},
    {"[{\"id\": \"a\", \"match_kind\": \"points\", \"instances\": {\"start_points\": [\"x\"], \"end_points\": "
     "[\"y\"]},\n"
     "\"include_inputs_to_sub_graph\": 1}]",
     "2:32 MO-CONFIG-0003 [0].include_inputs_to_sub_graph"},
};

TEST(ConfigErrors, EachHasAPlaceAndAReason) {
  ASSERT_GE(std::size(kRows), 40U);
  for (const Row& row : kRows) {
    const auto problems = problems_of(row.text);
    ASSERT_FALSE(problems.empty()) << row.text;
    EXPECT_NE(problems.front().find(row.wanted), std::string::npos) << row.text << "\ngot " << problems.front();
    EXPECT_EQ(problems.front().find(row.wanted), 0U) << problems.front();
  }
}

TEST(ConfigErrors, AllAreReportedAtOnce) {
  const auto problems = problems_of(R"([
    {"id": 1, "match_kind": "scope", "instances": []},
    {"match_kind": "nothing"},
    {"id": "b", "match_kind": "points", "instances": {"start_points": ["x"]}}
])");
  EXPECT_EQ(problems.size(), 5U);
}

TEST(ConfigErrors, DeepNestingEnds) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "[";
  EXPECT_EQ(problems_of(text).front().substr(0, 20), "1:102 MO-CONFIG-0002");
}

TEST(ConfigErrors, KeysWithoutMeaningAreWarnings) {
  const auto document = parse_json(
      R"([{"id": "a", "match_kind": "general", "author": "me", "description": ["x"], "inputs": []}])", "c.json");
  ASSERT_TRUE(document);
  const auto read = read_descriptors(*document, "c.json");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->warnings.size(), 2U);
  EXPECT_EQ(read->warnings[0].code, "MO-CONFIG-0010");
  EXPECT_EQ(read->warnings[0].location, "c.json:1:39");
  EXPECT_EQ(read->warnings[1].code, "MO-CONFIG-0016");
}

TEST(ConfigErrors, ALayoutWithoutAnOpHasNoEffect) {
  const auto document =
      parse_json(R"([{"id": "a", "match_kind": "scope", "instances": ["b/"], "layout": "channels_first"}])", "c.json");
  ASSERT_TRUE(document);
  const auto read = read_descriptors(*document, "c.json");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->warnings.size(), 1U);
  EXPECT_EQ(read->warnings[0].code, "MO-CONFIG-0016");
  EXPECT_EQ(read->warnings[0].location, "c.json:1:68");
}

TEST(ConfigErrors, PythonsRegularExpressionsGetAdvice) {
  for (const char* pattern : {"(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\\\1", "(?P=x)", "(?>a)", "a\\\\Z"}) {
    const auto document =
        parse_json(std::string(R"([{"id": "a", "match_kind": "scope", "instances": [")") + pattern + "\"]}]", "c.json");
    ASSERT_TRUE(document) << pattern;
    const auto read = read_descriptors(*document, "c.json");
    ASSERT_FALSE(read) << pattern;
    EXPECT_EQ(read.error().first().code, "MO-CONFIG-0011");
    EXPECT_EQ(read.error().first().hint_text.find("RE2 syntax"), std::string::npos) << pattern;
  }
}

}  // namespace
}  // namespace mo::config
