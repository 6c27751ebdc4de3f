#include "ops/pad.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// Places that grow, then the same backwards: 0, …, n - 1, n - 1, …, 0, … Gather takes the elements at them.
Value mirrored_axis(Translation& t, const Value& value, std::int64_t axis, const Dimension& size, std::int64_t before,
                    std::int64_t after) {
  if (size.is_known() && size.value() > 0) {
    const std::int64_t n = size.value();
    std::vector<std::int64_t> places;
    for (std::int64_t i = -before; i < n + after; ++i) {
      const std::int64_t at = ((i % (2 * n)) + 2 * n) % (2 * n);
      places.push_back(at < n ? at : 2 * n - 1 - at);
    }
    return t.op("Gather", {value, t.integers(places)}, {{"axis", axis}});
  }
  const Value n = t.op("Gather", {t.op("Shape", {t.input(0)}), sizes::scalar(t, axis)}, {{"axis", 0}});
  const Value period = t.op("Add", {n, n});
  const Value all =
      t.op("Range", {sizes::scalar(t, -before), t.op("Add", {n, sizes::scalar(t, after)}), sizes::scalar(t, 1)});
  const Value at = t.op("Mod", {all, period}, {{"fmod", 0}});
  const Value back = t.op("Sub", {t.op("Sub", {period, sizes::scalar(t, 1)}), at});
  return t.op("Gather", {value, t.op("Where", {t.op("Less", {at, n}), at, back})}, {{"axis", axis}});
}

/// ONNX reflects without the elements at the border only.
Expected<Outputs> symmetric_pad(Translation& t) {
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const auto before = integers_of(t.node.input(1));
  const auto after = integers_of(t.node.input(2));
  if (!before || !after || static_cast<std::int64_t>(std::min(before->size(), after->size())) < rank)
    return t.refused("the mode symmetric with computed pads");
  Value value = t.input(0);
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const auto place = static_cast<std::size_t>(axis);
    if ((*before)[place] == 0 && (*after)[place] == 0) continue;
    value = mirrored_axis(t, value, axis, t.node.input_type(0).shape[place], (*before)[place], (*after)[place]);
  }
  return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
}

/// Pads are one input: begins, then ends. A padding of another shape than a scalar is reshaped.
template <class Op>
Expected<Outputs> pad(Translation& t) {
  const auto& op = *t.node.as<Op>();
  const char* mode = "constant";
  if (op.pad_mode == ops::PadMode::edge) mode = "edge";
  if (op.pad_mode == ops::PadMode::reflect) mode = "reflect";
  if (op.pad_mode == ops::PadMode::symmetric) return symmetric_pad(t);
  const Value pads = t.op("Concat", {t.input_vector(1), t.input_vector(2)}, {{"axis", 0}});
  std::vector<Value> inputs{t.input(0), pads};
  if (op.pad_mode == ops::PadMode::constant && t.node.in_port_count() > 3 && t.input(3)) {
    const bool is_scalar = t.node.input_type(3).rank() == 0;
    inputs.push_back(is_scalar ? t.input(3) : t.op("Reshape", {t.input(3), t.integers({})}));
  }
  return Outputs{t.op("Pad", std::move(inputs), {{"mode", mode}})};
}

}  // namespace

void register_pad(OnnxForms& table) {
  table.add<ops::v1::Pad>(pad<ops::v1::Pad>);
  table.add<ops::v12::Pad>(pad<ops::v12::Pad>);
}

}  // namespace mo::onnx_emitter
