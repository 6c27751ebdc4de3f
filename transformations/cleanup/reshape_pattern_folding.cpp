#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/reshape.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// The pattern that gives `result` without looking at the data at run time; nothing when there is none. An element that
/// is the dimension of the data in the same place becomes 0 (copy), one element that is not known becomes -1. A -1
/// makes room for it when the result tells its size.
std::optional<std::vector<std::int64_t>> constant_pattern(const PartialShape& data, const PartialValue& pattern,
                                                          bool copies, const PartialShape& result) {
  std::vector<std::int64_t> made;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < pattern.elements.size(); ++i) {
    const Dimension& element = pattern.elements[i];
    const bool same_place = data.has_rank() && i < data.size();
    if (element.is_known()) {
      const std::int64_t number = element.value();
      // With 0 for "copy" the pattern cannot express an empty dimension.
      if (number == 0 && !copies) return std::nullopt;
      if (number == -1) open = i;
      made.push_back(number);
    } else if (same_place && element.same_value(data[i])) {
      made.push_back(0);
    } else {
      made.push_back(-2);  // not known yet: what is left when only one is
    }
  }
  const auto unknown = std::count(made.begin(), made.end(), -2);
  if (unknown == 0) return made;
  // The rest of an empty tensor is not defined: only with a dimension that is certainly not 0 everywhere else.
  const bool may_be_empty = std::any_of(data.begin(), data.end(), [](const Dimension& d) { return d == Dimension(0); });
  if (unknown > 1 || may_be_empty || std::count(made.begin(), made.end(), 0) > 0) return std::nullopt;
  if (open) {
    if (!result.has_rank() || !result[*open].is_known() || result[*open].value() == 0) return std::nullopt;
    made[*open] = result[*open].value();
  }
  std::replace(made.begin(), made.end(), std::int64_t{-2}, std::int64_t{-1});
  return made;
}

/// Reshape(x, a computed pattern) -> Reshape(x, constants) where inference knows enough of it: exporters compute
/// [batch, -1] from the shape of x.
RewriteRule fold() {
  const Pat x = any();
  const Pat pattern = any();
  const Pat reshape = op<ops::Reshape>(x, pattern);
  return rewrite("ReshapePatternFolding").match(reshape).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const PartialValue* known = m[pattern].data().partial_value();
    if (!known || known->shape.size() != 1) return Replacement::declined();
    const bool copies = m.node(reshape).as<ops::Reshape>()->special_zero;
    const auto constant = constant_pattern(m[x].type().shape, *known, copies, m[reshape].type().shape);
    if (!constant) return Replacement::declined();
    const bool has_zero = std::count(constant->begin(), constant->end(), 0) > 0;
    return rw.create(ops::Reshape{.special_zero = copies || has_zero}, m[x], rw.integers(*constant));
  });
}

}  // namespace

void register_reshape_pattern_folding(PassRegistry& passes) {
  passes.add(graph_rewrite("ReshapePatternFolding")
                 .run_after({"RankFolding"})
                 .run_before({"LayoutChange", "ConstantFolding"})
                 .add(fold()));
}

}  // namespace mo::transformations
