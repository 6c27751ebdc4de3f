#include <algorithm>
#include <functional>

#include "core/tensor/convert.hpp"
#include "ops/select.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

/// Select(true, a, b) -> a, Select(false, a, b) -> b, where that has the shape
/// of the result.
void register_select_folding(PassRegistry& passes) {
  using namespace pattern;
  const Pat condition = constant();
  const Pat a = any();
  const Pat b = any();
  passes.add(rewrite("SelectFolding")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"ConstantFolding"})
                 .match(op<ops::Select>(condition, a, b))
                 .replace([=](const Match& m, Rewriter&) -> Replacement {
                   constexpr std::int64_t kMost = 1 << 20;
                   const Tensor& tensor = m[condition].node().as<Const>()->value;
                   const auto flags = tensor.element_count() > 0 && tensor.element_count() <= kMost
                                          ? std::optional(to_integers(tensor))
                                          : std::nullopt;
                   if (!flags || !*flags ||
                       std::adjacent_find((*flags)->begin(), (*flags)->end(), std::not_equal_to<>()) != (*flags)->end())
                     return Replacement::declined();
                   const Value taken = (*flags)->front() != 0 ? m[a] : m[b];
                   if (!same_shape(taken.type().shape, m.root().type().shape) ||
                       (taken.node().is<Parameter>() && is_model_output(m.root())))
                     return Replacement::declined();
                   return taken;
                 }));
}

}  // namespace mo::transformations
