#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/broadcast.hpp"
#include "ops/logical.hpp"

namespace mo::back {
namespace {

/// Broadcast(x, shape) in both directions -> x or Broadcast(false, shape).
Replacement or_false(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v3::Broadcast>();
  if (op.mode != ops::v3::BroadcastMode::bidirectional) return declined("only the data is stretched");
  if (node.input_type(0).element_type != ElementType::boolean) return declined("no booleans");
  if (node.output_type().shape.is_static()) return declined("the shape of the result is known");
  const Value falses = rw.create(ops::v3::Broadcast{.mode = ops::v3::BroadcastMode::numpy},
                                 rw.scalar_like(node.input(0), 0), node.input(1));
  return rw.create(ops::LogicalOr{}, node.input(0), falses);
}

}  // namespace

void register_two_way_broadcast_of_booleans(PassRegistry& passes) {
  passes.add(avoid_fault("TwoWayBroadcastOfBooleans",
                         {.form = "Broadcast of booleans with mode bidirectional, to unknown sizes",
                          .symptom = "not compiled: booleans cannot be multiplied",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "LogicalOr with false of the shape"})
                 .add(lowering<ops::v3::Broadcast>("OrFalse", or_false)));
}

}  // namespace mo::back
