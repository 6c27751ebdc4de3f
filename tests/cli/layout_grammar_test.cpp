#include <gtest/gtest.h>

#include "driver/option_grammar.hpp"
#include "tests/cli/diagnostic_text.hpp"

namespace mo {
namespace {

using testing::code_of;
using testing::under_caret;

/// "name:source>target" for each item.
std::string read(std::string_view text, std::string_view option = "--layout") {
  const auto specs = parse_layouts(option, text);
  if (!specs) return specs.error().first().code;
  std::string all;
  for (const LayoutSpec& spec : *specs)
    all += (all.empty() ? "" : " ") + spec.name.value_or("") + ":" + (spec.source ? spec.source->to_string() : "") +
           ">" + (spec.target ? spec.target->to_string() : "");
  return all;
}

TEST(LayoutGrammar, ReadsLayoutsWithAndWithoutNames) {
  EXPECT_EQ(read("nhwc"), ":[N,H,W,C]>");
  EXPECT_EQ(read("nhwc->nchw"), ":[N,H,W,C]>[N,C,H,W]");
  EXPECT_EQ(read("->NCHW"), ":>[N,C,H,W]");
  EXPECT_EQ(read("nhwc->"), ":[N,H,W,C]>");
  EXPECT_EQ(read("input(NCHW)"), "input:[N,C,H,W]>");
  EXPECT_EQ(read("a(NCHW),b(N?)"), "a:[N,C,H,W]> b:[N,?]>");
  EXPECT_EQ(read("input_1(nchw->nhwc), image_shape( n? )"), "input_1:[N,C,H,W]>[N,H,W,C] image_shape:[N,?]>");
  EXPECT_EQ(read("data[n,h,w,c]"), "data:[N,H,W,C]>");
  EXPECT_EQ(read("data[n,...]->[...,n]"), "data:[N,...]>[...,N]");
  EXPECT_EQ(read("x:0([batch, channels, height, width])"), "x:0:[N,C,H,W]>");
  EXPECT_EQ(read("[n,c,...]->n...c"), ":[N,C,...]>[N,...,C]");
  EXPECT_EQ(read("nhwc->[n,c,h,w]"), ":[N,H,W,C]>[N,C,H,W]");
  EXPECT_EQ(read("nchw,nc"), ":[N,C,H,W]> :[N,C]>");
  EXPECT_EQ(read("a(**SCALAR**)"), "a:**SCALAR**>");
  EXPECT_EQ(read(" "), "");
}

TEST(LayoutGrammar, ItsTwoHalvesHaveNoArrow) {
  EXPECT_EQ(read("nhwc", "--source_layout"), ":[N,H,W,C]>");
  EXPECT_EQ(read("a(nhwc)", "--target_layout"), "a:>[N,H,W,C]");
  EXPECT_EQ(read("nhwc->nchw", "--target_layout"), "MO-CLI-0028");
}

TEST(LayoutGrammar, ShowsWhereItIsWrong) {
  const auto at = [](std::string_view text) { return under_caret(parse_layouts("--layout", text)); };
  EXPECT_EQ(at("nhwn"), "n");
  EXPECT_EQ(at("n...c..."), ".");
  EXPECT_EQ(at("nh5c"), "5");
  EXPECT_EQ(at("a(nhwc"), "(");
  EXPECT_EQ(at("a[n,c"), "[");
  EXPECT_EQ(at("[n,c*d]"), "*");
  for (const char* text :
       {"a()", "->", ",", "a(nhwc)b", "a(nhwc),nc", "[batch,BATCH]", "[n,,c]", "[n c]", "a(nhwc->nchw->n)", "a(n-c)"})
    EXPECT_EQ(code_of(parse_layouts("--layout", text)), "MO-CLI-0028") << text;
  EXPECT_EQ(code_of(parse_layouts("--layout", "a(nc),a(cn)")), "MO-CLI-0014");
}

}  // namespace
}  // namespace mo
