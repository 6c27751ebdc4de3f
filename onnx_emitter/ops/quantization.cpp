#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/fake_quantize.hpp"

namespace mo::onnx_emitter {
namespace {

constexpr std::int64_t kMostLimits = 1 << 20;

/// Limits as numbers, when all of them are constants.
struct QuantizationLimits {
  std::vector<double> low;
  std::vector<double> high;
};

std::optional<QuantizationLimits> known_limits(const Translation& t, std::size_t first) {
  auto low = reals_of(t.node.input(first), kMostLimits);
  auto high = reals_of(t.node.input(first + 1), kMostLimits);
  if (!low || !high || low->empty() || high->empty()) return std::nullopt;
  return QuantizationLimits{*std::move(low), *std::move(high)};
}

/// Each low limit is less than all the high ones that it meets.
bool are_in_order(const Translation& t, const QuantizationLimits& limits) {
  if (t.node.input_type(1).shape == t.node.input_type(2).shape)
    return std::equal(limits.low.begin(), limits.low.end(), limits.high.begin(), std::less<>());
  return *std::max_element(limits.low.begin(), limits.low.end()) <
         *std::min_element(limits.high.begin(), limits.high.end());
}

/// What QuantizeLinear and DequantizeLinear need.
struct LinearGrid {
  std::vector<double> scales;
  std::vector<std::int64_t> zero_points;  ///< among 0 … 255
  std::optional<std::int64_t> axis;       ///< of one scale for each channel
};

/// The only dimension of the limits that is not 1, counted in the data; nothing when the limits are not all of one
/// shape. -1: one number.
std::optional<std::int64_t> axis_of_limits(const Translation& t) {
  const auto rank = t.node.input_type(0).rank();
  const PartialShape& shape = t.node.input_type(1).shape;
  if (!rank || !shape.is_static()) return std::nullopt;
  for (std::size_t i = 2; i < 5; ++i)
    if (t.node.input_type(i).shape != shape) return std::nullopt;
  std::int64_t axis = -1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == Dimension(1)) continue;
    if (axis != -1) return std::nullopt;
    axis = *rank - static_cast<std::int64_t>(shape.size()) + static_cast<std::int64_t>(i);
  }
  return axis;
}

/// The grid of 256 levels when the operators give the same: the output range is the input range, and the zero point is
/// a whole number. It is even, too: halves are rounded to even before it is added.
std::optional<LinearGrid> linear_grid(const Translation& t, const ops::FakeQuantize& op) {
  constexpr std::int64_t kLevels = 256;
  constexpr double kSmallestScale = 1e-30;
  constexpr double kRounding = 1e-4;  // in steps; computing a step in f32 is not more exact
  if (op.levels != kLevels || op.auto_broadcast == ops::AutoBroadcast::pdpd) return std::nullopt;
  const auto in = known_limits(t, 1);
  const auto out = known_limits(t, 3);
  const auto axis = axis_of_limits(t);
  if (!in || !out || !axis || in->low != out->low || in->high != out->high) return std::nullopt;
  if (*axis != -1 && t.opset < 13) return std::nullopt;
  LinearGrid grid;
  if (*axis != -1) grid.axis = *axis;
  for (std::size_t i = 0; i < in->low.size(); ++i) {
    const double scale = (in->high[i] - in->low[i]) / (kLevels - 1);
    const double zero_point = -in->low[i] / scale;
    const double whole = std::nearbyint(zero_point);
    const bool is_usable = std::isfinite(scale) && scale > kSmallestScale && whole >= 0 && whole < kLevels &&
                           std::abs(zero_point - whole) < kRounding && std::fmod(whole, 2) == 0;
    if (!is_usable) return std::nullopt;
    grid.scales.push_back(scale);
    grid.zero_points.push_back(static_cast<std::int64_t>(whole));
  }
  return grid;
}

/// u8, or i8 where all zero points are 0 then.
Value quantized_linearly(Translation& t, const Value& data, const LinearGrid& grid) {
  constexpr std::int64_t kMiddle = 128;
  const bool is_symmetric = std::all_of(grid.zero_points.begin(), grid.zero_points.end(),
                                        [](std::int64_t point) { return point == kMiddle; });
  std::vector<std::int64_t> points = grid.zero_points;
  if (is_symmetric) std::fill(points.begin(), points.end(), 0);
  const Shape shape = grid.axis ? Shape{static_cast<std::int64_t>(points.size())} : Shape{};
  const Value scale = t.constant(*from_reals(ElementType::f32, shape, grid.scales));
  const Value zero = t.constant(*from_integers(is_symmetric ? ElementType::i8 : ElementType::u8, shape, points));
  AttributeMap attributes;
  if (grid.axis) attributes.set("axis", *grid.axis);
  const Value quantized = t.op("QuantizeLinear", {data, scale, zero}, attributes);
  return t.op("DequantizeLinear", {quantized, scale, zero}, attributes);
}

/// Of the arithmetic: the limits in its type.
struct LevelLimits {
  Value input_low, input_high, output_low, output_high;
};

/// round((x - input_low) / (input_high - input_low) * (levels - 1)) / (levels - 1) * (output_high - output_low)
///   + output_low
Value on_levels(Translation& t, const Value& x, const LevelLimits& limits, std::int64_t levels, ElementType type) {
  const Value steps = t.scalar(type, static_cast<double>(levels - 1));
  const Value from_low = t.op("Sub", {x, limits.input_low});
  const Value share = t.op("Div", {from_low, t.op("Sub", {limits.input_high, limits.input_low})});
  const Value level = t.op("Round", {t.op("Mul", {share, steps})});
  const Value height = t.op("Sub", {limits.output_high, limits.output_low});
  return t.op("Add", {t.op("Mul", {t.op("Div", {level, steps}), height}), limits.output_low});
}

/// x <= limit
Value is_at_most(Translation& t, const Value& x, const Value& limit) {
  if (t.opset >= 12) return t.op("LessOrEqual", {x, limit});
  return t.op("Or", {t.op("Less", {x, limit}), t.op("Equal", {x, limit})});
}

/// FakeQuantize-1: up to the smaller input limit output_low, above the larger one output_high, else the nearest level.
/// When input_low < input_high, limiting x first does the same.
Value by_arithmetic(Translation& t, const ops::FakeQuantize& op, const Value& x, ElementType type) {
  const auto limit = [&](std::size_t i) {
    const Value given = t.aligned(i, op.auto_broadcast, op.auto_broadcast_axis);
    return t.node.input_type(i).element_type == type ? given : t.cast(given, type);
  };
  const LevelLimits limits{limit(1), limit(2), limit(3), limit(4)};
  const auto known = known_limits(t, 1);
  if (known && are_in_order(t, *known)) {
    const bool is_single = known->low.size() == 1 && known->high.size() == 1;
    const Value limited =
        is_single && type == ElementType::f32
            ? t.op("Clip", {x, t.scalar(type, known->low.front()), t.scalar(type, known->high.front())})
            : t.op("Min", {t.op("Max", {x, limits.input_low}), limits.input_high});
    return on_levels(t, limited, limits, op.levels, type);
  }
  const Value smaller = t.op("Min", {limits.input_low, limits.input_high});
  const Value larger = t.op("Max", {limits.input_low, limits.input_high});
  const Value inside = on_levels(t, x, limits, op.levels, type);
  const Value up_to_high = t.op("Where", {t.op("Greater", {x, larger}), limits.output_high, inside});
  return t.op("Where", {is_at_most(t, x, smaller), limits.output_low, up_to_high});
}

/// Computes in the type of the limits, half types in f32.
Expected<Outputs> fake_quantize(Translation& t) {
  const auto& op = *t.node.as<ops::FakeQuantize>();
  const ElementType given = t.node.input_type(0).element_type;
  const ElementType type = t.node.input_type(1).element_type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  const Value x = sizes::typed_input(t, 0, type);
  const auto grid = type == ElementType::f32 ? linear_grid(t, op) : std::nullopt;
  const Value result = grid ? quantized_linearly(t, x, *grid) : by_arithmetic(t, op, x, type);
  return Outputs{given == type ? result : t.cast(result, given)};
}

}  // namespace

void register_quantization(OnnxForms& table) { table.add<ops::FakeQuantize>(fake_quantize); }

}  // namespace mo::onnx_emitter
