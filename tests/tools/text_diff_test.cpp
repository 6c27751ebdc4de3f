#include "tools/common/text_diff.hpp"

#include <gtest/gtest.h>

namespace mo::tools {
namespace {

TEST(TextDiff, EqualTextsHaveNoDifference) {
  EXPECT_EQ(text_diff("", ""), "");
  EXPECT_EQ(text_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(text_diff("%1 = Add(%0)\n", "%7 = Add(%3)\n"), "") << "values are counted anew";
}

TEST(TextDiff, LinesComeAndGoInOrder) {
  EXPECT_EQ(text_diff("a\nb\nc\n", "a\nx\nc\n"), "- b\n+ x\n");
  EXPECT_EQ(text_diff("a\nc\n", "a\nb\nc\nd\n"), "+ b\n+ d\n");
  EXPECT_EQ(text_diff("a\nb\nc\nd\n", "b\nd\n"), "- a\n- c\n");
  EXPECT_EQ(text_diff("", "a\nb\n"), "+ a\n+ b\n");
  EXPECT_EQ(text_diff("a\nb\n", ""), "- a\n- b\n");
}

TEST(TextDiff, AMovedLineIsRemovedAndAdded) {
  EXPECT_EQ(text_diff("a\nb\nc\nd\n", "b\nc\nd\na\n"), "- a\n+ a\n");
  EXPECT_EQ(text_diff("a\na\nb\n", "a\nb\na\n"), "- a\n+ a\n");
}

TEST(TextDiff, TextsWithNothingInCommonAreShownWhole) {
  std::string before;
  std::string after;
  std::string wanted;
  for (int i = 0; i < 3000; ++i) before += "old\n", wanted += "- old\n";
  for (int i = 0; i < 3000; ++i) after += "new\n", wanted += "+ new\n";
  EXPECT_EQ(text_diff(before, after), wanted);
}

}  // namespace
}  // namespace mo::tools
