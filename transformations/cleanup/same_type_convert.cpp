#include "ops/convert.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

/// Convert(x) to the type that x has -> x, before patterns are looked for: exporters leave casts between the ops of a
/// layer.
void register_same_type_convert(PassRegistry& passes) {
  passes.add(front_replacement_op("Convert")
                 .named("SameTypeConvertElimination")
                 .phase(Phase::middle)
                 .run_after({"ConvertLikeFusion"})
                 .run_before({"CommonSubexpressions"})
                 .replace_op([](const Node& node, Rewriter&) -> Replacement {
                   const Value x = node.input(0);
                   const auto* op = node.as<ops::Convert>();
                   if (!x || !op || node.rt_info() || x.type().element_type != op->destination_type)
                     return declined("it changes the type, or it is marked for the runtime");
                   // An output of the model is not directly an input.
                   if (x.node().is<Parameter>() && is_model_output(node.output()))
                     return declined("an input of the model would be its output");
                   return x;
                 }));
}

}  // namespace mo::transformations
