// Runs the pairs of docs/porting.md: the code of each section on the graph that stands beside it.
#include "porting_guide.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "core/inference/infer.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "extensions/config/config_ops.hpp"
#include "transformations/catalogue.hpp"

namespace mo {
namespace {

std::string canonical(const Graph& graph) { return to_text(graph, {.elide_constants = false}); }

std::string page() {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/docs/porting.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first block of a language in section `number` of the guide.
std::string block_of(int number, const std::string& language) {
  const std::string text = page();
  const std::string opening = "```" + language + "\n";
  const std::size_t from = text.find(opening, text.find("\n## " + std::to_string(number) + ". ")) + opening.size();
  return text.substr(from, text.find("```", from) - from);
}

/// What stands in section `number` of the guide, before and after the line `---`.
std::pair<std::string, std::string> example_of(int number) {
  const std::string block = block_of(number, "text");
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
    run(pass, *graph);
    EXPECT_TRUE(diagnostics_.items.empty());
    EXPECT_EQ(canonical(*graph), canonical(*parse(after, infer)));
  }

  void run(const Pass& pass, Graph& graph) {
    PassContext context{diagnostics_, settings_, nullptr};
    const auto changed = run_pass(pass, graph, context);
    ASSERT_TRUE(changed) << changed.error().first().format();
    EXPECT_TRUE(*changed) << pass.name;
  }

  Registry registry_;
  OpRegistry& ops_ = registry_.ops();
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
  transformations::add_catalogue(library);
  const auto done = transform(*graph, std::move(library), diagnostics_);
  ASSERT_TRUE(done) << done.error().first().format();
  EXPECT_EQ(canonical(*graph), canonical(*parse(after, true)));
}

TEST_F(PortingGuide, AnNGraphFunctionPass) { expect_example(9, magnitudes_of_activations()); }
TEST_F(PortingGuide, OneOpOfEveryFramework) { expect_example(10, subtract_by_sum()); }

TEST_F(PortingGuide, ACustomInferenceFunction) {
  const auto [before, after] = example_of(11);
  const auto graph = parse(before, false);
  run(mvn_of_moments(), *graph);
  ASSERT_TRUE(infer_graph(*graph));
  EXPECT_TRUE(graph->has_op("MvnOfMoments"));
  run(mvn_of_checked_moments(), *graph);
  EXPECT_EQ(canonical(*graph), canonical(*parse(after, true)));

  const auto other = parse(std::regex_replace(before, std::regex("%d, .1, 2."), "%d, [2, 1]"), false);
  run(mvn_of_moments(), *other);
  const auto inferred = infer_graph(*other);
  ASSERT_FALSE(inferred);
  EXPECT_EQ(inferred.error().first().code, "ACME-0007");
}

TEST_F(PortingGuide, AnOpWithoutAnInferenceFunction) {
  const auto [before, layer] = example_of(12);
  ops_.add<InceptionBlock>();
  const auto graph = parse(before, true);
  config::Descriptor descriptor;
  descriptor.replacement_id = "InceptionBlockReplacer";
  descriptor.op = "InceptionBlock";
  descriptor.match_kind = config::MatchKind::scope;
  descriptor.scopes = {"net/Mixed_5b/"};
  AttributeMap attributes;
  attributes.set("attr1_key", "attr1_value");
  attributes.set("attr2_key", std::int64_t{123456});
  descriptor.custom_attributes = attributes;
  settings_.set(config::Replacements{{descriptor}});
  run(config::config_ops(registry_), *graph);
  ASSERT_TRUE(infer_graph(*graph));
  const Node made = graph->results()[0].input(0).node();
  EXPECT_EQ(fmt::format("{} {} attr1_key=\"{}\" attr2_key={} {}\n", made.type(), made.op_type().opset_name,
                        *made.attr<std::string>("attr1_key"), *made.attr<std::int64_t>("attr2_key"),
                        made.output_type().to_string()),
            layer);
}

TEST_F(PortingGuide, AnAttributeBecomesAnInput) { expect_example(13, top_k_normalize()); }
TEST_F(PortingGuide, ShapesThatAreComputedInTheModel) { expect_example(14, flatten_to_reshape()); }

/// Lines of code: without includes, comments and empty lines.
int lines_of_code(const std::string& code) {
  std::istringstream lines(code);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, 2, "//") != 0 && line[first] != '#') ++count;
  }
  return count;
}

TEST_F(PortingGuide, NoExampleIsLongerThanInPython) {
  const std::string text = page();
  const std::regex row("\n\\| [^|]+ \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\|");
  int rows = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it, ++rows) {
    const int section = std::stoi((*it)[3]);
    EXPECT_EQ(std::stoi((*it)[2]), lines_of_code(block_of(section, "cpp"))) << "section " << section;
    EXPECT_LE(std::stoi((*it)[2]), std::stoi((*it)[1])) << "section " << section;
  }
  EXPECT_EQ(rows, 6);
}

}  // namespace
}  // namespace mo
