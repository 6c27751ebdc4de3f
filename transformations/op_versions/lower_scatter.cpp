#include <algorithm>
#include <unordered_set>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/gather_nd.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;
using ElementsReduction = ops::v12::ElementsReduction;
using NDReduction = ops::v15::NDReduction;

constexpr std::int64_t kMostIndices = std::int64_t{1} << 20;

/// Row-major steps of a shape.
Integers steps_of(const Shape& shape) {
  Integers steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
  return steps;
}

Value as_indices(Rewriter& rw, const Value& old, const Integers& numbers) {
  auto tensor = from_integers(old.type().element_type, *old.type().shape.to_shape(), numbers);
  return tensor ? rw.constant(*std::move(tensor)) : Value();
}

/// For places that the last dimension of the indices describes.
Value unique_places(Rewriter& rw, const Value& indices, const Shape& data) {
  auto numbers = integers_of(indices, kMostIndices);
  const auto shape = indices.type().shape.to_shape();
  if (!numbers || !shape || shape->empty() || shape->back() < 1 ||
      shape->back() > static_cast<std::int64_t>(data.size()))
    return {};
  const auto depth = static_cast<std::size_t>(shape->back());
  const Integers steps = steps_of(data);
  std::unordered_set<std::int64_t> seen;
  for (std::size_t i = 0; i < numbers->size(); i += depth) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      std::int64_t& index = (*numbers)[i + d];
      if (index < 0) index += data[d];
      if (index < 0 || index >= data[d]) return {};
      place += index * steps[d];
    }
    if (!seen.insert(place).second) return {};
  }
  return as_indices(rw, indices, *numbers);
}

/// For places along `axis`, one for each element.
Value unique_elements(Rewriter& rw, const Value& indices, const Shape& data, std::size_t axis) {
  auto numbers = integers_of(indices, kMostIndices);
  const auto shape = indices.type().shape.to_shape();
  if (!numbers || !shape || shape->size() != data.size()) return {};
  const Integers steps = steps_of(data);
  Integers at(shape->size(), 0);
  std::unordered_set<std::int64_t> seen;
  for (std::int64_t& index : *numbers) {
    if (index < 0) index += data[axis];
    if (index < 0 || index >= data[axis]) return {};
    std::int64_t place = index * steps[axis];
    for (std::size_t d = 0; d < at.size(); ++d)
      if (d != axis) place += at[d] * steps[d];
    if (!seen.insert(place).second) return {};
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < (*shape)[d]) break;
      at[d] = 0;
    }
  }
  return as_indices(rw, indices, *numbers);
}

/// `old` reduced with `update`; empty where older op sets have no such op.
Value combined(Rewriter& rw, NDReduction reduction, const Value& old, const Value& update) {
  switch (reduction) {
    case NDReduction::none: return update;
    case NDReduction::sum: return rw.create(ops::Add{}, old, update);
    case NDReduction::sub: return rw.create(ops::Subtract{}, old, update);
    case NDReduction::prod: return rw.create(ops::Multiply{}, old, update);
    case NDReduction::min: return rw.create(ops::Minimum{}, old, update);
    case NDReduction::max: return rw.create(ops::Maximum{}, old, update);
  }
  return {};
}

Value combined(Rewriter& rw, ElementsReduction reduction, const Value& old, const Value& update) {
  switch (reduction) {
    case ElementsReduction::none: return update;
    case ElementsReduction::sum: return combined(rw, NDReduction::sum, old, update);
    case ElementsReduction::prod: return combined(rw, NDReduction::prod, old, update);
    case ElementsReduction::min: return combined(rw, NDReduction::min, old, update);
    case ElementsReduction::max: return combined(rw, NDReduction::max, old, update);
    case ElementsReduction::mean:
      if (!is_real(old.type().element_type)) return {};
      return rw.create(ops::Divide{}, rw.create(ops::Add{}, old, update), rw.scalar_like(old, 2));
  }
  return {};
}

/// ScatterNDUpdate(data, places, updates) with a reduction -> ScatterNDUpdate(data, places, data[places] reduced with
/// updates): the same when all places are different.
RewriteRule scatter_nd() {
  return rewrite("ScatterNDWithReduction")
      .match(pattern::op<ops::v15::ScatterNDUpdate>())
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto data = node.input_type(0).shape.to_shape();
        if (!data || node.input_type(0).element_type == ElementType::boolean) return Replacement::declined();
        const Value places = unique_places(rw, node.input(1), *data);
        if (!places) return Replacement::declined();
        const Value old = rw.create(ops::v5::GatherND{}, node.input(0), places);
        const Value update = combined(rw, node.as<ops::v15::ScatterNDUpdate>()->reduction, old, node.input(2));
        if (!update) return Replacement::declined();
        return rw.create(ops::v3::ScatterNDUpdate{}, node.input(0), places, update);
      });
}

/// The same for ScatterElementsUpdate. Without the old values, each place has its update alone.
RewriteRule scatter_elements() {
  const Pat root = pattern::op<ops::v12::ScatterElementsUpdate>();
  return rewrite("ScatterElementsWithReduction").match(root).rule([](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto& op = *node.as<ops::v12::ScatterElementsUpdate>();
    const auto data = node.input_type(0).shape.to_shape();
    const auto given = single_integer_of(node.input(3));
    const auto axis = data && given ? normalize_axis(*given, static_cast<std::int64_t>(data->size())) : std::nullopt;
    if (!axis || node.input_type(0).element_type == ElementType::boolean) return Replacement::declined();
    const Value places = unique_elements(rw, node.input(1), *data, static_cast<std::size_t>(*axis));
    if (!places) return Replacement::declined();
    Value update = node.input(2);
    if (op.use_init_val)
      update = combined(rw, op.reduction, rw.create(ops::GatherElements{.axis = *axis}, node.input(0), places), update);
    if (!update) return Replacement::declined();
    return rw.create(ops::v3::ScatterElementsUpdate{}, node.input(0), places, update, rw.scalar<std::int64_t>(*axis));
  });
}

/// The places start, start + step … before stop, by Python's rules.
Integers places_of(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t size) {
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = step > 0 ? size : size - 1;
  const auto bound = [&](std::int64_t v) { return std::clamp(v < 0 ? std::max(v, -size - 1) + size : v, least, most); };
  Integers places;
  const std::int64_t end = bound(stop);
  for (std::int64_t at = bound(start); step > 0 ? at < end : at > end; at += step) {
    places.push_back(at);
    if (step > size || step < -size) break;  // the next one is outside, and might not be a number
  }
  return places;
}

/// SliceScatter(data, updates, start, stop, step, axes) -> ScatterUpdate along each axis: of the slice along the first
/// axes, along the last axis.
RewriteRule slice_scatter() {
  return rewrite("SliceScatterDecomposition")
      .match(pattern::op<ops::SliceScatter>())
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto shape = node.input_type(0).shape.to_shape();
        const auto starts = integers_of(node.input(2));
        const auto stops = integers_of(node.input(3));
        const auto steps = integers_of(node.input(4));
        if (!shape || !starts || !stops || !steps || stops->size() != starts->size() || steps->size() != starts->size())
          return Replacement::declined();
        Integers axes(starts->size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
        if (node.input(5)) {
          const auto given = integers_of(node.input(5));
          if (!given || given->size() != axes.size()) return Replacement::declined();
          axes = *given;
        }
        if (axes.empty()) return Replacement::declined();
        std::vector<Value> slices = {node.input(0)};
        std::vector<Value> places;
        for (std::size_t i = 0; i < axes.size(); ++i) {
          const auto axis = normalize_axis(axes[i], static_cast<std::int64_t>(shape->size()));
          if (!axis || (*steps)[i] == 0 || (*shape)[static_cast<std::size_t>(*axis)] > kMostIndices)
            return Replacement::declined();
          axes[i] = *axis;
          const Integers chosen =
              places_of((*starts)[i], (*stops)[i], (*steps)[i], (*shape)[static_cast<std::size_t>(*axis)]);
          if (chosen.empty()) return Replacement::declined();
          places.push_back(rw.integers(chosen));
          if (i + 1 < axes.size())
            slices.push_back(
                rw.create(ops::v1::Gather{}, slices.back(), places.back(), rw.scalar<std::int64_t>(axes[i])));
        }
        Value updates = node.input(1);
        for (std::size_t i = axes.size(); i-- > 0;)
          updates = rw.create(ops::ScatterUpdate{}, slices[i], places[i], updates, rw.scalar<std::int64_t>(axes[i]));
        return updates;
      });
}

}  // namespace

/// Scatters that the target does not read, where their indices are known.
void register_lower_scatter(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerScatter")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(scatter_nd()))
                 .add(where_too_new(scatter_elements()))
                 .add(where_too_new(slice_scatter())));
}

}  // namespace mo::transformations
