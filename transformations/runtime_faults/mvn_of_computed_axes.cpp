#include "ops/build/term.hpp"
#include "ops/mvn.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/chosen_axes.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using build::Term;

/// The mean over those dimensions for which `is_axis` is true, one after the other; repeated along them, so that the
/// shape stays.
Term mean_along(Term x, const std::vector<Value>& is_axis) {
  for (std::size_t d = 0; d < is_axis.size(); ++d) {
    const Term mean = build::reduced<ops::ReduceKind::mean>(x, {static_cast<std::int64_t>(d)}, true);
    x = build::choose(Term(x.rewriter(), is_axis[d], ElementType::boolean), mean, x);
  }
  return x;
}

/// MVN(x, axes) -> (x - mean) / sqrt(mean of squares + eps)
Replacement by_means(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v6::MVN>();
  const Term x = build::term(rw, node.input(0));
  const auto rank = node.input_type(0).rank();
  if (integers_of(node.input(1))) return declined("the axes are known");
  if (!rank) return declined("the rank is unknown");
  const Value axes = counted_from_front(rw, node.input(1), static_cast<std::size_t>(*rank));
  std::vector<Value> is_axis;
  for (std::size_t d = 0; d < static_cast<std::size_t>(*rank); ++d) is_axis.push_back(is_among(rw, d, axes));
  const Term centred = x - mean_along(x, is_axis);
  if (!op.normalize_variance) return centred.value();
  const Term variance = mean_along(centred * centred, is_axis);
  const bool is_inside = op.eps_mode == ops::MVNEpsMode::inside_sqrt;
  const Term deviation = is_inside ? (variance + op.eps).apply(ops::Sqrt{}) : variance.apply(ops::Sqrt{}) + op.eps;
  return (centred / deviation).value();
}

}  // namespace

void register_mvn_of_computed_axes(PassRegistry& passes) {
  passes.add(avoid_fault("MVNOfComputedAxes",
                         {.form = "MVN whose axes are computed",
                          .symptom = "not compiled: the runtime makes ReduceMean of dynamic shape of it",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement =
                              "ReduceMean along each dimension, Select of it where the dimension is one of the axes"})
                 .add(lowering<ops::v6::MVN>("ByMeans", by_means)));
}

}  // namespace mo::transformations
