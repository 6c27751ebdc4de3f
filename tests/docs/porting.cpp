// Runs the pairs of docs/porting.md: the code of each section on the graph that stands beside it.
#include "porting_guide.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "extensions/library/library.hpp"

namespace mo {
namespace {

std::string canonical(const Graph& graph) { return to_text(graph, {.elide_constants = false}); }

/// What stands in section `number` of the guide, before and after the line `---`.
std::pair<std::string, std::string> example_of(int number) {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/docs/porting.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::string opening = "```text\n";
  const std::size_t from = page.find(opening, page.find("\n## " + std::to_string(number) + ". ")) + opening.size();
  const std::string block = page.substr(from, page.find("```", from) - from);
  const std::size_t line = block.find("---\n");
  return {block.substr(0, line), block.substr(line + 4)};
}

class PortingGuide : public testing::Test {
 protected:
  PortingGuide() {
    register_builtin_ops(ops_);
    ops::register_all(ops_);
    ops_.add<EvenRows>();
  }
  std::unique_ptr<Graph> parse(const std::string& text, bool infer) {
    auto graph = parse_graph(text, ops_, {.infer = infer});
    EXPECT_TRUE(graph) << graph.error().first().format();
    return graph ? *std::move(graph) : std::make_unique<Graph>();
  }
  /// The pass makes of the first graph of the section what the second one is.
  void expect_example(int section, const Pass& pass) {
    const auto [before, after] = example_of(section);
    const bool infer = pass.phase == Phase::middle || pass.phase == Phase::back;
    const auto graph = parse(before, infer);
    PassContext context{diagnostics_, settings_, nullptr};
    const auto changed = run_pass(pass, *graph, context);
    ASSERT_TRUE(changed) << changed.error().first().format();
    EXPECT_TRUE(*changed);
    EXPECT_TRUE(diagnostics_.items.empty());
    EXPECT_EQ(canonical(*graph), canonical(*parse(after, infer)));
  }

  OpRegistry ops_;
  Settings settings_;
  DiagnosticList diagnostics_;
};

TEST_F(PortingGuide, OneOpBecomesTwo) { expect_example(1, squared_difference_by_power()); }
TEST_F(PortingGuide, ASubGraphByNodesAndEdges) { expect_example(2, mish_of_framework_ops()); }

TEST_F(PortingGuide, AConfigurationThatNamesTheSubGraph) {
  config::Descriptor descriptor;
  descriptor.replacement_id = "HardSwishPoints";
  descriptor.match_kind = config::MatchKind::points;
  descriptor.start_points = {"block/in"};
  descriptor.end_points = {"block/out"};
  settings_.set(config::Replacements{{descriptor}});
  expect_example(3, hard_swish_points());
}

TEST_F(PortingGuide, APatternWithShapes) { expect_example(4, products_of_constants()); }
TEST_F(PortingGuide, AWalkOverTheGraph) { expect_example(5, axes_from_the_front()); }

TEST_F(PortingGuide, AnOpWithItsShape) {
  const auto [before, type] = example_of(6);
  const auto graph = parse(before, true);
  TensorType made = graph->results()[0].input_type(0);
  for (Dimension& d : made.shape.dims()) d = Dimension(d.min(), d.max());  // without the numbers of symbols
  EXPECT_EQ(made.to_string() + "\n", type);
}

TEST_F(PortingGuide, AnNGraphMatcherPass) { expect_example(7, divide_by_constant()); }

TEST_F(PortingGuide, AnNGraphFunctionPassAndItsManager) {
  const auto [before, after] = example_of(8);
  const auto graph = parse(before, true);
  PassLibrary library;
  library::register_transformations(library);
  const auto done = transform(*graph, std::move(library), diagnostics_);
  ASSERT_TRUE(done) << done.error().first().format();
  EXPECT_EQ(canonical(*graph), canonical(*parse(after, true)));
}

}  // namespace
}  // namespace mo
