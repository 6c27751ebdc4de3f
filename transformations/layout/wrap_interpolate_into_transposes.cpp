#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/interpolate.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {
namespace {

/// Pads for the dimensions in another order; missing ones are 0.
std::vector<std::int64_t> reordered(const std::vector<std::int64_t>& pads, const std::vector<std::size_t>& order) {
  if (std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; })) return pads;
  std::vector<std::int64_t> moved;
  for (const std::size_t from : order) moved.push_back(from < pads.size() ? pads[from] : 0);
  return moved;
}

}  // namespace

void register_wrap_interpolate_into_transposes(PassRegistry& passes) {
  const Pat interpolate = pattern::op<ops::v4::Interpolate>();
  passes.offer(rewrite("WrapInterpolateIntoTransposes")
                   .described("Interpolate(x, axes)", "Transpose(Interpolate(Transpose(x), last axes))",
                              "constant axes, 0 or 1 among them, at most rank - 2 of them; rank 3 or more")
                   .match(interpolate)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(interpolate);
                     const auto rank = node.input_type(0).rank();
                     const auto axes = constant_integers_of(node.input(3));
                     if (!rank || *rank < 3 || !axes)
                       return declined("the rank is below 3 or unknown, or the axes are unknown");
                     const auto is_resized = [&](std::int64_t axis) {
                       return std::find(axes->begin(), axes->end(), axis) != axes->end();
                     };
                     if (static_cast<std::int64_t>(axes->size()) > *rank - 2 || (!is_resized(0) && !is_resized(1)))
                       return declined("too many axes, or neither batch nor channels");
                     std::vector<std::int64_t> order;
                     for (std::int64_t i = 0; i < *rank; ++i)
                       if (!is_resized(i)) order.push_back(i);
                     std::vector<std::int64_t> last;
                     for (const std::int64_t axis : *axes) {
                       last.push_back(static_cast<std::int64_t>(order.size()));
                       order.push_back(axis);
                     }
                     const auto places = as_order(order);
                     if (!places) return declined("an axis is negative, out of range or listed twice");
                     ops::v4::Interpolate resize = *node.as<ops::v4::Interpolate>();
                     resize.pads_begin = reordered(resize.pads_begin, *places);
                     resize.pads_end = reordered(resize.pads_end, *places);
                     const Value turned = rw.create(ops::Transpose{}, node.input(0), rw.integers(order));
                     const Value resized =
                         rw.create(std::move(resize), turned, node.input(1), node.input(2), rw.integers(last));
                     return rw.create(ops::Transpose{}, resized, rw.integers(inverse_order(*places)));
                   }));
}

}  // namespace mo::transformations
