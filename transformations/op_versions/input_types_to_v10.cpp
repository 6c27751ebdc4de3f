#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// The element type of an input in place of one that the CPU plugin of 2021.4 does not take; `type` itself when it
/// does.
ElementType input_type(ElementType type) {
  if (type == ElementType::f64) return ElementType::f32;
  return type == ElementType::u32 ? ElementType::i64 : type;
}

}  // namespace

/// Inputs of f64 and u32, which 2021.4 refuses to compile although it computes with these types inside: f32 and i64,
/// converted in the model.
void register_input_types_to_v10(PassRegistry& passes) {
  passes.add(graph_pass("InputTypesToV10")
                 .phase(Phase::back)
                 .run_after({"BackFinish"})
                 .only_top_level()
                 .when(is_for_v10)
                 .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                   Rewriter rw(graph);
                   for (const Node& input : graph.parameters()) {
                     const ElementType declared = input.output().type().element_type;
                     const ElementType taken = input_type(declared);
                     if (taken == declared) continue;
                     context.diagnostics.report(
                         input
                             .warning("MO-BACK-0006",
                                      "input '{}' is {}, which runtimes of IR version 10 do not take: it becomes {}",
                                      input.name(), to_string(declared), to_string(taken))
                             .hint("feed {} values, or write IR version 11", to_string(taken)));
                     // The Convert first: readers never see both types at once.
                     rw.insert_node(input.output(), ops::Convert{.destination_type = declared});
                     input.as<Parameter>()->element_type = taken;
                     rw.changed(input);
                   }
                   if (rw.error()) return *rw.error();
                   return rw.has_changed();
                 }));
}

}  // namespace mo::transformations
