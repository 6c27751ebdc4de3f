#pragma once

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/shape_of.hpp"
#include "ops/strided_slice.hpp"

/// What the passes share that say ops with older ones, for runtimes that do not read the op set of the newer one.
namespace mo::transformations {

/// Condition of a pass: the target does not read op set `op_set`.
inline auto older_than(int op_set) {
  return [op_set](const Graph&, const PassContext& context) { return context.settings.newest_op_set() < op_set; };
}

/// Condition of a pass: the target is IR version 10, that is op sets up to 7 and static shapes.
inline bool is_for_v10(const Graph&, const PassContext& context) { return context.settings.ir_version == 10; }

/// A rule that leaves the nodes alone whose op the target reads.
inline RewriteRule where_too_new(RewriteRule rule) {
  rule.replace = [replace = std::move(rule.replace)](const Match& m, Rewriter& rw,
                                                     PassContext& context) -> Replacement {
    const OpType& type = m.root().node().op_type();
    if (!type.opset_name.empty() || context.settings.is_read(type.opset, type.name)) return Replacement::declined();
    return replace(m, rw, context);
  };
  return rule;
}

/// A rule for every node of op T: `replace(node, rewriter)` says it with older ops, or declines.
template <OpLike T>
RewriteRule lowering(std::string name, Replacement (*replace)(const Node&, Rewriter&)) {
  return rewrite(std::move(name)).match(pattern::op<T>()).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    return replace(m.root().node(), rw);
  });
}

/// x[begin:end:stride] with one number for each dimension; 0 <= begin <= end <= dimension, and strides are positive.
inline Value sliced(Rewriter& rw, const Value& x, const std::vector<std::int64_t>& begin,
                    const std::vector<std::int64_t>& end, const std::vector<std::int64_t>& stride) {
  ops::StridedSlice op;
  op.begin_mask.assign(begin.size(), 0);
  op.end_mask.assign(begin.size(), 0);
  return rw.create(std::move(op), x, rw.integers(begin), rw.integers(end), rw.integers(stride));
}

/// The elements from `begin` to `end` along one dimension of a tensor of static shape.
inline Value sliced_along(Rewriter& rw, const Value& x, std::size_t axis, std::int64_t begin, std::int64_t end) {
  const auto shape = x.type().shape.to_shape();
  if (!shape || axis >= shape->size()) return {};
  std::vector<std::int64_t> begins(shape->size(), 0);
  std::vector<std::int64_t> ends = *shape;
  begins[axis] = begin;
  ends[axis] = end;
  return sliced(rw, x, begins, ends, std::vector<std::int64_t>(shape->size(), 1));
}

/// Constant axes of `data`, counted from the front; computed where its rank is not known. Axes that are computed stay
/// what they are.
inline Value axes_from_the_front(Rewriter& rw, const Value& axes, const Value& data) {
  auto numbers = integers_of(axes);
  if (!numbers || none_negative(numbers)) return axes;
  const auto rank = data.type().rank();
  std::vector<std::int64_t> counts_back;
  for (std::int64_t& axis : *numbers) {
    counts_back.push_back(axis < 0 ? 1 : 0);
    if (rank) axis = normalize_axis(axis, *rank).value_or(axis);
  }
  if (rank) return rw.integers(*numbers);
  const Value rank_now = rw.create(ops::ShapeOf{}, rw.create(ops::ShapeOf{}, data));
  return rw.create(ops::Add{}, rw.integers(*numbers), rw.create(ops::Multiply{}, rw.integers(counts_back), rank_now));
}

}  // namespace mo::transformations
