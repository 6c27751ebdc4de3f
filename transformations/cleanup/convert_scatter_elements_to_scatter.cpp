#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/broadcast.hpp"
#include "ops/scatter.hpp"
#include "ops/squeeze.hpp"

namespace mo::transformations {
namespace {

/// Each dimension but that of the axis is the same in every run.
bool differ_only_at(std::size_t axis, const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i != axis && !a[i].same_value(b[i])) return false;
  return true;
}

/// The dimensions of 1 without which `indices`, broadcast to the shape of the updates as they must be, are a list of
/// one index for each update along `axis`; nothing when they are no such list.
std::optional<std::vector<std::int64_t>> dimensions_to_drop(const PartialShape& indices, const PartialShape& updates,
                                                            std::size_t axis) {
  if (!indices.has_rank() || indices.size() == 0 || indices.size() > updates.size()) return std::nullopt;
  const std::size_t before = updates.size() - indices.size();
  // Left of what they have, indices are stretched: one for all.
  if (axis < before && updates[axis] != Dimension(1)) return std::nullopt;
  const std::size_t kept = axis < before ? indices.size() - 1 : axis - before;
  if (axis >= before && !indices[kept].same_value(updates[axis])) return std::nullopt;
  std::vector<std::int64_t> ones;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (before + i != axis && indices[i] != Dimension(1)) return std::nullopt;
    if (i != kept) ones.push_back(static_cast<std::int64_t>(i));
  }
  return ones;
}

}  // namespace

void register_convert_scatter_elements_to_scatter(PassRegistry& passes) {
  using namespace pattern;
  const Pat data = any();
  const Pat indices = any();
  const Pat broadcast = op<ops::v3::Broadcast>(indices, any());
  const Pat updates = any();
  const Pat axis_input = constant();
  passes.offer(
      rewrite("ConvertScatterElementsToScatter")
          .described(
              "ScatterElementsUpdate(x, Broadcast(i), u, axis)", "ScatterUpdate(x, i, u, axis)",
              "constant axis; i is 1 in all dimensions but that of the axis; u has the dimensions of x elsewhere")
          .match(op<ops::v3::ScatterElementsUpdate>(data, broadcast, updates, axis_input))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto mode = m.node(broadcast).as<ops::v3::Broadcast>()->mode;
            if (mode != ops::v3::BroadcastMode::numpy && mode != ops::v3::BroadcastMode::bidirectional)
              return declined("another broadcast");
            const auto rank = m[data].type().rank();
            const auto number = single_integer_of(m[axis_input]);
            const auto axis = rank && number ? normalize_axis(*number, *rank) : std::nullopt;
            if (!axis) return declined("the axis or the rank is unknown");
            const auto place = static_cast<std::size_t>(*axis);
            const PartialShape& update = m[updates].type().shape;
            if (!differ_only_at(place, m[data].type().shape, update))
              return declined("the updates do not cover the other dimensions");
            const auto ones = dimensions_to_drop(m[indices].type().shape, update, place);
            if (!ones) return declined("the indices vary along another axis, or are not one for each update");
            const Value list = ones->empty() ? m[indices] : rw.fold(ops::Squeeze{}, m[indices], rw.integers(*ones));
            return rw.create(ops::ScatterUpdate{}, m[data], list, m[updates], m[axis_input]);
          }));
}

}  // namespace mo::transformations
