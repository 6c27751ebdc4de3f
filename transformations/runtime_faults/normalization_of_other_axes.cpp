#include <cmath>

#include "core/graph/values.hpp"
#include "ops/build/term.hpp"
#include "ops/normalize_l2.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using build::Term;

bool counts_up_from_one(const std::vector<std::int64_t>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] != static_cast<std::int64_t>(i) + 1) return false;
  return !axes.empty();
}

/// All releases compute it: over dimension 1 of 2 to 4, where `axes` say so. Over all dimensions but the first, eps is
/// added to the norm.
bool is_harmless(const std::vector<std::int64_t>& axes, std::optional<std::int64_t> rank, double eps) {
  if (!counts_up_from_one(axes)) return false;
  if (!rank) return axes.size() == 1;  // only releases that compute it in five dimensions, too, read unknown ranks
  if (*rank < 2 || *rank > 4) return false;
  return axes.size() == 1 || (static_cast<std::int64_t>(axes.size()) == *rank - 1 && eps == 0);
}

/// NormalizeL2(x, axes) -> x / sqrt(ReduceSum(x * x, axes) + eps), or x / max(ReduceL2(x, axes), sqrt(eps)).
///
/// Not with Power(x, 2): the runtime of 2022.1 makes NormalizeL2 of that.
Replacement by_norm(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::NormalizeL2>();
  const auto rank = node.input_type(0).rank();
  auto axes = integers_of(node.input(1));
  if (!axes) return declined("the axes are computed");
  if (is_harmless(*axes, rank, op.eps))
    return declined("over dimension 1 of 2 to 4, or over all but the first, without eps");
  if (rank)
    for (std::int64_t& axis : *axes) axis = axis < 0 ? axis + *rank : axis;
  Term x = build::term(rw, node.input(0));
  const ElementType type = x.type();
  // The usual eps is nothing in f16.
  if (type == ElementType::f16 || type == ElementType::bf16) x = x.as(ElementType::f32);
  const auto norm = [&] {
    if (op.eps_mode == ops::NormalizeL2EpsMode::max)
      return larger(build::reduced<ops::ReduceKind::l2>(x, *axes, true), std::sqrt(op.eps));
    return (build::reduced<ops::ReduceKind::sum>(x * x, *axes, true) + op.eps).apply(ops::Sqrt{});
  };
  return (x / norm()).as(type).value();
}

}  // namespace

void register_normalization_of_other_axes(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "NormalizationOfOtherAxes",
          {.form = "NormalizeL2 over other axes than dimension 1 of 2 to 4",
           .symptom = "over all dimensions but the first, eps is added to the norm instead of its square (or is its "
                      "least value); other axes "
                      "are not compiled",
           .first = "2021.4",
           .last = "2022.1",
           .replacement =
               "the quotient by Sqrt of ReduceSum of squares and eps, or by Maximum of ReduceL2 and the root of eps"})
          .run_before({"FusedReductionsOfThree"})
          .add(lowering<ops::NormalizeL2>("ByNorm", by_norm)));
}

}  // namespace mo::transformations
