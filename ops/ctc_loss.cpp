#include "ops/ctc_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
double log_of_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

/// logits [steps, classes] -> logarithms of probabilities
std::vector<double> log_soft_max(const double* logits, std::int64_t steps, std::int64_t classes) {
  std::vector<double> result(logits, logits + steps * classes);
  for (std::int64_t t = 0; t < steps; ++t) {
    const auto row = result.begin() + t * classes;
    const double largest = *std::max_element(row, row + classes);
    double sum = 0;
    for (auto it = row; it != row + classes; ++it) sum += std::exp(*it - largest);
    for (auto it = row; it != row + classes; ++it) *it -= largest + std::log(sum);
  }
  return result;
}

/// The labels that count, with a blank before, between and after them.
std::vector<std::int64_t> with_blanks(const CTCLoss& op, const std::int64_t* labels, std::int64_t count,
                                      std::int64_t blank) {
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < count; ++i) {
    if (op.preprocess_collapse_repeated && i > 0 && labels[i] == labels[i - 1]) continue;
    if (op.unique && std::find(kept.begin(), kept.end(), labels[i]) != kept.end()) continue;
    kept.push_back(labels[i]);
  }
  std::vector<std::int64_t> sequence{blank};
  for (const std::int64_t label : kept) sequence.insert(sequence.end(), {label, blank});
  return sequence;
}

/// The sum over all ways to spread `sequence` over the steps, step by step (Graves et al. 2006, forward variables).
double loss_of(const CTCLoss& op, const std::vector<double>& scores, std::int64_t steps, std::int64_t classes,
               const std::vector<std::int64_t>& sequence, std::int64_t blank) {
  std::vector<double> before(sequence.size(), kImpossible);
  if (steps == 0) return sequence.size() == 1 ? 0.0 : -kImpossible;
  for (std::size_t u = 0; u < std::min<std::size_t>(2, sequence.size()); ++u)
    before[u] = scores[static_cast<std::size_t>(sequence[u])];
  std::vector<double> now(sequence.size());
  for (std::int64_t t = 1; t < steps; ++t) {
    for (std::size_t u = 0; u < sequence.size(); ++u) {
      const std::int64_t label = sequence[u];
      double sum = op.ctc_merge_repeated || label == blank ? before[u] : kImpossible;
      if (u > 0) sum = log_of_sum(sum, before[u - 1]);
      if (u > 1 && label != blank && !(op.ctc_merge_repeated && label == sequence[u - 2]))
        sum = log_of_sum(sum, before[u - 2]);
      now[u] = sum + scores[static_cast<std::size_t>(t * classes + label)];
    }
    before.swap(now);
  }
  return -(sequence.size() > 1 ? log_of_sum(before[sequence.size() - 1], before[sequence.size() - 2]) : before.back());
}

}  // namespace

Expected<void> CTCLoss::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4, 5));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  for (const std::size_t i : {1, 2, 3, 4}) MO_TRY(expect_element_type(ctx, i, is_integral, "an integer type"));
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 2, 2));
  MO_TRY(ctx.expect_rank(3, 1, 1));
  const PartialShape logits = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(3);
  Dimension batch = logits[0];
  for (const std::size_t i : {1, 2, 3}) {
    const PartialShape& shape = ctx.input_shape(i);
    if (!shape.has_rank()) continue;
    const auto merged = batch.merge(shape[0]);
    if (!merged || (i == 2 && !logits[1].compatible(shape[1])))
      return ctx
          .error("MO-OPS-0484", "input {} of shape {} does not fit logits of shape {}", i, shape.to_string(),
                 logits.to_string())
          .hint("logits are [N, T, C], labels [N, T], lengths [N]");
    batch = *merged;
  }
  if (ctx.has_input(4)) MO_TRY(expect_scalar(ctx, 4));
  ctx.output(0, ctx.input_element_type(0), PartialShape{batch});
  return {};
}

Expected<void> CTCLoss::evaluate(EvalContext& ctx) const {
  const Shape& shape = ctx.input(0).shape();
  const std::int64_t classes = shape[2];
  MO_ASSIGN(const Tensor logits, convert(ctx.input(0), ElementType::f64));
  MO_ASSIGN(const std::vector<std::int64_t> steps, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> labels, ctx.integers(2));
  MO_ASSIGN(const std::vector<std::int64_t> counts, ctx.integers(3));
  std::vector<std::int64_t> blank{classes - 1};
  if (ctx.has_input(4)) { MO_ASSIGN(blank, ctx.integers(4)); }
  std::vector<double> losses;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    const auto i = static_cast<std::size_t>(n);
    const auto is_class = [&](std::int64_t label) { return label >= 0 && label < classes; };
    const bool fits =
        steps[i] >= 0 && steps[i] <= shape[1] && counts[i] >= 0 && counts[i] <= shape[1] && is_class(blank.front());
    const std::int64_t* row = labels.data() + n * shape[1];
    if (!fits || !std::all_of(row, row + counts[i], is_class))
      return ctx
          .error("MO-OPS-0485", "the lengths or labels of sequence {} lie outside of logits of shape {}", n,
                 to_string(shape))
          .hint("lengths are at most T, labels and the blank class below C");
    const std::vector<std::int64_t> sequence = with_blanks(*this, row, counts[i], blank.front());
    const std::vector<double> scores =
        log_soft_max(logits.values<double>().data() + n * shape[1] * classes, steps[i], classes);
    losses.push_back(loss_of(*this, scores, steps[i], classes, sequence, blank.front()));
  }
  MO_ASSIGN(Tensor result, from_reals(ctx.input(0).element_type(), {shape[0]}, losses));
  ctx.set_output(0, std::move(result));
  return {};
}

void register_ctc_loss(OpRegistry& registry) { registry.add<CTCLoss>(); }

}  // namespace mo::ops
