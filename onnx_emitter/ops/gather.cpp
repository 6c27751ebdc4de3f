#include "ops/gather.hpp"

#include <limits>

#include "core/graph/values.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/gather_elements.hpp"
#include "ops/gather_nd.hpp"
#include "ops/reverse.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/strided_slice.hpp"

namespace mo::onnx_emitter {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBeforeStart = std::numeric_limits<std::int64_t>::min();

/// Indices are i32 or i64.
Value indices(Translation& t, std::size_t i) {
  const ElementType type = t.node.input_type(i).element_type;
  return type == ElementType::i32 ? t.input(i) : t.input_i64(i);
}

template <class Op>
Expected<Outputs> gather(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(2));
  const std::int64_t axis = axes.front();
  std::int64_t batch = 0;
  if constexpr (requires(const Op& op) { op.batch_dims; }) batch = t.node.as<Op>()->batch_dims;
  if (batch < 0) {
    MO_ASSIGN(const std::int64_t rank, t.rank(1));
    batch += rank;
  }
  if (batch == 0) return Outputs{t.op("Gather", {t.input(0), indices(t, 1)}, {{"axis", axis}})};
  // Indices of one dimension after those of the batch: GatherND takes vectors of one index.
  if (axis != batch || t.opset < 12) return t.refused("batch dimensions before another axis");
  MO_ASSIGN(const std::int64_t rank, t.rank(1));
  const Value vectors = t.with_axes("Unsqueeze", t.input_i64(1), {rank});
  return Outputs{t.op("GatherND", {t.input(0), vectors}, {{"batch_dims", batch}})};
}

Expected<Outputs> gather_elements(Translation& t) {
  const std::int64_t axis = t.node.as<ops::GatherElements>()->axis;
  return Outputs{t.op("GatherElements", {t.input(0), indices(t, 1)}, {{"axis", axis}})};
}

/// Class 5 makes one dimension of those of the batch.
template <class Op>
Expected<Outputs> gather_nd(Translation& t) {
  const std::int64_t batch = t.node.as<Op>()->batch_dims;
  if (batch != 0 && t.opset < 12) return t.needs_opset(12);
  AttributeMap attributes;
  if (batch != 0) attributes.set("batch_dims", batch);
  const Value gathered = t.op("GatherND", {t.input(0), t.input_i64(1)}, std::move(attributes));
  if (std::is_same_v<Op, ops::v8::GatherND> || batch < 2) return Outputs{gathered};
  const auto shape = t.node.output_type().shape.to_shape();
  if (!shape) return t.refused("several batch dimensions of unknown sizes");
  return Outputs{t.op("Reshape", {gathered, t.integers({shape->begin(), shape->end()})})};
}

Expected<Outputs> slice(Translation& t) {
  std::vector<Value> inputs{t.input(0), t.input_vector(1), t.input_vector(2)};
  Value axes = t.node.in_port_count() > 4 ? t.input_vector(4) : Value();
  if (!axes) {
    const PartialShape& bounds = t.node.input_type(1).shape;
    if (!bounds.has_rank() || bounds.size() == 0 || !bounds[0].is_known())
      return t.refused("the number of its bounds is unknown");
    std::vector<std::int64_t> all;
    for (std::int64_t axis = 0; axis < bounds[0].value(); ++axis) all.push_back(axis);
    axes = t.integers(all);
  }
  inputs.push_back(axes);
  inputs.push_back(t.input_vector(3));
  return Outputs{t.op("Slice", std::move(inputs))};
}

/// What the masks of a StridedSlice say for each of its places, once bounds are known.
struct Bounds {
  std::vector<std::int64_t> begin, end, step, axes;  ///< of dimensions that are cut
  std::vector<std::int64_t> inserted;                ///< places of new dimensions, in the result with the dropped ones
  std::vector<std::int64_t> dropped;                 ///< dimensions of the data
};

bool is_set(const std::vector<std::int64_t>& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }

Expected<Bounds> bounds_of(const Translation& t) {
  const auto& op = *t.node.as<ops::StridedSlice>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const auto begin = integers_of(t.node.input(1));
  const auto end = integers_of(t.node.input(2));
  const bool has_steps = t.node.in_port_count() > 3 && t.node.input(3);
  const auto steps =
      has_steps ? integers_of(t.node.input(3)) : std::optional(std::vector<std::int64_t>(begin ? begin->size() : 0, 1));
  if (!begin || !end || !steps) return t.refused("its bounds are computed");
  std::int64_t taken = 0;  // dimensions of the data that places name
  for (std::size_t i = 0; i < begin->size(); ++i)
    taken += !is_set(op.ellipsis_mask, i) && !is_set(op.new_axis_mask, i) ? 1 : 0;
  Bounds found;
  std::int64_t axis = 0;
  for (std::size_t i = 0; i < begin->size(); ++i) {
    if (is_set(op.ellipsis_mask, i)) {
      axis += rank - taken;
      continue;
    }
    if (is_set(op.new_axis_mask, i)) {
      found.inserted.push_back(axis + static_cast<std::int64_t>(found.inserted.size()));
      continue;
    }
    const std::int64_t step = (*steps)[i];
    const std::int64_t from = is_set(op.begin_mask, i) ? (step < 0 ? kEnd : 0) : (*begin)[i];
    if (is_set(op.shrink_axis_mask, i)) {
      const std::int64_t at = (*begin)[i];
      found.begin.push_back(at);
      found.end.push_back(at == -1 ? kEnd : at + 1);
      found.step.push_back(1);
      found.axes.push_back(axis);
      found.dropped.push_back(axis);
    } else {
      const std::int64_t to = is_set(op.end_mask, i) ? (step < 0 ? kBeforeStart : kEnd) : (*end)[i];
      if (from != 0 || to != kEnd || step != 1) {
        found.begin.push_back(from);
        found.end.push_back(to);
        found.step.push_back(step);
        found.axes.push_back(axis);
      }
    }
    ++axis;
  }
  return found;
}

/// One number for each place: `masked` where the mask is set, otherwise the element of `computed`.
Value unmasked(Translation& t, const Value& computed, const std::vector<std::int64_t>& mask, std::size_t count,
               const std::vector<std::int64_t>& masked) {
  if (std::none_of(mask.begin(), mask.end(), [](std::int64_t bit) { return bit != 0; })) return computed;
  std::vector<std::int64_t> bits;
  for (std::size_t i = 0; i < count; ++i) bits.push_back(is_set(mask, i) ? 1 : 0);
  return t.op("Where", {t.cast(t.integers(bits), ElementType::boolean), t.integers(masked), computed});
}

/// The same where bounds are computed, for known steps, without new dimensions and ellipsis.
Expected<Outputs> computed_slice(Translation& t) {
  const auto& op = *t.node.as<ops::StridedSlice>();
  const auto any = [](const std::vector<std::int64_t>& mask) {
    return std::any_of(mask.begin(), mask.end(), [](std::int64_t bit) { return bit != 0; });
  };
  if (any(op.new_axis_mask) || any(op.ellipsis_mask)) return t.refused("computed bounds beside new dimensions");
  const PartialShape& places = t.node.input_type(1).shape;
  if (!places.has_rank() || places.size() != 1 || !places[0].is_known())
    return t.refused("the number of its bounds is unknown");
  const auto count = static_cast<std::size_t>(places[0].value());
  const bool has_steps = t.node.in_port_count() > 3 && t.node.input(3);
  const auto steps = has_steps ? integers_of(t.node.input(3)) : std::optional(std::vector<std::int64_t>(count, 1));
  if (!steps || steps->size() != count) return t.refused("its steps are computed");
  std::vector<std::int64_t> first, last, step, axes, dropped;
  for (std::size_t i = 0; i < count; ++i) {
    const bool shrinks = is_set(op.shrink_axis_mask, i);
    step.push_back(shrinks ? 1 : (*steps)[i]);
    first.push_back(step.back() < 0 ? kEnd : 0);
    last.push_back(step.back() < 0 ? kBeforeStart : kEnd);
    axes.push_back(static_cast<std::int64_t>(i));
    if (shrinks) dropped.push_back(axes.back());
  }
  std::vector<std::int64_t> begin_mask = op.begin_mask;
  begin_mask.resize(count, 0);
  for (const std::int64_t axis : dropped) begin_mask[static_cast<std::size_t>(axis)] = 0;
  const Value begin = unmasked(t, t.input_vector(1), begin_mask, count, first);
  Value end = unmasked(t, t.input_vector(2), op.end_mask, count, last);
  if (!dropped.empty()) {  // one element from `begin` on: nothing counts from the back beyond the last one
    const Value next = t.op("Add", {begin, t.integers({1})});
    const Value is_last = t.op("Equal", {begin, t.integers({-1})});
    const Value after = t.op("Where", {is_last, t.integers({kEnd}), next});
    std::vector<std::int64_t> bits(count, 0);
    for (const std::int64_t axis : dropped) bits[static_cast<std::size_t>(axis)] = 1;
    end = t.op("Where", {t.cast(t.integers(bits), ElementType::boolean), after, end});
  }
  const Value cut = t.op("Slice", {t.input(0), begin, end, t.integers(axes), t.integers(step)});
  return Outputs{dropped.empty() ? cut : t.with_axes("Squeeze", cut, dropped)};
}

/// Slice, then the new dimensions, then without those that are dropped.
Expected<Outputs> strided_slice(Translation& t) {
  if (!integers_of(t.node.input(1)) || !integers_of(t.node.input(2))) return computed_slice(t);
  MO_ASSIGN(const Bounds bounds, bounds_of(t));
  Value value = t.input(0);
  if (!bounds.axes.empty())
    value = t.op("Slice", {value, t.integers(bounds.begin), t.integers(bounds.end), t.integers(bounds.axes),
                           t.integers(bounds.step)});
  if (!bounds.inserted.empty()) value = t.with_axes("Unsqueeze", value, bounds.inserted);
  if (!bounds.dropped.empty()) {
    std::vector<std::int64_t> places;
    for (std::int64_t axis : bounds.dropped) {
      for (const std::int64_t place : bounds.inserted) axis += place <= axis ? 1 : 0;
      places.push_back(axis);
    }
    value = t.with_axes("Squeeze", value, places);
  }
  return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
}

/// A reduction that the operator has since an op set; nothing for one that it has in none.
std::optional<std::pair<const char*, std::int64_t>> reduction_of(ops::v12::ElementsReduction reduction) {
  using Reduction = ops::v12::ElementsReduction;
  switch (reduction) {
    case Reduction::none: return {{"none", 11}};
    case Reduction::sum: return {{"add", 16}};
    case Reduction::prod: return {{"mul", 16}};
    case Reduction::min: return {{"min", 18}};
    case Reduction::max: return {{"max", 18}};
    case Reduction::mean: break;
  }
  return std::nullopt;
}

Expected<Outputs> scatter(Translation& t, const char* reduction, std::int64_t since) {
  if (t.opset < since) return t.needs_opset(since);
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(3));
  AttributeMap attributes{{"axis", axes.front()}};
  if (since > 11) attributes.set("reduction", reduction);
  return Outputs{t.op("ScatterElements", {t.input(0), indices(t, 1), t.input(2)}, std::move(attributes))};
}

Expected<Outputs> scatter_elements(Translation& t) { return scatter(t, "none", 11); }

Expected<Outputs> scatter_elements_reduced(Translation& t) {
  const auto& op = *t.node.as<ops::v12::ScatterElementsUpdate>();
  const auto reduction = reduction_of(op.reduction);
  if (!reduction) return t.refused("the mean of updates");
  if (!op.use_init_val && op.reduction != ops::v12::ElementsReduction::none)
    return t.refused("a reduction without the numbers that are there");
  return scatter(t, reduction->first, reduction->second);
}

Expected<Outputs> scatter_nd(Translation& t) {
  return Outputs{t.op("ScatterND", {t.input(0), t.input_i64(1), t.input(2)})};
}

}  // namespace

void register_gather(TranslatorTable& table) {
  table.add<ops::v1::Gather>(gather<ops::v1::Gather>);
  table.add<ops::v7::Gather>(gather<ops::v7::Gather>);
  table.add<ops::v8::Gather>(gather<ops::v8::Gather>);
  table.add<ops::GatherElements>(gather_elements);
  table.add<ops::v5::GatherND>(gather_nd<ops::v5::GatherND>);
  table.add<ops::v8::GatherND>(gather_nd<ops::v8::GatherND>);
  table.add<ops::Slice>(slice);
  table.add<ops::StridedSlice>(strided_slice);
  table.add<ops::v3::ScatterElementsUpdate>(scatter_elements);
  table.add<ops::v12::ScatterElementsUpdate>(scatter_elements_reduced);
  table.add<ops::v3::ScatterNDUpdate>(scatter_nd);
}

}  // namespace mo::onnx_emitter
