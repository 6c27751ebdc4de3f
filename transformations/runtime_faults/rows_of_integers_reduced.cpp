#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/select.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The runtime computes as many results of rows together as a vector register has elements: 16 with AVX-512, 8 with
/// AVX2, 4 with SSE 4.1.
constexpr std::int64_t kFewestResults = 4;

/// `x`, or 0 where it is NaN.
Value zero_for_nan(Rewriter& rw, const Value& x) {
  return rw.create(ops::Select{}, rw.create(ops::NotEqual{}, x, x), rw.scalar_like(x, 0), x);
}

/// reduce(integers) along the last axis -> the same of f32, in which the runtime computes it anyway. A product that
/// becomes infinite before it meets a 0 is NaN in f32.
Replacement of_reals(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  using enum ops::ReduceKind;
  const ElementType type = node.input_type(0).element_type;
  if (!is_integral(type) || bit_width(type) < 32 || kind == mean) return declined("a mean, or not of integers");
  const auto rank = node.input_type(0).rank();
  const auto axes = integers_of(node.input(1));
  const auto is_last = [&](std::int64_t axis) { return axis == -1 || axis + 1 == *rank; };
  if (axes && rank && std::none_of(axes->begin(), axes->end(), is_last)) return declined("not along the last axis");
  const auto results = node.output_type().shape.element_count();
  if (results && *results < kFewestResults) return declined("too few results");
  const Value real = rw.create(ops::Convert{.destination_type = ElementType::f32}, node.input(0));
  const Value reduced =
      with_reduction(kind, [&]<class Op>(const Op&) { return rw.create(*node.as<Op>(), real, node.input(1)); });
  return rw.create(ops::Convert{.destination_type = type}, kind == prod ? zero_for_nan(rw, reduced) : reduced);
}

}  // namespace

void register_rows_of_integers_reduced(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault("RowsOfIntegersReduced",
                  {.form = "reduction of integers along the last axis, as many results as a vector has elements",
                   .symptom = "0 or the lowest integer, whatever the row is",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "the reduction of f32, Convert; 0 for a product that is NaN"}),
      of_reals));
}

}  // namespace mo::transformations
