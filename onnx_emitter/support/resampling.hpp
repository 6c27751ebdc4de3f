#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "onnx_emitter/support/products.hpp"
#include "onnx_emitter/support/rounding.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/reference/interpolate.hpp"

/// Resizing along one axis after the other, for what Resize of ONNX does not express: the weights follow from the
/// sizes, so they are constants where the sizes are known.
namespace mo::onnx_emitter::resampling {

using Parameters = ops::reference::InterpolateParameters;
using Mode = ops::reference::InterpolateMode;

/// The most elements of a constant matrix.
inline constexpr std::int64_t kMostWeights = std::int64_t{1} << 24;

/// One axis: its length, and that of the result.
struct Axis {
  std::int64_t axis = 0;
  std::int64_t length = 0;
  std::int64_t result = 0;
  std::optional<float> scale;  ///< of a resized axis
};

/// The axes that are resized or padded, the last one first; nothing when a size is unknown.
inline std::optional<std::vector<Axis>> changed_axes(const Translation& t, const Parameters& parameters) {
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  if (!from.has_rank() || !to.has_rank()) return std::nullopt;
  std::vector<Axis> axes;
  for (std::size_t at = from.size(); at-- > 0;) {
    const auto axis = static_cast<std::int64_t>(at);
    const auto named = std::find(parameters.axes.begin(), parameters.axes.end(), axis);
    const bool is_padded = parameters.pads_begin[at] != 0 || parameters.pads_end[at] != 0;
    if (named == parameters.axes.end() && !is_padded) continue;
    if (!from[at].is_known() || !to[at].is_known()) return std::nullopt;
    Axis changed{axis, from[at].value(), to[at].value(), std::nullopt};
    if (named != parameters.axes.end())
      changed.scale = parameters.scales[static_cast<std::size_t>(named - parameters.axes.begin())];
    if (!is_padded && changed.length == changed.result && changed.scale.value_or(1) == 1) continue;
    axes.push_back(changed);
  }
  return axes;
}

/// What resizing makes of `data`, whose first dimension is the axis and whose second one is not resized.
inline Expected<Tensor> resized_rows(const Tensor& data, const Axis& axis, const Parameters& all) {
  const auto place = static_cast<std::size_t>(axis.axis);
  Parameters own = all;
  own.axes = {};
  own.scales = {};
  own.pads_begin = {all.pads_begin[place], 0};
  own.pads_end = {all.pads_end[place], 0};
  Shape shape{axis.result, data.shape()[1]};
  if (axis.scale) {
    own.axes = {0};
    own.scales = {*axis.scale};
  }
  MO_ASSIGN(Tensor result, Tensor::allocate(data.element_type(), std::move(shape)));
  MO_TRY(ops::reference::interpolate(data, result, own));
  return result;
}

/// Takes the elements that the mode nearest takes.
inline Expected<Value> picked(Translation& t, const Value& value, const Axis& axis, const Parameters& parameters) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(axis.length));
  std::iota(places.begin(), places.end(), 1);
  MO_ASSIGN(const Tensor numbers, from_integers(ElementType::i64, {axis.length, 1}, places));
  MO_ASSIGN(const Tensor taken, resized_rows(numbers, axis, parameters));
  MO_ASSIGN(std::vector<std::int64_t> indices, to_integers(taken));
  const bool has_padding = std::find(indices.begin(), indices.end(), 0) != indices.end();
  for (std::int64_t& index : indices) index = index == 0 ? axis.length : index - 1;
  Value from = value;
  if (has_padding) {  // an element of zeros after the last one
    const auto rank = static_cast<std::size_t>(*t.node.input_type(0).rank());
    std::vector<std::int64_t> pads(2 * rank, 0);
    pads[rank + static_cast<std::size_t>(axis.axis)] = 1;
    from = t.op("Pad", {from, t.integers(pads)});
  }
  return t.op("Gather", {from, t.integers(indices)}, {{"axis", axis.axis}});
}

/// Weighted sums: a product with a constant matrix [length, result].
inline Expected<Value> weighed(Translation& t, const Value& value, const Axis& axis, const Parameters& parameters,
                               ElementType type) {
  if (axis.length * axis.length > kMostWeights || axis.length * axis.result > kMostWeights)
    return t.refused("a resized axis of too many elements");
  std::vector<double> unit(static_cast<std::size_t>(axis.length * axis.length), 0.0);
  for (std::int64_t i = 0; i < axis.length; ++i) unit[static_cast<std::size_t>(i * (axis.length + 1))] = 1;
  MO_ASSIGN(const Tensor identity, from_reals(type, {axis.length, axis.length}, unit));
  MO_ASSIGN(const Tensor rows, resized_rows(identity, axis, parameters));  // [result, length]
  MO_ASSIGN(const std::vector<double> by_row, to_reals(rows));
  std::vector<double> weights(by_row.size());
  for (std::int64_t x = 0; x < axis.result; ++x)
    for (std::int64_t i = 0; i < axis.length; ++i)
      weights[static_cast<std::size_t>(i * axis.result + x)] = by_row[static_cast<std::size_t>(x * axis.length + i)];
  MO_ASSIGN(Tensor matrix, from_reals(type, {axis.length, axis.result}, weights));
  const auto rank = static_cast<std::int64_t>(*t.node.input_type(0).rank());
  return product_along(t, value, axis.axis, rank, t.constant(std::move(matrix)));
}

/// Resizes input 0 to the shape of the output. `why`: what Resize of ONNX does not express.
inline Expected<Outputs> resampled(Translation& t, const Parameters& parameters, std::string_view why) {
  const auto axes = changed_axes(t, parameters);
  if (!axes) return t.refused(std::string(why) + " with unknown sizes");
  const ElementType given = t.node.input_type(0).element_type;
  Value value = t.input(0);
  if (parameters.mode == Mode::nearest) {
    for (const Axis& axis : *axes) { MO_ASSIGN(value, picked(t, value, axis, parameters)); }
    return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
  }
  const bool is_pillow = parameters.mode == Mode::bilinear_pillow || parameters.mode == Mode::bicubic_pillow;
  const bool shrinks = std::any_of(axes->begin(), axes->end(), [](const Axis& a) { return a.scale.value_or(1) < 1; });
  const bool grows = std::any_of(axes->begin(), axes->end(), [](const Axis& a) { return a.scale.value_or(1) > 1; });
  if (parameters.antialias && shrinks && grows && !is_pillow)
    return t.refused("antialiasing where one axis shrinks and another grows");
  const ElementType type = given == ElementType::f64 ? given : ElementType::f32;
  if (given != type) value = t.cast(value, type);
  for (const Axis& axis : *axes) {
    MO_ASSIGN(value, weighed(t, value, axis, parameters, type));
    // Pillow stores pixels after each axis.
    if (is_pillow && !is_real(given)) value = saturated(t, rounded_away(t, value, type), type, given);
  }
  if (parameters.mode == Mode::linear && !is_real(given)) value = rounded_away(t, value, type);
  if (given == type) return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
  return Outputs{t.cast(saturated(t, value, type, given), given)};
}

}  // namespace mo::onnx_emitter::resampling
