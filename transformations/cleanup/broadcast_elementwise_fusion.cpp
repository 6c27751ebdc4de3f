#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/shape_of.hpp"

namespace mo::transformations {
namespace {

/// The op stretches its inputs as far as the Broadcast does: each of its dimensions is 1 or the one of `other`.
/// Whatever the target of the Broadcast is, it cannot be anything else where `other` is known not to be 1.
bool is_covered(const PartialShape& broadcast, const PartialShape& other) {
  if (!broadcast.has_rank() || !other.has_rank() || broadcast.size() > other.size()) return false;
  const std::size_t before = other.size() - broadcast.size();
  for (std::size_t i = 0; i < broadcast.size(); ++i)
    if (broadcast[i] != Dimension(1) && !broadcast[i].same_value(other[before + i]) &&
        other[before + i].compatible(Dimension(1)))
      return false;
  return true;
}

bool is_shape_of(const Value& target, const Value& other) {
  const Node node = target.node();
  return (node.is<ops::v0::ShapeOf>() || node.is<ops::v3::ShapeOf>()) && node.input(0) == other;
}

/// The Broadcast at input `i` does nothing that the op would not do.
bool is_needless(const Node& op, std::size_t i) {
  const Value value = op.input(i);
  const auto* broadcast = value.node().as<ops::v3::Broadcast>();
  if (!broadcast || !value.has_one_destination()) return false;
  const bool at_the_back =
      broadcast->mode == ops::v3::BroadcastMode::numpy || broadcast->mode == ops::v3::BroadcastMode::bidirectional;
  const Value other = op.input(1 - i);
  if (!at_the_back) return false;
  // What stretches its input to the shape of `other` needs no known shape.
  return is_shape_of(value.node().input(1), other) || is_covered(value.type().shape, other.type().shape);
}

}  // namespace

void register_broadcast_elementwise_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat node = any_op<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Power, ops::Maximum, ops::Minimum,
                          ops::Mod, ops::FloorMod, ops::SquaredDifference>();
  passes.offer(rewrite("BroadcastElementwiseFusion")
                   .described("Op(x, Broadcast(y, shape))", "Op(x, y)",
                              "arithmetic that broadcasts as numpy does; one reader of the Broadcast; its target is "
                              "ShapeOf(x), or its dimensions are 1 or "
                              "those of x, as they must be where x is known not to be 1")
                   .match(node)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node op = m.node(node);
                     if (op.attr<std::string>("auto_broadcast").value_or("numpy") != "numpy")
                       return declined("it does not broadcast as numpy does");
                     for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
                       if (!is_needless(op, i)) continue;
                       rw.set_input(op, i, op.input(i).node().input(0));
                       return changed_in_place(op);
                     }
                     return declined("no Broadcast that the op does itself");
                   }));
}

}  // namespace mo::transformations
