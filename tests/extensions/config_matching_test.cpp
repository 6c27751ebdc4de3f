#include "extensions/config/matching.hpp"
#include "tests/extensions/config_run.hpp"

namespace mo::config {
namespace {

std::string code_of(const Expected<FoundMatches>& found) { return found ? "" : found.error().first().code; }

TEST(ScopeMatching, PatternsAreAnchoredAtTheStartOnly) {
  const auto graph = parse(kBlocks);
  const auto d = descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1", "block1", ".*block2/"],
    "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 0}], [{"node": "d$", "port": 1}]], "outputs": [{"node": "d", "port": 0}]}])");
  const auto found = find_matches(d[0], *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  ASSERT_EQ(found->matches.size(), 2U);
  EXPECT_EQ(found->misses.size(), 1U) << "\"block1\" is no beginning of a name";
  const SubgraphMatch& match = found->matches[0];
  EXPECT_EQ(match.matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(match.scope(), "net/block1");
  EXPECT_EQ(match.inputs_count(), 2U);
  EXPECT_EQ(match.input_nodes(0).size(), 2U);
  EXPECT_EQ(match.single_input_node(0).error().first().code, "MO-CONFIG-0024");
  EXPECT_EQ(match.single_input_node(9).error().first().code, "MO-CONFIG-0024");
  EXPECT_EQ(match.single_input_node(1)->node.name(), "net/block1/d");
  EXPECT_EQ(match.input(0)->node().name(), "net/start");
  EXPECT_EQ(match.output_node(0)->node.name(), "net/block1/d");
  EXPECT_EQ(match.output_node(1).error().first().code, "MO-CONFIG-0025");
  EXPECT_EQ(match.node_by_pattern("c$")->name(), "net/block1/c");
  EXPECT_FALSE(*match.node_by_pattern("q"));
  EXPECT_EQ(match.node_by_pattern(".").error().first().code, "MO-CONFIG-0020");
}

TEST(ScopeMatching, APatternThatFitsTwoNodesIsAnError) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "outputs": [{"node": "[ab]$", "port": 0}]}])")[0],
                                  *graph);
  EXPECT_EQ(code_of(found), "MO-CONFIG-0020");
  EXPECT_EQ(found.error().first().location, "c.json:1:2");
}

TEST(ScopeMatching, WithoutANodeForAnInputNothingMatches) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "inputs": [[{"node": "nowhere$", "port": 0}]]}])")[0],
                                  *graph);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->matches.empty());
  EXPECT_EQ(code_of(find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "inputs": [[{"node": "a$", "port": 5}]]}])")[0],
                                 *graph)),
            "MO-CONFIG-0013");
}

TEST(PointsMatching, TakesNodesBetweenThePointsAndTheirInputs) {
  const auto graph = parse(kBlocks);
  const auto found =
      find_matches(descriptors(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/d")"))[0], *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  EXPECT_EQ(found->matches[0].matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(found->matches[0].single_input_node(1)->node.name(), "net/block1/b");
  EXPECT_EQ(found->matches[0].output_node(0)->node.name(), "net/block1/d");
  EXPECT_EQ(found->matches[0].scope(), "");
}

TEST(PointsMatching, PointsMayBeOutside) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(
      descriptors(points(R"("net/start")", R"("net/block2/a")",
                         R"(, "include_inputs_to_sub_graph": false, "include_outputs_to_sub_graph": false)"))[0],
      *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  EXPECT_EQ(found->matches[0].matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(found->matches[0].input_nodes(0).size(), 2U);
  EXPECT_EQ(found->matches[0].output_node(0)->node.name(), "net/block1/d");
}

TEST(PointsMatching, ItsErrorsNameTheNode) {
  const auto graph = parse(kBlocks);
  const auto unreached =
      find_matches(descriptors(points(R"("net/block2/a")", R"("net/block1/c", "net/block2/c")"))[0], *graph);
  EXPECT_EQ(code_of(unreached), "MO-CONFIG-0021");
  EXPECT_EQ(unreached.error().first().node, "net/block1/c");
  const auto inside = find_matches(descriptors(points(R"("net/block1/a")", R"("net/block1/c")"))[0], *graph);
  EXPECT_EQ(code_of(inside), "MO-CONFIG-0022");
  EXPECT_NE(inside.error().first().format().find("net/start - net/block1/b"), std::string::npos)
      << inside.error().first().format();
  const auto missing = find_matches(descriptors(points(R"("net/block1/aa")", R"("net/block1/c")"))[0], *graph);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->misses,
            std::vector<std::string>{
                "there is no node 'net/block1/aa', which is a start point (did you mean 'net/block1/a'?)"});
}

}  // namespace
}  // namespace mo::config
