#include "core/inference/infer.hpp"
#include "core/pass/library.hpp"

namespace mo::library::pipelines {

void register_validate(PassLibrary& library) {
  library.add(graph_pass("Validate")
                  .described("any model", "the same",
                             "element types, shapes and known values of all tensors are inferred again")
                  .only_top_level()
                  .whole_graph("types follow from types")
                  .run([](Graph& graph, PassContext&) -> Expected<bool> {
                    MO_TRY(infer_graph(graph));
                    return false;
                  }));
}

}  // namespace mo::library::pipelines
