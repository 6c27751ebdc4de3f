#include "core/inference/infer.hpp"
#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_validate(PassRegistry& passes) {
  passes.offer(graph_pass("Validate")
                   .described("any model", "the same",
                              "element types, shapes and known values of all tensors are inferred again")
                   .only_top_level()
                   .whole_graph("types follow from types")
                   .run([](Graph& graph, PassContext&) -> Expected<bool> {
                     MO_TRY(infer_graph(graph));
                     return false;
                   }));
}

}  // namespace mo::transformations
