#include "transformations/cleanup/support/reshape_like.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

bool is_reshape_like(const Node& node) {
  return node.is<ops::Reshape>() || node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>();
}

bool is_for_reshape(const PartialShape& result) {
  if (!result.has_rank() || result.size() == 0) return false;
  const auto unknown = std::count_if(result.begin(), result.end(), [](const Dimension& d) { return !d.is_known(); });
  const bool empty =
      std::any_of(result.begin(), result.end(), [](const Dimension& d) { return d.is_known() && d.value() == 0; });
  return unknown == 0 || (unknown == 1 && !empty);  // what is left of nothing is anything
}

Replacement as_reshape(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.output_type().shape;
  if (!is_for_reshape(shape)) return declined("several dimensions are unknown");
  const Node before = node.input(0).node();
  const Value x = is_reshape_like(before) ? before.input(0) : node.input(0);
  if (same_shape(x.type().shape, shape)) return bypass(node, x);
  std::vector<std::int64_t> target;
  for (const Dimension& dim : shape) target.push_back(dim.is_known() ? dim.value() : -1);
  return rw.create(ops::Reshape{.special_zero = false}, x, rw.integers(target));
}

std::vector<std::int64_t> extra_ones(const PartialShape& wide, const PartialShape& narrow) {
  std::vector<std::int64_t> places;
  std::size_t next = 0;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (next < narrow.size() && wide[i].same_value(narrow[next]))
      ++next;
    else if (wide[i] == Dimension(1))
      places.push_back(static_cast<std::int64_t>(i));
  }
  return places;
}

Replacement as_one(const Node& node, Rewriter& rw) {
  const Node before = node.input(0).node();
  if (!before.is<ops::Squeeze>() && !before.is<ops::Unsqueeze>()) return declined("no reshape-like op before");
  const Value x = before.input(0);
  if (before.is<ops::Squeeze>() != node.is<ops::Squeeze>()) {
    const auto first = constant_integers_of(before.input(1));
    const auto second = constant_integers_of(node.input(1));
    if (first && second && *first == *second) return bypass(node, x);
  }
  const PartialShape& from = x.type().shape;
  const PartialShape& to = node.output_type().shape;
  if (!from.has_rank() || !to.has_rank()) return declined("ranks are unknown");
  const bool widens = to.size() > from.size();
  if (to.size() == from.size()) return declined("neither more nor less dimensions");
  const std::vector<std::int64_t> axes = widens ? extra_ones(to, from) : extra_ones(from, to);
  if (axes.size() + std::min(to.size(), from.size()) != std::max(to.size(), from.size()))
    return declined("the axes cannot be inferred");
  const Value made =
      widens ? rw.create(ops::Unsqueeze{}, x, rw.integers(axes)) : rw.create(ops::Squeeze{}, x, rw.integers(axes));
  if (!same_shape(made.type().shape, to)) return declined("the shape would be another one");
  return made;
}

}  // namespace mo::transformations
