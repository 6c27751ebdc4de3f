// The graph store: memory per named node, building, ordering, compacting.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/graph/graph.hpp"
#include "core/op/define_op.hpp"

namespace mo {
namespace {

/// An op without attributes: what is measured is the store.
struct Step {
  static constexpr OpId id{"Step", 0};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const {
    ctx.output(0, ctx.input(0));
    return {};
  }
};

/// The budget of DESIGN, "The graph".
constexpr double kBytesPerNode = 250;

std::unique_ptr<Graph> named_chain(std::int64_t nodes) {
  auto graph = std::make_unique<Graph>();
  const TensorType type{ElementType::f32, PartialShape{1, 16}};
  Value last = graph->create_parameter(type, "x").output();
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Node node = graph->create_node(Step{}, {last}, 1, fmt::format("block_{}/Step_{}", i / 100, i));
    last = node.output();
    last.data().set_type(type);
    last.data().add_tensor_name(fmt::format("block_{}/Step_{}:0", i / 100, i));
  }
  graph->create_result(last, "y");
  return graph;
}

void build(benchmark::State& state) {
  double bytes = 0;
  for (auto _ : state) {
    const auto graph = named_chain(state.range(0));
    bytes = static_cast<double>(graph->store_bytes()) / static_cast<double>(state.range(0));
    benchmark::DoNotOptimize(graph->node_count());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_node"] = bytes;
  // Only large graphs: the first chunks weigh more than a thousand nodes.
  if (state.range(0) >= 100'000 && bytes > kBytesPerNode)
    state.SkipWithError("the store takes more than 250 bytes per named node");
}
BENCHMARK(build)->RangeMultiplier(10)->Range(1'000, 1'000'000)->Unit(benchmark::kMillisecond);

void topological_order(benchmark::State& state) {
  const auto graph = named_chain(state.range(0));
  for (auto _ : state) {
    const auto order = graph->topological_order();
    if (!order) state.SkipWithError("the chain has a cycle");
    benchmark::DoNotOptimize(order);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(topological_order)->RangeMultiplier(10)->Range(1'000, 1'000'000)->Unit(benchmark::kMillisecond);

void erase_half_and_compact(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const auto graph = named_chain(state.range(0));
    state.ResumeTiming();
    bool odd = false;
    for (const Node node : graph->nodes()) {
      odd = !odd;
      if (odd && node.is<Step>()) graph->erase(node);
    }
    graph->compact();
    benchmark::DoNotOptimize(graph->node_count());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(erase_half_and_compact)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mo
