#include "phases/partial_inference/input_ranks.hpp"

#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

/// The hint of the only warning.
std::string hint_for(const std::string& graph) {
  const auto done = run(input_ranks(), *parse(graph, true));
  EXPECT_EQ(done.code, "");
  EXPECT_EQ(done.diagnostics.size(), 1U);
  return done.diagnostics.empty() ? "" : done.diagnostics.front().hint_text;
}

TEST(InputRanks, TheHintNamesTheLowestRankThatTheModelTakes) {
  const std::string vector = hint_for(R"(graph(%x: f32[...] "x", %z: f32[2] "z") { %y = Multiply(%x, %z) return %y })");
  EXPECT_NE(vector.find(R"(--input "x[?],z")"), std::string::npos) << vector;
  // The batch of the input is that of the result, so there must be more than a batch.
  const std::string matrix = hint_for(R"(graph(%x: f32[...] "x") {
    %s = ShapeOf(%x)
    %b = Gather.v8(%s, [0]:i64, 0:i64)
    %t = Concat(%b, [28]:i64) {axis=0}
    %y = Reshape(%x, %t)
    return %y
  })");
  EXPECT_NE(matrix.find(R"(--input "x[?,?]")"), std::string::npos) << matrix;
}

}  // namespace
}  // namespace mo::phases
