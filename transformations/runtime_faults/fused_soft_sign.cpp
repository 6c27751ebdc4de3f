#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/soft_sign.hpp"

namespace mo::transformations {
namespace {

/// What makes the numbers is not asked: another row may put an elementwise op there.
Replacement quotient(const Node& node, Rewriter& rw) {
  if (node.input(0).node().is<Parameter>()) return declined("no op computes the data");
  return soft_sign_quotient(rw, node.input(0));
}

}  // namespace

void register_fused_soft_sign(PassRegistry& passes) {
  passes.add(avoid_fault("FusedSoftSign",
                         {.form = "SoftSign of data that an op computes",
                          .symptom = "1 for each number, where one kernel computes an elementwise op in front, too",
                          .first = "2022.3",
                          .last = "2024.6",
                          .replacement = "Abs, Add, Divide"})
                 .add(lowering<ops::SoftSign>("QuotientOfSoftSign", quotient)));
}

}  // namespace mo::transformations
