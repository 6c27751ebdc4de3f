#include "driver/option_grammar.hpp"

#include <gtest/gtest.h>

#include "tests/cli/diagnostic_text.hpp"

namespace mo {
namespace {

using testing::code_of;
using testing::under_caret;

TEST(InputGrammar, ReadsNamesShapesTypesAndValues) {
  const auto inputs = parse_inputs("data[1 3 ? 2..8]{f16}, 0:conv1 , mask->[1 0 1],flag->True,info{i64}[2]->[3 4]");
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 5u);
  const auto& all = *inputs;
  EXPECT_EQ(all[0].node, "data");
  EXPECT_EQ(*all[0].shape, (PartialShape{1, 3, Dimension::unknown(), Dimension(2, 8)}));
  EXPECT_EQ(*all[0].type, ElementType::f16);
  EXPECT_EQ(all[1].text, "0:conv1");
  EXPECT_EQ(all[1].node, "conv1");
  EXPECT_EQ(all[1].in_port, 0);
  EXPECT_FALSE(all[1].shape);
  EXPECT_EQ(*all[2].value, (FrozenValue{{"1", "0", "1"}, true}));
  EXPECT_EQ(*all[3].value, (FrozenValue{{"True"}, false}));
  EXPECT_EQ(*all[4].shape, (PartialShape{2}));
  EXPECT_EQ(*all[4].value, (FrozenValue{{"3", "4"}, true}));
}

TEST(InputGrammar, TensorNamesWithColonsKeepBothReadings) {
  const auto inputs = parse_inputs("serving_default_input_2:0[1 10]");
  ASSERT_TRUE(inputs);
  const InputSpec& input = inputs->front();
  EXPECT_EQ(input.text, "serving_default_input_2:0");
  EXPECT_EQ(input.node, "serving_default_input_2");
  EXPECT_EQ(input.out_port, 0);
  const auto all = readings(input);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].node, "serving_default_input_2:0");
  EXPECT_FALSE(all[0].out_port);
  EXPECT_EQ(all[1].node, "serving_default_input_2");
  EXPECT_EQ(all[1].out_port, 0);
}

TEST(InputGrammar, TwoPortsHaveFourReadingsAndTheWholeTextComesFirst) {
  const auto all = readings(ported_name("0:a:b:1"));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].node, "0:a:b:1");
  EXPECT_EQ(all[1].node, "a:b:1");
  EXPECT_EQ(all[1].in_port, 0);
  EXPECT_EQ(all[2].node, "0:a:b");
  EXPECT_EQ(all[2].out_port, 1);
  EXPECT_EQ(all[3].node, "a:b");
  EXPECT_EQ(all[3].in_port, 0);
  EXPECT_EQ(all[3].out_port, 1);
}

TEST(InputGrammar, ColonsWithoutAPlausibleNumberBelongToTheName) {
  for (const char* name : {"a:", ":0", "a:b", "a:999999999999", "::", ":", "0:"}) {
    const PortedName read = ported_name(name);
    EXPECT_EQ(read.node, name);
    EXPECT_FALSE(read.in_port || read.out_port) << name;
  }
}

TEST(InputGrammar, NamesKeepDashesSlashesSpacesAndUtf8) {
  const auto inputs = parse_inputs("a-b>c/d.e (f),größe");
  ASSERT_TRUE(inputs);
  EXPECT_EQ((*inputs)[0].node, "a-b>c/d.e (f)");
  EXPECT_EQ((*inputs)[1].node, "größe");
}

TEST(InputGrammar, EmptyTextIsAsIfTheOptionWasNotGiven) {
  EXPECT_TRUE(parse_inputs("")->empty());
  EXPECT_TRUE(parse_inputs("  ")->empty());
  EXPECT_TRUE(parse_outputs("")->empty());
  EXPECT_TRUE(parse_shapes("")->empty());
}

TEST(InputGrammar, DuplicateEqualEntriesAreOneInput) {
  const auto inputs = parse_inputs("a[1 2],b,a[1,2]");
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 2u);
  EXPECT_EQ((*inputs)[1].node, "b");
  for (const char* text : {"a,a[1]", "a{f16},a{f32}", "a->1,a->2"})
    EXPECT_EQ(code_of(parse_inputs(text)), "MO-CLI-0014") << text;
}

TEST(InputGrammar, ScalarShapeIsNotAMissingShape) {
  const auto inputs = parse_inputs("a[],b");
  ASSERT_TRUE(inputs);
  EXPECT_EQ((*inputs)[0].shape->rank(), 0);
  EXPECT_FALSE((*inputs)[1].shape);
}

struct BadText {
  const char* text;
  const char* code;
  const char* under;  ///< character above the caret
};

class BadInput : public ::testing::TestWithParam<BadText> {};
TEST_P(BadInput, IsRefusedWithTheCaretUnderThePlace) {
  const auto result = parse_inputs(GetParam().text);
  EXPECT_EQ(code_of(result), GetParam().code) << GetParam().text;
  EXPECT_EQ(under_caret(result), GetParam().under) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Texts, BadInput,
    ::testing::Values(BadText{"a[1,,3]", "MO-CLI-0011", ","}, BadText{"a[-2]", "MO-CLI-0011", "-"},
                      BadText{"a[-12]", "MO-CLI-0011", "-"}, BadText{"a[99999999999]", "MO-CLI-0011", "9"},
                      BadText{"a[99999999999999999999999]", "MO-CLI-0011", "9"}, BadText{"a{f99}", "MO-CLI-0012", "f"},
                      BadText{"a[1 2", "MO-CLI-0011", "["}, BadText{"a]", "MO-CLI-0010", "]"},
                      BadText{"a{f32", "MO-CLI-0012", "{"}, BadText{"a,,b", "MO-CLI-0010", ","},
                      BadText{"a,", "MO-CLI-0010", "end"}, BadText{",a", "MO-CLI-0010", ","},
                      BadText{"a->", "MO-CLI-0013", "end"}, BadText{"a->[1 [2]]", "MO-CLI-0013", "["},
                      BadText{"a->[1 2", "MO-CLI-0013", "["}, BadText{"a[1][2]", "MO-CLI-0010", "["},
                      BadText{"a{f32}{i8}", "MO-CLI-0010", "{"}, BadText{"a[8..2]", "MO-CLI-0011", "8"},
                      BadText{"a[..]", "MO-CLI-0011", "."}, BadText{"a[1x]", "MO-CLI-0011", "x"},
                      BadText{"a[1 2]:0", "MO-CLI-0010", ":"}, BadText{"a,b,a[1]", "MO-CLI-0014", "a"},
                      BadText{"[1 2]", "MO-CLI-0010", "["}, BadText{"a[?1]", "MO-CLI-0011", "1"},
                      BadText{"a->[[[[", "MO-CLI-0013", "["}, BadText{"a{dynamic}", "MO-CLI-0012", "d"}));

TEST(InputGrammar, CaretColumnsAreCharactersNotBytes) {
  const auto result = parse_inputs("größe[x]");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().notes[0], "--input größe[x]");
  EXPECT_EQ(result.error().first().notes[1], "              ^");
}

TEST(InputGrammar, LongValuesAreShownAroundTheCaretOnly) {
  std::string text(100000, 'a');
  text += "[x]";
  text += std::string(100000, 'b');
  const auto result = parse_inputs(text);
  ASSERT_FALSE(result);
  EXPECT_LT(result.error().first().notes[0].size(), 120u);
  EXPECT_LT(result.error().first().message.size(), 200u);
}

TEST(InputGrammar, AMillionEntriesTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 1000000; ++i) text += "n" + std::to_string(i) + "[1 2],";
  text += "last";
  const auto inputs = parse_inputs(text);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->size(), 1000001u);
  EXPECT_EQ(code_of(parse_inputs(std::string(1000000, '['))), "MO-CLI-0010");
  EXPECT_EQ(code_of(parse_inputs("a" + std::string(1000000, '['))), "MO-CLI-0011");
}

TEST(OutputGrammar, TakesPortsButNoShapes) {
  const auto outputs = parse_outputs("prob:1, 0:pool");
  ASSERT_TRUE(outputs);
  EXPECT_EQ((*outputs)[0].node, "prob");
  EXPECT_EQ((*outputs)[0].out_port, 1);
  EXPECT_EQ((*outputs)[1].in_port, 0);
  EXPECT_EQ(code_of(parse_outputs("prob[1]")), "MO-CLI-0010");
}

TEST(ShapeGrammar, TakesBothBracketsSpacesAndUnknowns) {
  const auto shapes = parse_shapes(" [1, 3,-1,?] , (2,4..,..8) ,[],[...]");
  ASSERT_TRUE(shapes);
  ASSERT_EQ(shapes->size(), 4u);
  EXPECT_EQ((*shapes)[0], (PartialShape{1, 3, Dimension::unknown(), Dimension::unknown()}));
  EXPECT_EQ((*shapes)[1], (PartialShape{2, Dimension(4, Dimension::kNoLimit), Dimension(0, 8)}));
  EXPECT_EQ((*shapes)[2], PartialShape(std::vector<Dimension>{}));
  EXPECT_FALSE((*shapes)[3].has_rank());
}

TEST(ShapeGrammar, ARangeOfOneNumberIsThatNumber) {
  const auto shapes = parse_shapes("[3..3,0..0]");
  ASSERT_TRUE(shapes);
  EXPECT_EQ((*shapes)[0], (PartialShape{3, 0}));
}

TEST(ShapeGrammar, RefusesInvalidShapes) {
  for (const char* text : {"[1,3", "1,3,224,224", "[1,3)", "(1,2]", "[1,3]x", "[1,3],", "[a]", "[1.5]", "[+1]",
                           "[0x10]", "[1,2,]", "[,1]", "[1 2][3 4]"})
    EXPECT_EQ(code_of(parse_shapes(text)), "MO-CLI-0011") << text;
}

TEST(ChannelValuesGrammar, TakesAllForms) {
  EXPECT_EQ(*parse_channel_values("--mean_values", "(1,2.5,-3e1)"),
            (std::vector<ChannelValues>{{std::nullopt, {1, 2.5, -30}}}));
  EXPECT_EQ(*parse_channel_values("--mean_values", "[1, 2],(+3)"),
            (std::vector<ChannelValues>{{std::nullopt, {1, 2}}, {std::nullopt, {3}}}));
  EXPECT_EQ(*parse_channel_values("--mean_values", "a:0(1,2), b[3 4]"),
            (std::vector<ChannelValues>{{"a:0", {1, 2}}, {"b", {3, 4}}}));
  EXPECT_EQ(*parse_channel_values("--mean_values", "1,2 ,3"), (std::vector<ChannelValues>{{std::nullopt, {1, 2, 3}}}));
  EXPECT_EQ(*parse_channel_values("--mean_values", "a(1),"), (std::vector<ChannelValues>{{"a", {1}}}))
      << "old lines end with a comma";
  EXPECT_EQ(*parse_channel_values("--mean_values", "[1],[2], "),
            (std::vector<ChannelValues>{{std::nullopt, {1}}, {std::nullopt, {2}}}));
  EXPECT_TRUE(parse_channel_values("--mean_values", "()")->empty());
}

TEST(ChannelValuesGrammar, RefusesInvalidLists) {
  for (const char* text :
       {"(1,2", "(1,2]",  "a(1),(2)", "(1),b(2)", "1,2(3)", "(1,,2)",   "(x)",  "(nan)",   "(inf)", "(1e999)", "a()",
        "a",    "(1)(2)", "1,x",      "1,",       "(1),,",  "(1),,(2)", ",(1)", "(1,0x2)", "((1))", "(+-1)"})
    EXPECT_EQ(code_of(parse_channel_values("--mean_values", text)), "MO-CLI-0015") << text;
  EXPECT_EQ(code_of(parse_channel_values("--mean_values", "a(1),a(2)")), "MO-CLI-0014");
}

TEST(ChannelValuesGrammar, OnlyDivisorsMustNotBeZero) {
  EXPECT_TRUE(parse_channel_values("--mean_values", "(0,0,0)"));
  EXPECT_EQ(code_of(parse_channel_values("--scale_values", "(1,0,1)")), "MO-CLI-0016");
  EXPECT_EQ(code_of(parse_channel_values("--scale_values", "1,0")), "MO-CLI-0016");
}

TEST(FreezeGrammar, TakesNumbersAndLists) {
  const auto frozen = parse_frozen_placeholders("is_training->False, size:0->[1 2],x->-1.5");
  ASSERT_TRUE(frozen);
  ASSERT_EQ(frozen->size(), 3u);
  EXPECT_EQ((*frozen)[0].value, (FrozenValue{{"False"}, false}));
  EXPECT_EQ((*frozen)[1].text, "size:0");
  EXPECT_EQ((*frozen)[1].value, (FrozenValue{{"1", "2"}, true}));
  EXPECT_EQ((*frozen)[2].value, (FrozenValue{{"-1.5"}, false}));
  EXPECT_EQ(code_of(parse_frozen_placeholders("a")), "MO-CLI-0017");
  EXPECT_EQ(code_of(parse_frozen_placeholders("a->1,b")), "MO-CLI-0017");
  EXPECT_EQ(code_of(parse_frozen_placeholders("a->1,")), "MO-CLI-0017");
  EXPECT_EQ(code_of(parse_frozen_placeholders("->1")), "MO-CLI-0017");
}

TEST(BatchGrammar, TakesPositiveNumbersOnly) {
  EXPECT_EQ(*parse_batch("8"), 8);
  for (const char* text : {"0", "-1", "", "x", "1.5", "99999999999"})
    EXPECT_EQ(code_of(parse_batch(text)), "MO-CLI-0026") << text;
}

TEST(OffsetsGrammar, TakesTwoNumbers) {
  EXPECT_EQ(*parse_offsets("--mean_file_offsets", "(10, 20)"), (std::vector<std::int64_t>{10, 20}));
  for (const char* text : {"", "10,20", "(1)", "(1,2,3)", "(-1,2)", "(1,2)x"})
    EXPECT_EQ(code_of(parse_offsets("--mean_file_offsets", text)), "MO-CLI-0005") << text;
}

}  // namespace
}  // namespace mo
