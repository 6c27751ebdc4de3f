#include "transformations/support/strided_slice.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// One list with an element of `given` at each of `places`, `blank` elsewhere: a constant, or put together when the
/// model runs.
Value spread(Rewriter& rw, const Value& given, const std::vector<std::size_t>& places, std::size_t count,
             std::int64_t blank) {
  if (given.node().is<Const>()) {
    const auto numbers = integers_of(given);
    if (!numbers || numbers->size() < places.size()) return {};
    std::vector<std::int64_t> all(count, blank);
    // Runtimes of this generation compute in 32 bits.
    for (std::size_t i = 0; i < places.size(); ++i)
      all[places[i]] = std::clamp<std::int64_t>((*numbers)[i], INT32_MIN, INT32_MAX);
    return rw.integers(all);
  }
  const Value list = given.type().element_type == ElementType::i64
                         ? given
                         : rw.create(ops::Convert{.destination_type = ElementType::i64}, given);
  std::vector<std::int64_t> order(count, static_cast<std::int64_t>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) order[places[i]] = static_cast<std::int64_t>(i);
  const Value with_blank = rw.create(ops::Concat{.axis = 0}, list, rw.integers({blank}));
  return rw.create(ops::v1::Gather{}, with_blank, rw.integers(order), rw.scalar<std::int64_t>(0));
}

}  // namespace

Value as_strided_slice(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  const auto stops = integers_of(node.input(2));
  const auto steps = integers_of(node.input(3));
  const PartialShape& starts = node.input_type(1).shape;
  if (!rank || !steps || !starts.has_rank() || starts.size() != 1 || !starts[0].is_known()) return {};
  const auto count = static_cast<std::size_t>(starts[0].value());
  std::vector<std::int64_t> axes;
  if (node.input(4)) {
    const auto given = integers_of(node.input(4));
    if (!given) return {};
    axes = *given;
  } else {
    for (std::size_t i = 0; i < count; ++i) axes.push_back(static_cast<std::int64_t>(i));
  }
  const auto dims = static_cast<std::size_t>(*rank);
  std::vector<std::int64_t> stride(dims, 1);
  std::vector<std::size_t> places;
  ops::StridedSlice made;
  made.begin_mask.assign(dims, 1);  // opset1: 1 means that the bound is ignored
  made.end_mask.assign(dims, 1);
  if (axes.size() != count || steps->size() != count) return {};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = normalize_axis(axes[i], *rank);
    if (!axis) return {};
    const auto a = static_cast<std::size_t>(*axis);
    places.push_back(a);
    stride[a] = (*steps)[i];
    made.begin_mask[a] = made.end_mask[a] = 0;
    if (stride[a] > 0) continue;
    // With a negative step, a stop before the first element means "to the end", which -dimension-1 and less cannot say:
    // ignore the bound.
    const Dimension& size = node.input_type(0).shape[a];
    if (!stops) return {};
    if ((*stops)[i] < (size.is_known() ? -size.value() : INT32_MIN)) made.end_mask[a] = 1;
  }
  const Value begin = spread(rw, node.input(1), places, dims, 0);
  const Value end = spread(rw, node.input(2), places, dims, 0);
  if (!begin || !end) return {};
  return rw.create(std::move(made), node.input(0), begin, end, rw.integers(stride));
}

}  // namespace mo::transformations
