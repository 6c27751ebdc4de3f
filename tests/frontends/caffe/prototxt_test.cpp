#include "frontends/caffe/prototxt.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mo::caffe {
namespace {

/// The only field of a text, as one value.
TextValue value_of(const std::string& text) {
  auto message = parse_prototxt("x: " + text);
  EXPECT_TRUE(message) << (message ? "" : message.error().first().format());
  if (!message || message->fields.size() != 1 || message->fields[0].values.size() != 1) return std::int64_t{-999};
  return std::move(message->fields[0].values[0]);
}

std::string problem(const std::string& text) {
  const auto message = parse_prototxt(text);
  return message ? "" : message.error().first().code + " " + message.error().first().message;
}

TEST(Prototxt, NumbersInAllSpellings) {
  EXPECT_EQ(std::get<std::int64_t>(value_of("-12")), -12);
  EXPECT_EQ(std::get<std::int64_t>(value_of("- 12")), -12);
  EXPECT_EQ(std::get<std::int64_t>(value_of("0x1F")), 31);
  EXPECT_EQ(std::get<std::int64_t>(value_of("017")), 15);
  EXPECT_EQ(std::get<std::int64_t>(value_of("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(std::get<double>(value_of("9223372036854775808")), 9223372036854775808.0);
  EXPECT_EQ(std::get<double>(value_of("1.5f")), 1.5);
  EXPECT_EQ(std::get<double>(value_of(".5")), 0.5);
  EXPECT_EQ(std::get<double>(value_of("1e-3")), 1e-3);
  EXPECT_EQ(std::get<double>(value_of("1E+2")), 100.0);
  EXPECT_EQ(std::get<double>(value_of("2f")), 2.0);
  EXPECT_EQ(std::get<double>(value_of("1e-400")), 0.0);
  EXPECT_TRUE(std::isinf(std::get<double>(value_of("-inf"))));
}

TEST(Prototxt, WordsFlagsAndStrings) {
  EXPECT_EQ(std::get<Word>(value_of("MAX")).text, "MAX");
  EXPECT_EQ(std::get<bool>(value_of("true")), true);
  EXPECT_EQ(std::get<bool>(value_of("False")), false);
  EXPECT_EQ(std::get<std::string>(value_of(R"("a\n\t\"\x41\101\u00e9" 'b')")),
            "a\n\t\"AA\xC3\xA9"
            "b");
}

TEST(Prototxt, MessagesListsCommentsAndSeparators) {
  const auto message = parse_prototxt(
      "\xEF\xBB\xBF# first\nlayer < name: 'a'; top: ['b', 'c'], > layer: { dim: 1 dim: 3 dim: [] } # last");
  ASSERT_TRUE(message) << message.error().first().format();
  ASSERT_EQ(message->fields.size(), 1U);  // neighbours of one name
  ASSERT_EQ(message->fields[0].values.size(), 2U);
  const TextMessage& first = *std::get<std::unique_ptr<TextMessage>>(message->fields[0].values[0]);
  EXPECT_EQ(first.fields[1].values.size(), 2U);
  const TextMessage& second = *std::get<std::unique_ptr<TextMessage>>(message->fields[0].values[1]);
  EXPECT_EQ(second.fields[0].values.size(), 2U);
}

TEST(Prototxt, NamesOfExtensionsKeepTheirBrackets) {
  const auto message = parse_prototxt("[a.b/c-1]: 1 [ d : 2");
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().first().message, "line 1, column 15: the name of an extension ends with ']'");
  const auto named = parse_prototxt("[a.b/c-1]: 1 [a.b] { c: 2 }");
  ASSERT_TRUE(named) << named.error().first().format();
  ASSERT_EQ(named->fields.size(), 2U);
  EXPECT_EQ(named->fields[0].name, "[a.b/c-1]");
  EXPECT_EQ(named->fields[1].name, "[a.b]");
  for (const char* wrong : {"[]: 1", "[@blobs]: 1", "[a", "[", "[a b]: 1"}) EXPECT_NE(problem(wrong), "") << wrong;
}

TEST(Prototxt, ErrorsNameLineAndColumn) {
  EXPECT_EQ(problem("a: 1\n  b: \"x\n"), "MO-CAFFE-0001 line 2, column 6: this string is not closed on its line");
  EXPECT_EQ(problem("a: 1e400"), "MO-CAFFE-0001 line 1, column 4: the number 1e400 is too large");
  EXPECT_EQ(problem("a: 12x"), "MO-CAFFE-0001 line 1, column 4: \"12x\" is not a number");
  EXPECT_EQ(problem("a: 099"), "MO-CAFFE-0001 line 1, column 4: \"099\" is not a number");
  EXPECT_EQ(problem("a {\n b: 1"), "MO-CAFFE-0001 line 1, column 3: this message is never closed with '}'");
  EXPECT_EQ(problem("a { b: 1 >"), "MO-CAFFE-0001 line 1, column 10: the name of a field is expected, not '>'");
  EXPECT_EQ(problem("a 1"), "MO-CAFFE-0001 line 1, column 3: ':' or '{' is expected, not '1'");
  EXPECT_EQ(problem("a: }"), "MO-CAFFE-0001 line 1, column 4: a value is expected, not '}'");
  EXPECT_EQ(problem("a: [1 2]"), "MO-CAFFE-0001 line 1, column 7: ',' or ']' is expected, not '2'");
  EXPECT_EQ(problem("a:"), "MO-CAFFE-0001 line 1, column 3: a value is expected, not the end of the text");
  EXPECT_EQ(problem("a: $"), "MO-CAFFE-0001 line 1, column 4: '$' is not expected");
  EXPECT_EQ(problem(std::string("a: 1\0", 5)),
            "MO-CAFFE-0001 line 1, column 5: there is a byte 0x00 outside of strings");
  EXPECT_EQ(problem(std::string("a: '\0'", 6)), "MO-CAFFE-0001 line 1, column 5: there is a byte 0x00 in a string");
  EXPECT_EQ(problem(R"(a: "\q")"), "MO-CAFFE-0001 line 1, column 5: there is no escape \\q");
  EXPECT_EQ(problem(R"(a: "\ud800")"), "MO-CAFFE-0001 line 1, column 5: the escape \\u is malformed");
  EXPECT_EQ(problem(R"(a: "\)"), "MO-CAFFE-0001 line 1, column 5: there is no escape \\ ");
}

TEST(Prototxt, DepthAndSizeAreBounded) {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "a {";
  EXPECT_EQ(problem(deep), "MO-CAFFE-0001 line 1, column 303: messages are nested more than 100 deep");
  std::string many = "a: [0";
  for (int i = 0; i < (1 << 22); ++i) many += ",0";
  EXPECT_TRUE(problem(many + "]").starts_with("MO-CAFFE-0001"));
}

TEST(Prototxt, EveryTruncationIsAnErrorOrAShorterText) {
  const std::string text =
      "name: 'n' layer { name: \"a\\x41\" type: 'B' dim: [1, -2.5e3] bool: true enum: MAX blobs < shape { dim: 1 } > } "
      "# end";
  for (std::size_t length = 0; length < text.size(); ++length) (void)problem(text.substr(0, length));
  EXPECT_EQ(problem(text), "");
}

}  // namespace
}  // namespace mo::caffe
