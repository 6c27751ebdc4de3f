#include "ops/gather.hpp"

#include <limits>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/sizes.hpp"
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

/// Slices along `axis` after `batch` dimensions of both: the axis comes after the batch, both become one dimension, and
/// the indices count in it. [B, A, rest], [B, I] -> [B, I, rest]; what was between the batch and the axis goes back.
Expected<Outputs> gather_in_batches(Translation& t, std::int64_t batch, std::int64_t axis) {
  MO_ASSIGN(const std::int64_t rank, t.rank());
  MO_ASSIGN(const std::int64_t of_indices, t.rank(1));
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < batch; ++i) order.push_back(i);
  order.push_back(axis);
  for (std::int64_t i = batch; i < rank; ++i)
    if (i != axis) order.push_back(i);
  const Value data = axis == batch ? t.input(0) : t.transposed(t.input(0), order);
  const Value shape = t.op("Shape", {data});
  const Value rest = sizes::part(t, shape, 0, batch + 1, sizes::kAfterLast);
  const Value size = t.op("Gather", {shape, sizes::scalar(t, batch)}, {{"axis", 0}});
  const Value batches = t.op("ReduceProd", {sizes::part(t, shape, 0, 0, batch)}, {{"keepdims", 0}});
  const Value joined_dimension = t.op("Reshape", {t.op("Mul", {batches, size}), t.integers({1})});
  const Value flat = t.op("Reshape", {data, t.op("Concat", {joined_dimension, rest}, {{"axis", 0}})});
  const Value given = t.input_i64(1);
  const Value positive = t.op("Where", {t.op("Less", {given, sizes::scalar(t, 0)}), t.op("Add", {given, size}), given});
  const Value index_shape = t.op("Shape", {given});
  const std::vector<std::int64_t> single(static_cast<std::size_t>(of_indices - batch), 1);
  const Value first_shape =
      t.op("Concat", {sizes::part(t, index_shape, 0, 0, batch), t.integers(single)}, {{"axis", 0}});
  const Value first = t.op("Reshape", {t.op("Mul", {sizes::counted(t, batches), size}), first_shape});
  const Value gathered = t.op("Gather", {flat, t.op("Add", {positive, first})}, {{"axis", 0}});
  if (axis == batch) return Outputs{gathered};
  // [B, I, between, after] -> [B, between, I, after]
  std::vector<std::int64_t> back;
  const std::int64_t between = axis - batch;
  for (std::int64_t i = 0; i < batch; ++i) back.push_back(i);
  for (std::int64_t i = 0; i < between; ++i) back.push_back(of_indices + i);
  for (std::int64_t i = batch; i < of_indices; ++i) back.push_back(i);
  for (std::int64_t i = of_indices + between; i < of_indices + rank - batch - 1; ++i) back.push_back(i);
  return Outputs{t.transposed(gathered, back)};
}

template <class Op>
Expected<Outputs> gather(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.signed_axes(2));
  std::int64_t axis = axes.front();
  std::int64_t batch = 0;
  if constexpr (requires(const Op& op) { op.batch_dims; }) batch = t.node.as<Op>()->batch_dims;
  if (batch < 0) {
    MO_ASSIGN(const std::int64_t rank, t.rank(1));
    batch += rank;
  }
  if (batch == 0) return Outputs{t.op("Gather", {t.input(0), indices(t, 1)}, {{"axis", axis}})};
  if (axis < 0) {
    MO_ASSIGN(const std::int64_t data_rank, t.rank());
    axis += data_rank;
  }
  // Indices of one dimension after those of the batch: GatherND takes vectors of one index.
  if (axis != batch || t.opset < 12) return gather_in_batches(t, batch, axis);
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
    if (bounds.has_rank() && bounds.size() == 1 && bounds[0].is_known()) {
      std::vector<std::int64_t> all;
      for (std::int64_t axis = 0; axis < bounds[0].value(); ++axis) all.push_back(axis);
      axes = t.integers(all);
    } else {
      axes = sizes::counted(t, t.op("Gather", {t.op("Shape", {inputs[1]}), sizes::scalar(t, 0)}, {{"axis", 0}}));
    }
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

Expected<Outputs> scatter_nd(Translation& t) {
  return Outputs{t.op("ScatterND", {t.input(0), t.input_i64(1), t.input(2)})};
}

}  // namespace

void register_gather(OnnxForms& table) {
  table.add<ops::v1::Gather>(gather<ops::v1::Gather>);
  table.add<ops::v7::Gather>(gather<ops::v7::Gather>);
  table.add<ops::v8::Gather>(gather<ops::v8::Gather>);
  table.add<ops::GatherElements>(gather_elements);
  table.add<ops::v5::GatherND>(gather_nd<ops::v5::GatherND>);
  table.add<ops::v8::GatherND>(gather_nd<ops::v8::GatherND>);
  table.add<ops::Slice>(slice);
  table.add<ops::StridedSlice>(strided_slice);
  table.add<ops::v3::ScatterNDUpdate>(scatter_nd);
}

}  // namespace mo::onnx_emitter
