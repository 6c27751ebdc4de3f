#include "ops/cum_sum.hpp"

#include <algorithm>
#include <limits>

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// An axis beyond is wrong whatever the tensor is.
constexpr std::int64_t kMostDimensions = 64;

/// [n, n]: whether element j counts for place i along the axis.
Value which_count(const FrameworkNode& node, Rewriter& rw, const Value& x, std::int64_t axis) {
  const Value places = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0),
                                 dimension_of(rw, x, axis), rw.scalar<std::int64_t>(1));
  Value place = rw.create(ops::Unsqueeze{}, places, rw.integers({1}));
  Value element = rw.create(ops::Unsqueeze{}, places, rw.integers({0}));
  if (node.attr("reverse", false)) std::swap(place, element);
  if (node.attr("exclusive", false)) return rw.create(ops::Less{}, element, place);
  return rw.create(ops::LessEqual{}, element, place);
}

/// [n, n] -> [n, n, 1 …] with as many ones as x has dimensions after the axis.
Value in_front_of_rest(Rewriter& rw, const Value& table, const Value& x, std::int64_t axis) {
  const auto rank = type_of(x).rank();
  if (axis < 0 || rank) {
    const std::int64_t behind = std::clamp<std::int64_t>(axis < 0 ? -axis - 1 : *rank - axis - 1, 0, kMostDimensions);
    if (behind == 0) return table;
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < behind; ++i) axes.push_back(2 + i);
    return rw.create(ops::Unsqueeze{}, table, rw.integers(axes));
  }
  const Value difference = rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar<std::int64_t>(axis + 1));
  const Value behind = rw.create(ops::Maximum{}, difference, rw.scalar<std::int64_t>(0));
  const Value shape = rw.create(ops::Concat{.axis = 0}, rw.integers({0, 0}), ones(rw, behind));
  return rw.create(ops::Reshape{.special_zero = true}, table, shape);
}

/// The lowest finite number of a type: TensorFlow CumulativeLogsumexp takes it for the logarithm of 0.
double lowest(ElementType type) {
  if (type == ElementType::f16) return -65504;
  if (type == ElementType::bf16) return -3.3895313892515355e38;
  return type == ElementType::f64 ? std::numeric_limits<double>::lowest() : std::numeric_limits<float>::lowest();
}

/// log(sum(exp(x))) -> log(sum(exp(x - m))) + m with the maximum m, limited to finite numbers, so that exp stays in
/// range.
Value log_sum_exp(Rewriter& rw, const Value& x, const Value& axis) {
  const Value limit = number_like(rw, x, -lowest(type_of(x).element_type));
  const Value largest = rw.create(ops::ReduceMax{.keep_dims = true}, x, axis);
  const Value finite = rw.create(ops::Maximum{}, largest, number_like(rw, x, lowest(type_of(x).element_type)));
  const Value maximum = rw.create(ops::Minimum{}, finite, limit);
  const Value sum = rw.create(ops::ReduceSum{.keep_dims = false},
                              rw.create(ops::Exp{}, rw.create(ops::Subtract{}, x, maximum)), axis);
  return rw.create(ops::Add{}, rw.create(ops::Log{}, sum), rw.create(ops::Squeeze{}, maximum, axis));
}

/// Cumprod(x, axis), CumulativeLogsumexp(x, axis): the IR accumulates sums only. All elements are laid out for each
/// place along the axis, those that do not count replaced by the neutral one, and reduced: exact, with memory for n
/// times the elements.
Replacement cumulative(const FrameworkNode& node, Rewriter& rw, bool product) {
  MO_TRY(number_type(node));
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const auto known = single_integer_of(node.input(1));
  if (!known)
    return node.error("MO-TF-0507", "the axis is not a constant number")
        .hint("the IR needs it as a constant: make input 1 a constant, for example with --input <name>->[1]");
  const std::int64_t axis = *known;
  if (axis < -kMostDimensions || axis >= kMostDimensions)
    return node.error("MO-TF-0508", "axis {} is outside of every tensor", axis)
        .hint("the node is corrupt: export the model again");
  const Value counts = in_front_of_rest(rw, which_count(node, rw, x, axis), x, axis);
  const Value spread = rw.create(ops::Unsqueeze{}, x, rw.integers({axis < 0 ? axis - 1 : axis}));
  const Value neutral = number_like(rw, x, product ? 1 : -std::numeric_limits<double>::infinity());
  const Value elements = rw.create(ops::Select{}, counts, spread, neutral);
  const Value reduced = rw.integers({axis < 0 ? axis : axis + 1});
  if (product) return rw.create(ops::ReduceProd{.keep_dims = false}, elements, reduced);
  return log_sum_exp(rw, elements, reduced);
}

Replacement cumulative_product(const FrameworkNode& node, Rewriter& rw) { return cumulative(node, rw, true); }
Replacement cumulative_log_sum_exp(const FrameworkNode& node, Rewriter& rw) { return cumulative(node, rw, false); }

}  // namespace

/// Results of all elements up to each place along an axis, which is input 1.
void register_cumulative(OperatorTable& table) {
  table.extract("Cumsum", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return ops::CumSum{.exclusive = node.attr("exclusive", false), .reverse = node.attr("reverse", false)};
  });
  table.translate("Cumprod", cumulative_product);
  table.translate("CumulativeLogsumexp", cumulative_log_sum_exp);
}

}  // namespace mo::tensorflow
