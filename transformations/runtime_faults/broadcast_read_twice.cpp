#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Op(y, y) with y = Broadcast(x) -> Broadcast(Op(x, x)).
Replacement broadcast_last(const Node& node, Rewriter& rw) {
  const Node broadcast = node.input(0).node();
  if (!broadcast.is<ops::v3::Broadcast>() && !broadcast.is<ops::v1::Broadcast>()) return declined("not of a Broadcast");
  if (node.input(1) != node.input(0)) return declined("of two tensors");
  const Value x = broadcast.input(0);
  std::vector<Value> inputs = inputs_of(broadcast);
  inputs[0] = rw.copy_with_new_inputs(node, {x, x}).output();
  return rw.copy_with_new_inputs(broadcast, inputs).output();
}

}  // namespace

void register_broadcast_read_twice(PassRegistry& passes) {
  const Pat arithmetic = pattern::any_op<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Power, ops::Maximum,
                                         ops::Minimum, ops::Mod, ops::FloorMod, ops::SquaredDifference>();
  passes.add(avoid_fault("BroadcastReadTwice",
                         {.form = "arithmetic of a Broadcast with itself",
                          .symptom = "not computed: the result has the shape of the input of the Broadcast",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Broadcast of the arithmetic"})
                 .add(rewrite("BroadcastLast").match(arithmetic).rule([](const Match& m, Rewriter& rw) {
                   return broadcast_last(m.root().node(), rw);
                 })));
}

}  // namespace mo::transformations
