#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {
namespace {

bool has_compressed_constants(Graph& graph) {
  const std::vector<Graph*> graphs = with_bodies(graph);
  return std::any_of(graphs.begin(), graphs.end(), [](const Graph* one) {
    for (const auto [node, convert] : one->each<ops::Convert>())
      if (has_mark(node, kDecompression)) return true;
    return false;
  });
}

}  // namespace

void register_convert_compressed_only_to_legacy(PassRegistry& passes) {
  passes.offer(graph_pass("ConvertCompressedOnlyToLegacy")
                   .described("a model with f16 constants after Converts that are marked decompression",
                              "the whole model in f16", "there is such a Convert; the Converts vanish")
                   .looks_for<ops::Convert>()
                   .only_top_level()
                   .whole_graph("neighbours of a tensor have its type")
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     if (!has_compressed_constants(graph)) return false;
                     constexpr TypeChange kChange{ElementType::f32, ElementType::f16};
                     return change_types(graph, {&kChange, 1}, context);
                   }));
}

}  // namespace mo::transformations
