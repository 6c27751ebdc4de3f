#include "ops/logical.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Xor is the name of LogicalXor in opset1 only.
Replacement logical_xor(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Xor>();
  return rw.create(ops::LogicalXor{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
                   node.input(0), node.input(1));
}

}  // namespace

void register_first_logical_operators(PassRegistry& passes) {
  passes.add(avoid_fault("FirstLogicalOperators", {.form = "Xor of opset1",
                                                   .symptom = "not compiled: its inputs have become bytes",
                                                   .first = "2021.4",
                                                   .last = "2022.1",
                                                   .replacement = "LogicalXor"})
                 .add(lowering<ops::Xor>("LogicalXor", logical_xor)));
}

}  // namespace mo::transformations
