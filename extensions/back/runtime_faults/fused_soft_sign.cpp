#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "extensions/back/support/soft_sign.hpp"
#include "extensions/back/support/views.hpp"

namespace mo::back {
namespace {

/// An elementwise op makes the numbers, maybe before their dimensions change.
bool is_made_by_elementwise_op(Value x) {
  while (is_view(x.node()) || x.node().is<ops::Transpose>()) x = x.node().input(0);
  return x.node().op_type().traits.elementwise;
}

Replacement quotient(const Node& node, Rewriter& rw) {
  if (!is_made_by_elementwise_op(node.input(0))) return declined("no elementwise op makes the numbers, with which it would be one kernel");
  return soft_sign_quotient(rw, node.input(0));
}

}  // namespace

void register_fused_soft_sign(PassRegistry& passes) {
  passes.add(avoid_fault("FusedSoftSign", {.form = "SoftSign of what an elementwise op makes",
                                           .symptom = "1 for each number, where one kernel computes both",
                                           .first = "2022.3",
                                           .last = "2024.6",
                                           .replacement = "Abs, Add, Divide"})
                 .add(lowering<ops::SoftSign>("QuotientOfSoftSign", quotient)));
}

}  // namespace mo::back
