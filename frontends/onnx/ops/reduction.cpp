#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/cum_sum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/squeeze.hpp"

namespace mo::onnx {
namespace {

/// `axes`, or all axes of x when it turns out to be empty at run time.
Value axes_or_all(Rewriter& rw, const Value& axes, const Value& x) {
  const Value count = rw.create(ops::Squeeze{}, shape_of(rw, axes), rw.integers({0}));
  const Value empty = rw.create(ops::Equal{}, count, rw.scalar<std::int64_t>(0));
  const Value taken =
      rw.create(ops::Multiply{}, rank_of(rw, x), rw.create(ops::Convert{.destination_type = ElementType::i64}, empty));
  const Value end = rw.create(ops::Reshape{}, taken, rw.integers({1}));
  const Value all = rw.create(ops::Slice{}, axes_from(rw, x, 0), rw.integers({0}), end, rw.integers({1}));
  return rw.create(ops::Concat{.axis = 0}, axes, all);
}

/// The axes of a reduction; an empty value when nothing is to be reduced. An attribute in older versions; as an input,
/// none at all means all axes, or (noop_with_empty_axes) no reduction.
Value reduced_axes(const FrameworkNode& node, Rewriter& rw, bool axes_are_input) {
  const Value x = node.input(0);
  if (!axes_are_input) {
    const auto listed = node.attr("axes", std::vector<std::int64_t>{});
    return listed.empty() ? axes_from(rw, x, 0) : rw.integers(listed);
  }
  const bool no_operation = node.attr("noop_with_empty_axes", false);
  const Value axes = node.input(1);
  const auto count = axes ? axes.type().shape.element_count() : std::optional<std::int64_t>(0);
  if (count == 0) return no_operation ? Value() : axes_from(rw, x, 0);
  // A reduction of the IR without axes does nothing.
  if (count || no_operation) return axes;
  return axes_or_all(rw, axes, x);
}

template <class T>
Value reduced_along(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  return rw.create(T{.keep_dims = keep_dims}, x, axes);
}

/// ReduceMax-20 and ReduceMin-20 take booleans.
template <class Numbers, class Booleans>
Value extreme_along(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  const bool logical = x.type().element_type == ElementType::boolean;
  return logical ? reduced_along<Booleans>(rw, x, axes, keep_dims) : reduced_along<Numbers>(rw, x, axes, keep_dims);
}

Value log_of_sum(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  return rw.create(ops::Log{}, reduced_along<ops::ReduceSum>(rw, x, axes, keep_dims));
}

Value sum_of_squares(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  return reduced_along<ops::ReduceSum>(rw, rw.create(ops::Multiply{}, x, x), axes, keep_dims);
}

/// log(sum(exp(x))) -> log(sum(exp(x - m))) + m with the maximum m, so that exp stays in range. m is limited to finite
/// numbers: inf - inf has no value.
Value log_of_sum_of_powers(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims) {
  const Value kept = rw.create(ops::Clamp{}, reduced_along<ops::ReduceMax>(rw, x, axes, true));
  const Value sum =
      reduced_along<ops::ReduceSum>(rw, rw.create(ops::Exp{}, rw.create(ops::Subtract{}, x, kept)), axes, keep_dims);
  const Value maximum = keep_dims ? kept : rw.create(ops::Squeeze{}, kept, axes);
  return rw.create(ops::Add{}, rw.create(ops::Log{}, sum), maximum);
}

using MakeReduction = Value (*)(Rewriter& rw, const Value& x, const Value& axes, bool keep_dims);

/// ReduceMean(x, axes) -> ReduceMean(x, axes) and so on; what the IR does not have is made of sums.
void add_reduction(OperatorTable& table, const std::string& op, std::int64_t axes_are_input_since, MakeReduction make) {
  const auto translate = [=](bool axes_are_input) {
    return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
      MO_TRY(node.expect_inputs(1));
      const bool keep_dims = node.attr("keepdims", true);
      const Value axes = reduced_axes(node, rw, axes_are_input);
      return axes ? make(rw, node.input(0), axes, keep_dims) : node.input(0);
    };
  };
  table.translate(op, versions(1, axes_are_input_since - 1), translate(false));
  table.translate(op, since(axes_are_input_since), translate(true));
}

/// The axis is a scalar or a list of one, the IR's a scalar.
Replacement cumulative_sum(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value axis = node.input(1);
  const ops::CumSum op{.exclusive = node.attr("exclusive", false), .reverse = node.attr("reverse", false)};
  return rw.create(op, node.input(0), type_of(axis).rank() == 0 ? axis : as_scalar(rw, axis));
}

}  // namespace

void register_reduction(OperatorTable& table) {
  add_reduction(table, "ReduceSum", 13, reduced_along<ops::ReduceSum>);
  add_reduction(table, "ReduceMean", 18, reduced_along<ops::ReduceMean>);
  add_reduction(table, "ReduceMax", 18, extreme_along<ops::ReduceMax, ops::ReduceLogicalOr>);
  add_reduction(table, "ReduceMin", 18, extreme_along<ops::ReduceMin, ops::ReduceLogicalAnd>);
  add_reduction(table, "ReduceProd", 18, reduced_along<ops::ReduceProd>);
  add_reduction(table, "ReduceL1", 18, reduced_along<ops::ReduceL1>);
  add_reduction(table, "ReduceL2", 18, reduced_along<ops::ReduceL2>);
  add_reduction(table, "ReduceLogSum", 18, log_of_sum);
  add_reduction(table, "ReduceLogSumExp", 18, log_of_sum_of_powers);
  add_reduction(table, "ReduceSumSquare", 18, sum_of_squares);
  table.translate("CumSum", since(11), cumulative_sum);
}

}  // namespace mo::onnx
