#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/tensor/permute.hpp"
#include "phases/middle/layout/layout_change.hpp"
#include "phases/middle/layout/plan.hpp"
#include "phases/middle/layout/slices.hpp"
#include "tests/phases/random_images.hpp"
#include "tests/phases/support.hpp"
#include "tools/common/random_inputs.hpp"

namespace mo {
namespace {

using phases::layout::Extent;
using phases::layout::Interface;
using phases::layout::Label;
using phases::layout::LabelProblem;

std::vector<Tensor> random_inputs(const Graph& graph, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  for (const Node& parameter : graph.parameters()) {
    Tensor tensor = *Tensor::allocate(ElementType::f32, *parameter.as<Parameter>()->shape.to_shape());
    for (float& v : tensor.mutable_values<float>()) v = static_cast<float>(random() % 4001) / 1000.0F - 2.0F;
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// Two Transposes in a row are one.
bool has_cancelling_transposes(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (node.is("Transpose") && node.input(0).node().is("Transpose")) return true;
  return false;
}

bool has_channels_last_ops(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (node.op_type().is_channels_last(node.payload())) return true;
  return false;
}

/// Ops that random models must have channels-first now and then, so that the comparison means something.
constexpr const char* kCovered[] = {"Add",
                                    "AvgPool",
                                    "BatchToSpace",
                                    "Broadcast",
                                    "Clamp",
                                    "Concat",
                                    "Convolution",
                                    "ConvertLike",
                                    "ConvolutionBackpropData",
                                    "CumSum",
                                    "DepthToSpace",
                                    "FakeQuantize",
                                    "Gather",
                                    "GatherElements",
                                    "GroupConvolution",
                                    "Interpolate",
                                    "LRN",
                                    "LogSoftmax",
                                    "MVN",
                                    "MaxPool",
                                    "Maximum",
                                    "Multiply",
                                    "NormalizeL2",
                                    "PReLU",
                                    "Pad",
                                    "Parameter",
                                    "ReLU",
                                    "ReduceMax",
                                    "ReduceMean",
                                    "ReduceSum",
                                    "Result",
                                    "Reverse",
                                    "ReverseSequence",
                                    "Roll",
                                    "ScatterElementsUpdate",
                                    "Select",
                                    "ShuffleChannels",
                                    "Slice",
                                    "SliceScatter",
                                    "SoftMax",
                                    "SpaceToBatch",
                                    "Split",
                                    "Squeeze",
                                    "StridedSlice",
                                    "Tile",
                                    "TopK",
                                    "Transpose",
                                    "Unsqueeze",
                                    "VariadicSplit"};

struct Mode {
  const char* name;
  Settings settings;
  Interface interface;
  Extent extent;
};

/// What the comparison has seen: how many graphs could run, and which ops were channels-first in them.
struct Coverage {
  int compared = 0;
  std::map<std::string, int> channels_first;
};

/// What is wrong with the changed graph; empty when nothing is.
std::string check_change(const Graph& original, Graph& changed, const Mode& mode, std::uint32_t seed,
                         Coverage& coverage) {
  const std::unique_ptr<Graph> expanded = original.clone();
  Rewriter rewriter(*expanded);
  if (!phases::layout::expand_slices(rewriter)) return "slices cannot be expanded";
  const auto plan = phases::layout::make_plan(*expanded, mode.interface, mode.extent, mode.settings.ir_version);
  if (!plan) return "the plan fails";
  std::set<NodeId> permuted_ends;
  if (mode.interface == Interface::channels_first)
    for (const Node& node : plan->images) permuted_ends.insert(node.id());

  std::vector<Tensor> inputs = random_inputs(original, seed);
  const auto before = execute(original, inputs);
  if (!before) return "";  // an input that some op refuses
  ++coverage.compared;
  for (const Node node : expanded->nodes())
    if (plan->group(node).role != phases::layout::Group::none &&
        plan->labels[plan->group(node).vertex] == Label::channels_first)
      ++coverage.channels_first[std::string(node.type())];
  const auto first = [](const Tensor& t) { return *permuted(t, order_to_channels_first(t.shape().size())); };
  const auto parameters = original.parameters();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (permuted_ends.contains(parameters[i].id())) inputs[i] = first(inputs[i]);

  for (const Pass& pass : {phases::layout_change(), phases::transpose_fusion()}) {
    const test::PassResult ran = test::run(pass, changed, mode.settings);
    if (!ran.code.empty()) return ran.text;
  }
  if (auto sound = verify(changed); !sound) return sound.error().first().format();
  if (auto inferred = infer_graph(changed); !inferred) return inferred.error().first().format();
  if (has_channels_last_ops(changed)) return "channels-last ops are left";
  if (has_cancelling_transposes(changed)) return "two Transposes in a row";
  const auto after = execute(changed, inputs);
  if (!after) return after.error().first().format();
  const auto results = original.results();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Tensor& wanted = (*before)[i];
    const auto difference = difference_of((*after)[i], permuted_ends.contains(results[i].id()) ? first(wanted) : wanted,
                                          {.relative = 1e-3, .absolute = 1e-3});  // of long random chains
    if (!difference || !difference->close())
      return fmt::format("result {}: {}", i,
                         difference ? difference->to_string() : difference.error().first().format());
  }
  return "";
}

TEST(LayoutChange, RandomModelsGiveTheSameNumbersInEachMode) {
  const Mode modes[] = {
      {"v11", {}, Interface::original, Extent::region},
      {"v10", {.ir_version = 10}, Interface::channels_first, Extent::region},
      {"op by op", {.disable_nhwc_to_nchw = true}, Interface::original, Extent::op_by_op},
  };
  int graphs = 0;
  Coverage coverage;
  for (std::uint32_t seed = 1; coverage.compared < 2400; ++seed) {
    const std::unique_ptr<Graph> original = test::RandomImages(seed).take();
    if (!original) continue;
    const Mode& mode = modes[graphs++ % 5 % 3];
    const std::unique_ptr<Graph> clean = original->clone();
    const std::unique_ptr<Graph> changed = clean->clone();
    const std::string bad = check_change(*clean, *changed, mode, seed, coverage);
    ASSERT_EQ(bad, "") << "seed " << seed << ", " << mode.name << "\n"
                       << to_text(*clean) << "becomes\n"
                       << to_text(*changed);
  }
  EXPECT_GE(coverage.compared * 10, graphs * 9) << "too many models cannot run";
  for (const char* op : kCovered) EXPECT_GE(coverage.channels_first[op], 3) << op << " is hardly tested";
}

/// The least cost by trying all labels of the groups that are not pinned.
std::uint64_t exhaustive_cost(const LabelProblem& problem) {
  const std::uint32_t free = problem.vertex_count() - 2;
  std::vector<Label> labels(problem.vertex_count(), Label::original);
  labels[LabelProblem::kChannelsFirst] = Label::channels_first;
  std::uint64_t best = ~std::uint64_t{0};
  for (std::uint32_t bits = 0; bits < 1U << free; ++bits) {
    for (std::uint32_t v = 0; v < free; ++v) labels[v + 2] = (bits >> v) & 1U ? Label::channels_first : Label::original;
    best = std::min(best, problem.cost(labels));
  }
  return best;
}

TEST(LayoutLabels, CostNoMoreThanAnExhaustiveSearchFinds) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    LabelProblem problem;
    const std::uint32_t groups = 1 + random() % 10;
    for (std::uint32_t i = 0; i < groups; ++i) problem.add_group();
    const std::uint32_t tensors = random() % 20;
    for (std::uint32_t t = 0; t < tensors; ++t) {
      std::vector<LabelProblem::Vertex> readers;
      for (std::uint32_t i = 0; i <= random() % 4; ++i) readers.push_back(random() % (groups + 2));
      problem.add_tensor(random() % (groups + 2), random() % 12, readers);
    }
    const auto labels = phases::layout::cheapest_labels(problem);
    ASSERT_EQ(labels[LabelProblem::kOriginal], Label::original);
    ASSERT_EQ(labels[LabelProblem::kChannelsFirst], Label::channels_first);
    ASSERT_EQ(problem.cost(labels), exhaustive_cost(problem)) << "round " << round;
  }
}

TEST(LayoutLabels, OfRandomModelsCostNoMoreThanAnExhaustiveSearchFinds) {
  int compared = 0;
  for (std::uint32_t seed = 100000; compared < 400; ++seed) {
    const std::unique_ptr<Graph> graph = test::RandomImages(seed).take();
    if (!graph) continue;
    const auto plan = phases::layout::make_plan(*graph, seed % 2 ? Interface::original : Interface::channels_first,
                                                Extent::region, 11);
    ASSERT_TRUE(plan);
    if (plan->problem.vertex_count() > 16) continue;
    ASSERT_EQ(plan->problem.cost(plan->labels), exhaustive_cost(plan->problem)) << "seed " << seed << "\n"
                                                                                << to_text(*graph);
    ++compared;
  }
}

TEST(LayoutLabels, AreFoundForAMillionGroups) {
  // Blocks of two ways that meet again, as residual networks have them, between a pinned start and many pinned ends.
  LabelProblem problem;
  LabelProblem::Vertex last = LabelProblem::kChannelsFirst;
  std::mt19937 random(3);
  while (problem.vertex_count() < 1'000'000) {
    const auto left = problem.add_group();
    const auto right = problem.add_group();
    const auto sum = problem.add_group();
    const LabelProblem::Vertex both[] = {left, right};
    problem.add_tensor(last, 100 + random() % 50, both);
    const LabelProblem::Vertex to_sum[] = {sum};
    const LabelProblem::Vertex to_sum_and_out[] = {sum, random() % 8 ? sum : LabelProblem::kOriginal};
    problem.add_tensor(left, 100 + random() % 50, to_sum);
    problem.add_tensor(right, 100 + random() % 50, to_sum_and_out);
    last = sum;
  }
  const auto labels = phases::layout::cheapest_labels(problem);
  std::vector<Label> all(problem.vertex_count(), Label::channels_first);
  all[LabelProblem::kOriginal] = Label::original;
  EXPECT_LE(problem.cost(labels), problem.cost(all));
}

TEST(LayoutChange, ShowsTheOldInterfaceInRuntimeInfo) {
  const auto graph = test::parse(R"(graph(%x: f32[1,4,4,2], %v: f32[3]) {
    %p = MaxPool.v1(%x) {kernel=[2, 2], strides=[2, 2], layout="channels_last"}
    return %p, %v
  })",
                                 true);
  const auto ran = test::run(phases::layout_change(), *graph);
  ASSERT_TRUE(ran.changed) << ran.text;
  const auto order_of = [](const Node& node) {
    const AttributeMap* info = node.rt_info();
    const AttributeValue* entry = info ? info->find("old_api_map_order") : nullptr;
    const AttributeValue* value = entry && entry->map() ? entry->map()->find("value") : nullptr;
    return value && value->get_if<std::string>() ? *value->get_if<std::string>() : std::string();
  };
  EXPECT_EQ(order_of(graph->parameters()[0]), "0,2,3,1");
  EXPECT_EQ(order_of(graph->parameters()[1]), "");
  EXPECT_EQ(order_of(graph->results()[0]), "0,3,1,2");
  EXPECT_EQ(order_of(graph->results()[1]), "");
}

TEST(LayoutChange, OfIrV10HasNoRuntimeInfo) {
  const auto graph = test::parse(R"(graph(%x: f32[1,4,4,2]) {
    %p = MaxPool.v1(%x) {kernel=[2, 2], strides=[2, 2], layout="channels_last"}
    return %p
  })",
                                 true);
  ASSERT_TRUE(test::run(phases::layout_change(), *graph, {.ir_version = 10}).changed);
  EXPECT_EQ(graph->parameters()[0].rt_info(), nullptr);
  EXPECT_EQ(graph->parameters()[0].output_type().shape.to_string(), "[1,2,4,4]");
  EXPECT_EQ(graph->results()[0].input_type(0).shape.to_string(), "[1,2,2,2]");
}

TEST(LayoutChange, TheOutputKeepsItsNamesInTheModelsLayout) {
  const auto graph = test::parse(R"(graph(%x: f32[1,4,4,2]) {
    %p = MaxPool.v1(%x) {kernel=[2, 2], strides=[2, 2], layout="channels_last"} "pool" @["pool:0"]
    return %p
  })",
                                 true);
  ASSERT_TRUE(test::run(phases::layout_change(), *graph).changed);
  const Value output = graph->results()[0].input(0);
  EXPECT_EQ(output.node().type(), "Transpose");
  EXPECT_EQ(output.node().name(), "pool");
  ASSERT_EQ(output.data().tensor_names().size(), 1U);
  EXPECT_EQ(output.data().tensor_names()[0], "pool:0");
  EXPECT_TRUE(output.node().input(0).data().tensor_names().empty());
}

}  // namespace
}  // namespace mo
