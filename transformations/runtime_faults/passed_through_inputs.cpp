#include <algorithm>

#include "ops/convert.hpp"
#include "transformations/support/output_names.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Results of an input of unknown shape read a Convert of it to the type that it has.
Expected<bool> convert_results_of_inputs(Graph& graph, PassContext& context) {
  if (context.settings.ir_version == 10) return false;  // which has a pass for inputs of any shape
  Rewriter rw(graph);
  for (const Node& input : graph.parameters()) {
    if (input.output_type().shape.is_static()) continue;
    std::vector<InPort> results = input.output().get_destinations();
    std::erase_if(results, [](const InPort& reader) { return !reader.node().is<Result>(); });
    if (results.empty()) continue;
    const Value copy = rw.create(ops::Convert{.destination_type = input.output_type().element_type}, input.output());
    for (const InPort& result : results) rw.set_input(result.node(), result.index(), copy);
    move_output_names(input, copy);
  }
  if (rw.error()) return *rw.error();
  return rw.has_changed();
}

}  // namespace

void register_passed_through_inputs(PassRegistry& passes) {
  passes.add(avoid_fault_of_graph("PassedThroughInputs",
                                  {.form = "Parameter of unknown shape that is a Result",
                                   .symptom = "not computed: Network input and output use the same name",
                                   .first = "2022.1",
                                   .last = "2022.1",
                                   .replacement = "Convert to the type that it has"})
                 .only_top_level()
                 .run(convert_results_of_inputs));
}

}  // namespace mo::transformations
