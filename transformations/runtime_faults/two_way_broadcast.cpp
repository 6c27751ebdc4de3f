#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/logical.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A dimension that is only known to be at most so large, and becomes larger: it must be 1 when the model runs.
bool stretches_bounded_size(const PartialShape& data, const std::optional<std::vector<std::int64_t>>& target) {
  if (!data.has_rank() || !target) return false;
  for (std::size_t i = 1; i <= std::min(data.size(), target->size()); ++i) {
    const Dimension& size = data[data.size() - i];
    if (!size.is_known() && size.max() < (*target)[target->size() - i]) return true;
  }
  return false;
}

/// Broadcast(x, shape) in both directions -> x or Broadcast(false, shape), x * Broadcast(1, shape).
Replacement of_elementwise_op(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v3::Broadcast>();
  if (op.mode != ops::v3::BroadcastMode::bidirectional) return declined("only the data is stretched");
  const TensorType& data = node.input_type(0);
  const bool is_boolean = data.element_type == ElementType::boolean;
  const bool is_multiplied_boolean = is_boolean && !node.output_type().shape.is_static();
  if (!is_multiplied_boolean && !stretches_bounded_size(data.shape, integers_of(node.input(1))))
    return declined("no size has a limit below that of the target, and booleans have a known shape");
  const Value neutral = rw.create(ops::v3::Broadcast{.mode = ops::v3::BroadcastMode::numpy},
                                  rw.scalar_like(node.input(0), is_boolean ? 0 : 1), node.input(1));
  return is_boolean ? rw.create(ops::LogicalOr{}, node.input(0), neutral)
                    : rw.create(ops::Multiply{}, node.input(0), neutral);
}

}  // namespace

void register_two_way_broadcast(PassRegistry& passes) {
  passes.add(avoid_fault("TwoWayBroadcast",
                         {.form = "Broadcast with mode bidirectional, of booleans to unknown sizes, or with "
                                  "a dimension that is known to be at most 1, to a larger one",
                          .symptom = "not compiled: booleans cannot be multiplied; not read: the target is incorrect",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "LogicalOr with false of the shape, Multiply by 1 of the shape"})
                 .add(lowering<ops::v3::Broadcast>("OfElementwiseOp", of_elementwise_op)));
}

}  // namespace mo::transformations
