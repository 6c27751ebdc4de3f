#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Dimensions of 0 of the model's inputs -> 0..1, which no reader refuses.
Expected<bool> make_dynamic(Graph& graph, PassContext& context) {
  if (context.settings.ir_version == 10) return false;  // which has no ranges
  Rewriter rw(graph);
  for (const Node& input : graph.parameters()) {
    auto* const parameter = input.as<Parameter>();
    if (!parameter->shape.has_rank()) continue;
    bool changed = false;
    for (Dimension& size : parameter->shape.dims()) {
      if (size != Dimension(0)) continue;
      size = Dimension(0, 1);
      changed = true;
    }
    if (changed) rw.changed(input);
  }
  if (rw.error()) return *rw.error();
  return rw.has_changed();
}

}  // namespace

void register_inputs_without_elements(PassRegistry& passes) {
  passes.add(avoid_fault_of_graph("InputsWithoutElements", {.form = "Parameter with a dimension of 0",
                                                            .symptom = "not read: zero dimension which is not allowed",
                                                            .first = "2022.1",
                                                            .last = "2022.3",
                                                            .replacement = "Parameter with a dimension of 0..1"})
                 .only_top_level()
                 .run(make_dynamic));
}

}  // namespace mo::transformations
