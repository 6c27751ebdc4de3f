#include "ops/elementwise_binary.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The operand of `node` that is a constant of one element, and which one it is.
std::optional<std::size_t> limit_of(const Node& node) {
  for (const std::size_t i : {0U, 1U})
    if (single_real_of(node.input(i))) return i;
  return std::nullopt;
}

/// Maximum(Minimum(x, a), b) with a < b -> Maximum(Minimum(x, b), b), which is b as well. The same with both exchanged.
template <class Outer, class Inner>
Replacement with_equal_limits(const Node& node, Rewriter& rw) {
  const auto outer_limit = limit_of(node);
  if (!outer_limit) return declined("no limit of one element");
  const Node inner = node.input(1 - *outer_limit).node();
  if (!inner.is<Inner>()) return declined("the numbers have one limit");
  const auto inner_limit = limit_of(inner);
  if (!inner_limit) return declined("no limit of one element in front");
  const Value limit = node.input(*outer_limit);
  const double outer = *single_real_of(limit);
  const double within = *single_real_of(inner.input(*inner_limit));
  const bool is_in_order = std::is_same_v<Outer, ops::Maximum> ? outer <= within : outer >= within;
  if (is_in_order) return declined("the limits are in order");
  return rw.create(*node.as<Outer>(), limit, rw.create(*inner.as<Inner>(), inner.input(1 - *inner_limit), limit));
}

}  // namespace

void register_limits_out_of_order(PassRegistry& passes) {
  passes.add(
      avoid_fault("LimitsOutOfOrder",
                  {.form = "Maximum of a Minimum with a lower constant, or Minimum of a Maximum with a higher one",
                   .symptom = "not compiled: the limits of Clamp must be in order",
                   .first = "2021.4",
                   .last = "2022.3",
                   .replacement = "the same with the outer constant for both"})
          .add(lowering<ops::Maximum>("MaximumOfMinimum", with_equal_limits<ops::Maximum, ops::Minimum>))
          .add(lowering<ops::Minimum>("MinimumOfMaximum", with_equal_limits<ops::Minimum, ops::Maximum>)));
}

}  // namespace mo::transformations
