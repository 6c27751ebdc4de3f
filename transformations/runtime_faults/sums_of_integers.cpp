#include <bit>

#include "core/graph/values.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// How many elements each sum is made of; nothing when a size or the axes are unknown.
std::optional<std::int64_t> terms_of(const Node& sum) {
  const PartialShape& shape = sum.input_type(0).shape;
  const auto axes = shape.has_rank() ? known_axes(sum.input(1), static_cast<std::int64_t>(shape.size())) : std::nullopt;
  if (!axes) return std::nullopt;
  std::int64_t terms = 1;
  for (const std::int64_t axis : *axes) {
    const Dimension& size = shape[static_cast<std::size_t>(axis)];
    if (!size.is_known()) return std::nullopt;
    terms *= size.value();
  }
  return terms;
}

/// sum(integers) -> the sum of f32, rounded: the runtime makes it of the mean, which it multiplies by the number of
/// elements.
Replacement of_reals(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (!is_integral(type)) return declined("no integers");
  if (!is_computed(node.output())) return declined("runtimes fold it, and that is exact");
  if (const auto terms = terms_of(node); terms && std::has_single_bit(static_cast<std::uint64_t>(*terms)))
    return declined("the mean of so many integers is exact");
  const Value real = rw.create(ops::Convert{.destination_type = ElementType::f32}, node.input(0));
  const Value sum = rw.create(*node.as<ops::ReduceSum>(), real, node.input(1));
  return rw.create(ops::Convert{.destination_type = type}, rw.create(ops::Round{}, sum));
}

}  // namespace

void register_sums_of_integers(PassRegistry& passes) {
  passes.add(
      avoid_fault("SumsOfIntegers", {.form = "ReduceSum of integers, whose number is not a power of 2",
                                     .symptom = "the mean times their number, truncated: 28 instead of 29",
                                     .first = "2021.4",
                                     .last = "2021.4",
                                     .replacement = "ReduceSum of f32, Round, Convert"})
          .run_before({"RowsOfIntegersReduced"})
          .add(rewrite("ReduceSum")
                   .match(pattern::op<ops::ReduceSum>())
                   .rule([](const Match& m, Rewriter& rw) -> Replacement { return of_reals(m.root().node(), rw); })));
}

}  // namespace mo::transformations
