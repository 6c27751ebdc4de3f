#include "frontends/tensorflow/text_form.hpp"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "tensorflow.pb.h"

namespace mo::tensorflow::testing {
namespace {

/// More text than is read at once, many times.
constexpr std::size_t kManyPieces = std::size_t{1} << 20;

std::string text_of_graph(const GraphDef& graph) {
  std::string text;
  EXPECT_TRUE(google::protobuf::TextFormat::PrintToString(graph, &text));
  return text;
}

/// What was read of a text, printed; or the error.
std::string read_long_text(const std::string& text) {
  const auto bytes = bytes_from_text(text, TextMessage::graph_def);
  if (!bytes) return bytes.error().first().format();
  GraphDef graph;
  EXPECT_TRUE(graph.ParseFromString(*bytes));
  return text_of_graph(graph);
}

/// The same with one call of protobuf's parser.
std::string read_at_once(const std::string& text) {
  GraphDef graph;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  return text_of_graph(graph);
}

template <class Make>
std::string repeated_text(Make make) {
  std::string text;
  for (int i = 0; text.size() < kManyPieces; ++i) text += make(i);
  return text;
}

std::string long_node(int i) {
  return fmt::format(
      "node {{ name: 'n{}' op: \"Op\" attr {{ key: 'b' value {{ i: {} }} }} attr {{ key: 'a' value {{ b: true }} }} "
      "}}\n",
      i, i);
}

TEST(TensorFlowText, long_messages_equal_those_of_one_reading) {
  for (const std::string& text : {
           repeated_text(long_node),
           "versions { producer: 12 }" + repeated_text(long_node) + "library { " + repeated_text([](int i) {
             return fmt::format("function {{ signature {{ name: 'f{}' }} {} }}", i, "node_def { }");
           }) + "}",
           "node: [" +
               repeated_text([](int i) { return fmt::format("{{ name: 'n{}' }}, # not }}\n < name: '}}' >, ", i); }) +
               "{}];" + long_node(1),
           "node { name: 'x' " + repeated_text([](int i) { return fmt::format("input: \"{}\" '\\'{{' # {{\n", i); }) +
               "}" + long_node(2),
           "node { name: 'x' input: [" + repeated_text([](int i) { return fmt::format("'{}', ", i); }) +
               "'z'] op: 'Op' }" + long_node(3),
           "library < " + repeated_text([](int i) { return fmt::format("gradient {{ function_name: '{}' }},\n", i); }) +
               ">",
       })
    EXPECT_EQ(read_long_text(text), read_at_once(text));
}

TEST(TensorFlowText, unknown_fields_are_skipped_however_long_they_are) {
  const std::string text = "stranger { " + repeated_text([](int) { return "x { y: 1 } "; }) + "} strangers: [" +
                           repeated_text([](int) { return "{ y: 1 }, "; }) + "{}]" + long_node(4);
  EXPECT_EQ(read_long_text(text), read_at_once(long_node(4)));
}

TEST(TensorFlowText, errors_in_long_messages_have_their_place) {
  const auto begins = [](const std::string& text, std::string_view start) {
    EXPECT_TRUE(read_long_text(text).starts_with(start)) << read_long_text(text).substr(0, 200);
  };
  const std::string nodes = repeated_text(long_node);
  const auto lines = std::count(nodes.begin(), nodes.end(), '\n');
  begins(nodes + "  node { op: 3 }", fmt::format("MO-TF-0002: line {}, column 14: ", lines + 1));
  begins("versions { }\nlibrary {\n" + repeated_text([](int) { return "function { }\n"; }) + "} node }",
         "MO-TF-0002: line ");
  begins("library { " + repeated_text([](int) { return "function { } "; }),
         "MO-TF-0002: line 1, column 9: this bracket is not closed");
  begins("library { " + repeated_text([](int) { return "function { } "; }) + ">",
         "MO-TF-0002: line 1, column 9: this bracket is not closed");
  begins("node: [" + repeated_text([](int) { return "{ }, "; }) + "\n 3]",
         "MO-TF-0002: line 2, column 2: a list of node contains something else");
  const std::string library = "library { " + repeated_text([](int) { return "function { } "; }) + "}\n";
  begins(library + library, "MO-TF-0002: line 2, column 1: duplicate field \"library\"");
  begins("library { } " + nodes + library,
         fmt::format("MO-TF-0002: line {}, column 1: duplicate field \"library\"", lines + 1));
  begins(library + nodes + "library { }", fmt::format("MO-TF-0002: line "));
}

TEST(TensorFlowText, long_messages_may_not_be_nested_too_deep) {
  std::string text = repeated_text([](int) { return "i: 1 "; });
  for (int i = 0; i < 200; ++i) text = "value { list { func { attr { key: 'k' " + text + " } } } }";
  EXPECT_TRUE(read_long_text("node { attr { key: 'k' " + text + " } }").starts_with("MO-TF-0002"));
}

}  // namespace
}  // namespace mo::tensorflow::testing
