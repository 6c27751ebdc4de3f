#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"

namespace mo::middle {
namespace {

bool pads(const ops::v11::Interpolate& op) {
  const auto is_pad = [](std::int64_t v) { return v != 0; };
  return std::any_of(op.pads_begin.begin(), op.pads_begin.end(), is_pad) || std::any_of(op.pads_end.begin(), op.pads_end.end(), is_pad);
}

/// Modes that resize one axis after the other in any case.
bool is_separable(const ops::v11::Interpolate& op) {
  using ops::reference::InterpolateMode;
  return (op.mode == InterpolateMode::nearest || op.mode == InterpolateMode::cubic || op.mode == InterpolateMode::linear) && !op.antialias;
}

}  // namespace

/// Interpolate(Interpolate(x, s1, axes1), s2, axes2) -> Interpolate(x, s1 and
/// s2, axes1 and axes2) for different axes and equal attributes.
void register_interpolate_sequence_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat inner_lengths = any();
  const Pat inner_axes = any();
  const Pat outer_lengths = any();
  const Pat outer_axes = any();
  const Pat inner = op<ops::v11::Interpolate>(x, inner_lengths, inner_axes).one_use();
  const Pat outer = op<ops::v11::Interpolate>(inner, outer_lengths, outer_axes);
  passes.add(rewrite("InterpolateSequenceFusion")
                 .run_after({"NearestUpsamplingFusion"})
                 .match(outer)
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const Node node = m.root().node();
                   const auto& op = *node.as<ops::v11::Interpolate>();
                   const auto rank = m[x].type().rank();
                   auto axes = integers_of(m[inner_axes]);
                   const auto more = integers_of(m[outer_axes]);
                   if (!rank || !axes || !more || pads(op) || !is_separable(op))
                     return declined("axes or rank are unknown, it pads, or its mode is not separable");
                   if (!same_attributes(node.op_type(), node.payload(), m.node(inner).payload())) return declined("the attributes differ");
                   if (m[inner_lengths].type().element_type != m[outer_lengths].type().element_type) return declined("the lengths differ in type");
                   axes->insert(axes->end(), more->begin(), more->end());
                   for (std::int64_t& axis : *axes) {
                     const auto place = normalize_axis(axis, *rank);
                     if (!place) return Replacement::declined();
                     axis = *place;
                   }
                   // In the order of the dimensions, which is what runtimes look for.
                   std::vector<std::int64_t> places(axes->size());
                   std::iota(places.begin(), places.end(), 0);
                   std::sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
                     return (*axes)[static_cast<std::size_t>(a)] < (*axes)[static_cast<std::size_t>(b)];
                   });
                   std::sort(axes->begin(), axes->end());
                   if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) return declined("an axis is resized twice");
                   Value lengths = rw.fold(ops::Concat{.axis = 0}, m[inner_lengths], m[outer_lengths]);
                   if (!std::is_sorted(places.begin(), places.end()))
                     lengths = rw.fold(ops::v8::Gather{}, lengths, rw.integers(places), rw.scalar<std::int64_t>(0));
                   return rw.create(ops::v11::Interpolate{op}, m[x], lengths, rw.integers(*axes));
                 }));
}

}  // namespace mo::middle
