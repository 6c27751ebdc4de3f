#include "ops/reduce.hpp"

#include "extensions/support/front.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/squeeze.hpp"

namespace mo::front::onnx {
namespace {

/// `axes`, or all axes of x when it turns out to be empty at run time.
Value axes_or_all(Rewriter& rw, const Value& axes, const Value& x) {
  const Value count = rw.create(ops::Squeeze{}, shape_of(rw, axes), rw.integers({0}));
  const Value empty = rw.create(ops::Equal{}, count, rw.scalar<std::int64_t>(0));
  const Value taken = rw.create(ops::Multiply{}, rank_of(rw, x), rw.create(ops::Convert{.destination_type = ElementType::i64}, empty));
  const Value end = rw.create(ops::Reshape{}, taken, rw.integers({1}));
  const Value all = rw.create(ops::Slice{}, axes_from(rw, x, 0), rw.integers({0}), end, rw.integers({1}));
  return rw.create(ops::Concat{.axis = 0}, axes, all);
}

/// The axes of a reduction; an empty value when nothing is to be reduced.
Value reduced_axes(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (const auto listed = node.attr<std::vector<std::int64_t>>("axes"); listed && !listed->empty()) return rw.integers(*listed);
  const bool no_operation = node.attr<bool>("noop_with_empty_axes").value_or(false);
  const Value axes = node.input(1);
  const auto count = axes ? known_type(axes).shape.element_count() : std::optional<std::int64_t>(0);
  if (count == 0) return no_operation ? Value() : axes_from(rw, x, 0);
  // A reduction of the IR without axes does nothing.
  if (count || no_operation) return axes;
  return axes_or_all(rw, axes, x);
}

template <class T>
Value reduce(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  return rw.create(T{.keep_dims = keep_dims}, x, axes);
}

/// log(sum(exp(x))) -> log(sum(exp(x - m))) + m with the maximum m, so that exp stays in range. m is limited to finite numbers: inf - inf
/// has no value.
Value log_sum_exp(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  const Value kept = rw.create(ops::Clamp{}, reduce<ops::ReduceMax>(rw, x, axes, true));
  const Value sum = reduce<ops::ReduceSum>(rw, rw.create(ops::Exp{}, rw.create(ops::Subtract{}, x, kept)), axes, keep_dims);
  const Value maximum = keep_dims ? kept : rw.create(ops::Squeeze{}, kept, axes);
  return rw.create(ops::Add{}, rw.create(ops::Log{}, sum), maximum);
}

/// ReduceMean(x, axes) -> ReduceMean(x, axes) and so on; what the IR does not have is made of sums.
Replacement reduction(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const bool keep = node.attr<bool>("keepdims").value_or(true);
  const std::string kind = node.attr<std::string>("kind").value_or("");
  const Value axes = reduced_axes(node, rw);
  if (!axes) return x;
  // ReduceMax-20 and ReduceMin-20 take booleans.
  const bool logical = known_type(x).element_type == ElementType::boolean;
  if (kind == "Sum") return reduce<ops::ReduceSum>(rw, x, axes, keep);
  if (kind == "Mean") return reduce<ops::ReduceMean>(rw, x, axes, keep);
  if (kind == "Max") return logical ? reduce<ops::ReduceLogicalOr>(rw, x, axes, keep) : reduce<ops::ReduceMax>(rw, x, axes, keep);
  if (kind == "Min") return logical ? reduce<ops::ReduceLogicalAnd>(rw, x, axes, keep) : reduce<ops::ReduceMin>(rw, x, axes, keep);
  if (kind == "Prod") return reduce<ops::ReduceProd>(rw, x, axes, keep);
  if (kind == "L1") return reduce<ops::ReduceL1>(rw, x, axes, keep);
  if (kind == "L2") return reduce<ops::ReduceL2>(rw, x, axes, keep);
  if (kind == "LogSum") return rw.create(ops::Log{}, reduce<ops::ReduceSum>(rw, x, axes, keep));
  if (kind == "LogSumExp") return log_sum_exp(rw, x, axes, keep);
  return reduce<ops::ReduceSum>(rw, rw.create(ops::Multiply{}, x, x), axes, keep);
}

}  // namespace

void register_reduction(PassRegistry& passes) { passes.add(front_replacement_op("OnnxReduction").replace_op(reduction)); }

}  // namespace mo::front::onnx
