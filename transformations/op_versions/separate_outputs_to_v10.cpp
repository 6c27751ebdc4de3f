#include <algorithm>

#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/output_names.hpp"

namespace mo::transformations {

/// Several Results of one tensor: all but the first get a Convert to the type that it has; a Result of a Parameter gets
/// one as well. The reader of 2021.4 names an output after the node that computes it, and refuses two of one name, also
/// of an input and an output.
void register_separate_outputs_to_v10(PassRegistry& passes) {
  passes.add(graph_pass("SeparateOutputs")
                 .phase(Phase::back)
                 .run_after({"BackFinish"})
                 .only_top_level()
                 .when(is_for_v10)
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   for (const Node& result : graph.results()) {
                     const Value value = result.input(0);
                     if (!value) continue;
                     const std::vector<InPort> readers = value.get_destinations();
                     const bool is_first =
                         !value.node().is<Parameter>() &&
                         std::none_of(readers.begin(), readers.end(), [&](const InPort& reader) {
                           return reader.node().is<Result>() && reader.node().id().index < result.id().index;
                         });
                     if (is_first) continue;
                     const Value copy = rw.create(ops::Convert{.destination_type = value.type().element_type}, value);
                     MO_TRY(result.in_port(0).connect(copy));
                     if (value.node().is<Parameter>()) move_output_names(value.node(), copy);
                   }
                   if (rw.error()) return *rw.error();
                   return rw.has_changed();
                 }));
}

}  // namespace mo::transformations
