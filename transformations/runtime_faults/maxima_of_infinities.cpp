#include <limits>

#include "ops/comparison.hpp"
#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// max(x, axes) == -inf -> all(x == -inf, axes), and min(x, axes) == inf -> all(x == inf, axes).
Replacement all_are_infinite(const Node& node, Rewriter& rw) {
  if (!is_real(node.input_type(0).element_type)) return Replacement::declined();
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Node reduction = node.input(side).node();
    const auto limit = single_real_of(node.input(1 - side));
    const bool is_maximum = reduction.is<ops::ReduceMax>() && limit == -std::numeric_limits<double>::infinity();
    const bool is_minimum = reduction.is<ops::ReduceMin>() && limit == std::numeric_limits<double>::infinity();
    if (!is_maximum && !is_minimum) continue;
    const auto rank = node.input_type(side).rank();
    if (const auto added = node.input_type(1 - side).rank(); added != 0 && (!rank || !added || *added > *rank))
      return declined("the infinity may add dimensions");
    if (!reduction.input(1).node().is<Const>()) return declined("the axes are computed");
    const bool keep_dims =
        is_maximum ? reduction.as<ops::ReduceMax>()->keep_dims : reduction.as<ops::ReduceMin>()->keep_dims;
    const Value equal = rw.create(ops::Equal{}, reduction.input(0), node.input(1 - side));
    return rw.create(ops::ReduceLogicalAnd{.keep_dims = keep_dims}, equal, reduction.input(1));
  }
  return declined("no extreme is compared with the infinity of nothing");
}

}  // namespace

void register_maxima_of_infinities(PassRegistry& passes) {
  passes.add(
      avoid_fault("MaximaOfInfinities", {.form = "ReduceMax compared with -inf, ReduceMin compared with inf",
                                         .symptom = "the extreme of infinities is a finite number",
                                         .first = "2021.4",
                                         .last = "latest",
                                         .replacement = "ReduceLogicalAnd of the data compared with the infinity"})
          .add(lowering<ops::Equal>("AllAreInfinite", all_are_infinite)));
}

}  // namespace mo::transformations
