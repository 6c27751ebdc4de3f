#include "core/graph/values.hpp"
#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "ops/broadcast.hpp"
#include "ops/scatter.hpp"
#include "ops/squeeze.hpp"

namespace mo::library::cleanup {
namespace {

/// Each dimension but that of the axis is the same in every run.
bool differ_only_at(std::size_t axis, const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i != axis && !a[i].same_value(b[i])) return false;
  return true;
}

}  // namespace

void register_convert_scatter_elements_to_scatter(PassLibrary& library) {
  using namespace pattern;
  const Pat data = any();
  const Pat indices = any();
  const Pat broadcast = op<ops::v3::Broadcast>(indices, any());
  const Pat updates = any();
  const Pat axis_input = constant();
  library.add(
      rewrite("ConvertScatterElementsToScatter")
          .described("ScatterElementsUpdate(x, Broadcast(i), u, axis)", "ScatterUpdate(x, i, u, axis)",
                     "constant axis; i is 1 in all dimensions but that of the axis; u has the dimensions of x elsewhere, and those of the broadcast")
          .match(op<ops::v3::ScatterElementsUpdate>(data, broadcast, updates, axis_input))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto mode = m.node(broadcast).as<ops::v3::Broadcast>()->mode;
            if (mode != ops::v3::BroadcastMode::numpy && mode != ops::v3::BroadcastMode::bidirectional) return declined("another broadcast");
            const auto rank = m[data].type().rank();
            const auto number = single_integer_of(m[axis_input]);
            const auto axis = rank && number ? normalize_axis(*number, *rank) : std::nullopt;
            if (!axis) return declined("the axis or the rank is unknown");
            const auto place = static_cast<std::size_t>(*axis);
            const PartialShape& given = m[indices].type().shape;
            const PartialShape& stretched = m[broadcast].type().shape;
            const PartialShape& update = m[updates].type().shape;
            if (!differ_only_at(place, m[data].type().shape, update) || !differ_only_at(place, stretched, update))
              return declined("the updates do not cover the other dimensions");
            if (!given.has_rank() || given.size() > stretched.size() || !stretched[place].same_value(update[place]))
              return declined("the indices are not one for each update");
            const std::size_t before = stretched.size() - given.size();
            std::vector<std::int64_t> ones;
            for (std::size_t i = 0; i < given.size(); ++i) {
              if (before + i == place) continue;
              if (given[i] != Dimension(1)) return declined("the indices vary along another axis");
              ones.push_back(static_cast<std::int64_t>(i));
            }
            if (place < before || !given[place - before].same_value(stretched[place])) return declined("the indices are stretched along the axis");
            const Value list = ones.empty() ? m[indices] : rw.fold(ops::Squeeze{}, m[indices], rw.integers(ones));
            return rw.create(ops::ScatterUpdate{}, m[data], list, m[updates], m[axis_input]);
          }));
}

}  // namespace mo::library::cleanup
