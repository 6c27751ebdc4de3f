#include "ops/logical.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Transpose(x) -> Transpose(x or x), where x is not computed: the results of IR version 10 are real numbers, into
/// which the runtime converts while it transposes.
RewriteRule transpose_of_computed() {
  return rewrite("TransposeOfComputed")
      .match(pattern::op<ops::Transpose>())
      .rule([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
        const Node node = m.root().node();
        const Value x = node.input(0);
        if (context.settings.ir_version != 10) return declined("results keep their type");
        if (x.type().element_type != ElementType::boolean) return declined("no booleans");
        if (x.node().op_type().traits.elementwise) return declined("the booleans are computed");
        return rw.create(*node.as<ops::Transpose>(), rw.create(ops::LogicalOr{}, x, x), node.input(1));
      });
}

}  // namespace

void register_transposed_booleans(PassRegistry& passes) {
  passes.add(avoid_fault("TransposedBooleans",
                         {.form = "Transpose of booleans that are not computed, in IR version 10",
                          .symptom = "an error during inference where it is a result: cannot find the blob",
                          .first = "2022.3",
                          .last = "2022.3",
                          .replacement = "LogicalOr of the data with itself, Transpose"})
                 .add(transpose_of_computed()));
}

}  // namespace mo::transformations
