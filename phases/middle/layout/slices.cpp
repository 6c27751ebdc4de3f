#include "phases/middle/layout/slices.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/concat.hpp"
#include "ops/strided_slice.hpp"

namespace mo::phases::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

bool any_set(const Numbers& mask, std::size_t count) {
  return std::any_of(mask.begin(), mask.begin() + static_cast<std::ptrdiff_t>(std::min(mask.size(), count)),
                     [](std::int64_t m) { return m != 0; });
}

/// `missing` copies of `blank` where the ellipsis was, which goes, or at the end.
Numbers expanded(Numbers list, std::size_t count, std::optional<std::size_t> ellipsis, std::size_t missing,
                 std::int64_t blank) {
  list.resize(count);
  const auto at = list.begin() + static_cast<std::ptrdiff_t>(ellipsis.value_or(count));
  const auto behind = ellipsis ? list.erase(at) : at;
  list.insert(behind, missing, blank);
  return list;
}

Expected<void> expand(Rewriter& rewriter, const Node& node, ops::StridedSlice& op) {
  const auto rank = node.input_type(0).rank();
  const std::size_t inputs = node.in_port_count();
  if (!rank || *rank < 4 || *rank > 5 || inputs < 3) return {};
  std::vector<std::optional<Numbers>> bounds;  // nothing for a computed one
  std::optional<std::size_t> length;
  for (std::size_t i = 1; i < inputs; ++i) {
    const Value source = node.input(i);
    if (!source) return {};
    const Tensor* value = source.node().is<Const>() ? source.data().value() : nullptr;
    const auto numbers = value ? to_integers(*value) : Expected<Numbers>(Numbers());
    const PartialShape& shape = source.type().shape;
    if (!numbers || !shape.has_rank() || shape.size() != 1 || !shape[0].is_known()) return {};
    if (length && *length != static_cast<std::size_t>(shape[0].value())) return {};
    length = static_cast<std::size_t>(shape[0].value());
    bounds.push_back(value ? std::optional(*numbers) : std::nullopt);
  }
  const std::size_t count = *length;
  const auto dimensions = static_cast<std::size_t>(*rank);
  if (any_set(op.new_axis_mask, count)) return {};
  std::optional<std::size_t> ellipsis;
  for (std::size_t i = 0; i < count && i < op.ellipsis_mask.size(); ++i)
    if (op.ellipsis_mask[i] != 0) ellipsis = i;
  if (count > dimensions + (ellipsis ? 1 : 0) || (count == dimensions && !ellipsis)) return {};
  const bool computed = std::find(bounds.begin(), bounds.end(), std::nullopt) != bounds.end();
  if (computed && ellipsis) return {};  // bounds in the middle of a computed list
  const std::size_t missing = dimensions + (ellipsis ? 1 : 0) - count;
  op.begin_mask = expanded(op.begin_mask, count, ellipsis, missing, 1);
  op.end_mask = expanded(op.end_mask, count, ellipsis, missing, 1);
  op.shrink_axis_mask =
      any_set(op.shrink_axis_mask, count) ? expanded(op.shrink_axis_mask, count, ellipsis, missing, 0) : Numbers();
  op.new_axis_mask.clear();
  op.ellipsis_mask.clear();
  for (std::size_t i = 1; i < inputs; ++i) {
    const Value before = node.input(i);
    const std::int64_t blank = i == 3 ? 1 : 0;
    if (!bounds[i - 1]) {
      MO_ASSIGN(Tensor tail, from_integers(before.type().element_type, {static_cast<std::int64_t>(missing)},
                                           Numbers(missing, blank)));
      MO_TRY(
          node.in_port(i).connect(rewriter.create(ops::Concat{.axis = 0}, before, rewriter.constant(std::move(tail)))));
      continue;
    }
    const Numbers all = expanded(*bounds[i - 1], count, ellipsis, missing, blank);
    MO_ASSIGN(Tensor tensor, from_integers(before.type().element_type, {static_cast<std::int64_t>(all.size())}, all));
    MO_TRY(node.in_port(i).connect(rewriter.constant(std::move(tensor))));
    erase_if_dead(before.node());
  }
  rewriter.changed(node);
  if (rewriter.error()) return node.describe(*rewriter.error());
  return {};
}

}  // namespace

Expected<void> expand_slices(Rewriter& rewriter) {
  if (!rewriter.graph().has_op("StridedSlice")) return {};
  for (const Node node : rewriter.graph().nodes())
    if (auto* op = node.as<ops::StridedSlice>()) MO_TRY(expand(rewriter, node, *op));
  return {};
}

}  // namespace mo::phases::layout
