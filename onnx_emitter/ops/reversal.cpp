#include <algorithm>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/reverse.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/roll.hpp"

namespace mo::onnx_emitter {
namespace {

/// The axes that input 1 lists, each once, or marks.
Expected<std::vector<std::int64_t>> reversed_axes(const Translation& t) {
  if (t.node.as<ops::Reverse>()->mode == ops::ReverseMode::index) {
    MO_ASSIGN(std::vector<std::int64_t> axes, t.axes(1));
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
  }
  const auto mask = integers_of(t.node.input(1));
  if (!mask) return t.refused("its axes are computed");
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < mask->size(); ++axis)
    if ((*mask)[axis] != 0) axes.push_back(static_cast<std::int64_t>(axis));
  return axes;
}

/// A Slice from the last element to before the first.
Expected<Outputs> reverse(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, reversed_axes(t));
  if (axes.empty()) return Outputs{t.op("Identity", {t.input(0)})};
  const std::vector<std::int64_t> minus_one(axes.size(), -1);
  const std::vector<std::int64_t> ends(axes.size(), sizes::kBeforeFirst);
  const Value steps = t.integers(minus_one);
  return Outputs{t.op("Slice", {t.input(0), steps, t.integers(ends), t.integers(axes), steps})};
}

/// The operator has batch and sequence in dimensions 0 and 1, in either order.
Expected<Outputs> reverse_sequence(Translation& t) {
  const auto& op = *t.node.as<ops::ReverseSequence>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const std::int64_t batch = op.batch_axis < 0 ? op.batch_axis + rank : op.batch_axis;
  const std::int64_t along = op.seq_axis < 0 ? op.seq_axis + rank : op.seq_axis;
  if (batch == along) return t.refused("batch and sequence are the same dimension");
  const auto reversed = [&](const Value& data, std::int64_t batch_axis, std::int64_t time_axis) {
    return t.op("ReverseSequence", {data, t.input_i64(1)}, {{"batch_axis", batch_axis}, {"time_axis", time_axis}});
  };
  if (batch <= 1 && along <= 1) return Outputs{reversed(t.input(0), batch, along)};
  std::vector<std::int64_t> order{batch, along};
  for (std::int64_t axis = 0; axis < rank; ++axis)
    if (axis != batch && axis != along) order.push_back(axis);
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return Outputs{t.transposed(reversed(t.transposed(t.input(0), order), 0, 1), back)};
}

/// The end, then the beginning.
Value rolled_by(Translation& t, const Value& value, std::int64_t axis, std::int64_t size, std::int64_t shift) {
  const std::int64_t cut = size - (shift % size + size) % size;
  if (cut == size) return value;
  return t.op("Concat", {sizes::part(t, value, axis, cut, sizes::kAfterLast), sizes::part(t, value, axis, 0, cut)},
              {{"axis", axis}});
}

/// Element (i - shift) mod size for each place i.
Value rolled_by_computed(Translation& t, const Value& value, std::int64_t axis, const Value& shift) {
  const Value size = t.op("Gather", {t.op("Shape", {t.input(0)}), sizes::scalar(t, axis)}, {{"axis", 0}});
  const Value places = t.op("Mod", {t.op("Sub", {sizes::counted(t, size), shift}), size}, {{"fmod", 0}});
  return t.op("Gather", {value, places}, {{"axis", axis}});
}

/// One axis after the other: shifts of an axis that is named twice add up.
Expected<Outputs> roll(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(2));
  const auto known = integers_of(t.node.input(1));
  const PartialShape& list = t.node.input_type(1).shape;
  const auto count = list.element_count();
  if (!count) return t.refused("the number of its shifts is unknown");
  const bool is_shared = *count == 1;
  if (!is_shared && *count != static_cast<std::int64_t>(axes.size()))
    return t.refused("its numbers of shifts and axes differ");
  const PartialShape& shape = t.node.input_type(0).shape;
  Value value = t.input(0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dimension& size = shape[static_cast<std::size_t>(axes[i])];
    if (size == Dimension(0)) continue;
    if (known && size.is_known()) {
      value = rolled_by(t, value, axes[i], size.value(), (*known)[is_shared ? 0 : i]);
      continue;
    }
    const auto place = static_cast<std::int64_t>(i);
    const Value shifts = t.input_vector(1);
    const Value shift = is_shared ? shifts : sizes::part(t, shifts, 0, place, place + 1);
    value = rolled_by_computed(t, value, axes[i], shift);
  }
  return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
}

}  // namespace

void register_reversal(OnnxForms& table) {
  table.add<ops::Reverse>(reverse);
  table.add<ops::ReverseSequence>(reverse_sequence);
  table.add<ops::Roll>(roll);
}

}  // namespace mo::onnx_emitter
