#include "core/rewrite.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// `value`, which lies at `axis` of a tensor of `rank` dimensions, with trailing dimensions of 1, so that numpy's rule
/// puts it there. A scalar needs none. Empty when that is not known or not possible.
Value aligned_at_axis(Rewriter& rw, const Value& value, std::int64_t rank, std::int64_t axis) {
  const auto own = value.type().rank();
  if (!own) return {};
  const std::int64_t behind = axis == -1 ? 0 : rank - axis - *own;
  if (behind < 0 || *own > rank) return {};
  if (*own == 0 || behind == 0) return value;
  std::vector<std::int64_t> axes;
  for (std::int64_t i = 0; i < behind; ++i) axes.push_back(*own + i);
  return rw.create(ops::Unsqueeze{}, value, rw.integers(axes));
}

/// Select(c, a, b) {pdpd, axis} -> Select(c, a, b) {numpy} with c and b aligned
/// to a
Replacement align_select(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Select>();
  if (op.auto_broadcast != ops::AutoBroadcast::pdpd || node.in_port_count() != 3)
    return declined("the broadcast is aligned already");
  const auto rank = node.input_type(1).rank();
  for (const std::size_t i : {0, 2}) {
    const auto own = node.input_type(i).rank();
    if (!rank || !own || *own > *rank || (op.auto_broadcast_axis != -1 && *own > *rank - op.auto_broadcast_axis))
      return Replacement::declined();
  }
  const Value condition = aligned_at_axis(rw, node.input(0), *rank, op.auto_broadcast_axis);
  const Value otherwise = aligned_at_axis(rw, node.input(2), *rank, op.auto_broadcast_axis);
  if (!condition || !otherwise) return Replacement::declined();
  return rw.create(ops::Select{}, condition, node.input(1), otherwise);
}

}  // namespace

/// TensorFlow's first Select aligns its condition at the front; runtimes are
/// better at numpy's rule.
void register_select_alignment(PassRegistry& passes) {
  passes.add(front_replacement_op("Select")
                 .named("SelectAlignment")
                 .phase(Phase::middle)
                 .run_before({"ConstantFolding", "LayoutChange"})
                 .replace_op(align_select));
}

}  // namespace mo::transformations
