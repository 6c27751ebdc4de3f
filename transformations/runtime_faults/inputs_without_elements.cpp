#include <algorithm>

#include "core/op/runtimes.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::string_view kLastFaulty = "2022.3";

bool concerns_target(const Graph&, const PassContext& context) {
  return context.settings.ir_version != 10 && !is_older(kLastFaulty, context.settings.release);
}

/// Dimensions of 0 of the model's inputs -> 0..1, which no reader refuses.
Expected<bool> make_dynamic(Graph& graph, PassContext&) {
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
  passes.add(graph_pass("InputsWithoutElements")
                 .phase(Phase::back)
                 .run_after({"BackFinish"})
                 .only_top_level()
                 .when(concerns_target)
                 .avoids({.form = "Parameter with a dimension of 0",
                          .symptom = "not read: zero dimension which is not allowed",
                          .first = "2022.1",
                          .last = std::string(kLastFaulty),
                          .replacement = "Parameter with a dimension of 0..1"})
                 .run(make_dynamic));
}

}  // namespace mo::transformations
