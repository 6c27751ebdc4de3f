#include "ops/deformable_convolution.hpp"

#include <algorithm>
#include <array>

#include "onnx_emitter/support/detection.hpp"
#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {
namespace {

/// Pads before all spatial axes, then after them.
Expected<std::vector<std::int64_t>> deformable_pads(Translation& t, const ops::v1::DeformableConvolution& op,
                                                    const std::vector<std::int64_t>& kernel,
                                                    const std::vector<std::int64_t>& strides,
                                                    const std::vector<std::int64_t>& dilations) {
  std::vector<std::int64_t> pads(4, 0);
  if (op.auto_pad == ops::AutoPad::valid) return pads;
  for (std::size_t i = 0; i < 2; ++i) {
    if (op.auto_pad == ops::AutoPad::explicit_pads) {
      if (!op.pads_begin.empty()) pads[i] = op.pads_begin[i];
      if (!op.pads_end.empty()) pads[i + 2] = op.pads_end[i];
      continue;
    }
    const auto size = detection::known_size(t, 0, i + 2);
    if (!size) return t.refused("pads of an image of unknown size");
    const std::int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
    const std::int64_t places = (*size + strides[i] - 1) / strides[i];
    const std::int64_t total = std::max<std::int64_t>(0, (places - 1) * strides[i] + reach - *size);
    pads[i] = op.auto_pad == ops::AutoPad::same_upper ? total / 2 : total - total / 2;
    pads[i + 2] = total - pads[i];
  }
  return pads;
}

struct DeformedWindow {
  std::vector<std::int64_t> kernel, strides, dilations, pads;
  bool pads_smoothly = false;  ///< samples between the data and the zeros around them are mixed

  std::int64_t elements() const { return kernel[0] * kernel[1]; }
};

/// The places of samples along one dimension, which offsets have moved: the two elements around each place, and the
/// weight of the second one. All [N, groups * kernel, height, width].
struct DeformedPlaces {
  std::array<Value, 2> elements;  ///< i64, inside of the data
  std::array<Value, 2> weights;   ///< 0 outside
};

DeformedPlaces deformed_places(Translation& t, const DeformedWindow& window, std::int64_t groups, std::size_t i,
                               const Value& offsets, const Value& count) {
  const std::int64_t axis = static_cast<std::int64_t>(i);
  std::vector<double> inside_kernel;
  for (std::int64_t d = 0; d < groups * window.elements(); ++d) {
    const std::int64_t k = d % window.elements();
    const std::int64_t along = i == 0 ? k / window.kernel[1] : k % window.kernel[1];
    inside_kernel.push_back(static_cast<double>(along * window.dilations[i] - window.pads[i]));
  }
  const Value numbers = t.cast(sizes::counted(t, count), ElementType::f32);
  const Value steps = t.op("Mul", {numbers, detection::real(t, static_cast<double>(window.strides[i]))});
  const Value starts = i == 0 ? t.with_axes("Unsqueeze", steps, {1}) : steps;
  const Value in_kernel = detection::reals(t, {groups * window.elements(), 1, 1}, inside_kernel);
  const Value place = t.op("Add", {offsets, t.op("Add", {in_kernel, starts})});
  const Value size = t.cast(sizes::part(t, t.op("Shape", {t.input(0)}), 0, axis + 2, axis + 3), ElementType::f32);
  const Value zero = detection::real(t, 0);
  const Value one = detection::real(t, 1);
  const Value last = t.op("Sub", {size, one});
  const Value not_before = window.pads_smoothly ? t.op("Greater", {place, detection::real(t, -1)})
                                                : t.op("Not", {t.op("Less", {place, zero})});
  const Value is_inside = t.cast(t.op("And", {not_before, t.op("Less", {place, size})}), ElementType::f32);
  const Value low = t.op("Floor", {place});
  const Value part = t.op("Sub", {place, low});
  DeformedPlaces found;
  for (std::size_t corner = 0; corner < 2; ++corner) {
    Value at = corner == 0 ? low : t.op("Add", {low, one});
    if (!window.pads_smoothly) at = t.op("Min", {at, last});
    const Value is_outside = t.op("Or", {t.op("Less", {at, zero}), t.op("Greater", {at, last})});
    const Value is_there = t.op("Mul", {is_inside, t.cast(t.op("Not", {is_outside}), ElementType::f32)});
    found.weights[corner] = t.op("Mul", {corner == 0 ? t.op("Sub", {one, part}) : part, is_there});
    found.elements[corner] = t.cast(t.op("Max", {t.op("Min", {at, last}), zero}), ElementType::i64);
  }
  return found;
}

/// Samples of the data as columns, four weighted elements each, and a product with the filters.
Expected<Outputs> sampled_convolution(Translation& t, const ops::v1::DeformableConvolution& op,
                                      const DeformedWindow& window) {
  const auto channels = detection::known_size(t, 2, 1);
  if (!channels) return t.refused("filters of unknown size");
  const std::int64_t groups = op.deformable_group;
  const Value shape = t.op("Shape", {t.input(0)});
  const Value offset_shape = t.op("Shape", {t.input(1)});
  const auto size = [&](const Value& of, std::int64_t axis) { return sizes::part(t, of, 0, axis, axis + 1); };
  const Value batch = size(shape, 0);
  const Value places = sizes::part(t, offset_shape, 0, 2, 4);
  const auto in_shape = [&](const Value& value, std::vector<Value> parts) {
    return t.op("Reshape", {value, detection::joined(t, std::move(parts), 0)});
  };
  const Value pairs = in_shape(detection::in_f32(t, 1), {batch, t.integers({groups * window.elements(), 2}), places});
  const Outputs moved = detection::parts(t, pairs, 2, {1, 1});
  std::array<DeformedPlaces, 2> along;
  for (std::size_t i = 0; i < 2; ++i) {
    const Value count = t.op("Gather", {places, sizes::scalar(t, static_cast<std::int64_t>(i))}, {{"axis", 0}});
    along[i] = deformed_places(t, window, groups, i, t.with_axes("Squeeze", moved[i], {2}), count);
  }
  const Value area = t.op("Mul", {size(shape, 2), size(shape, 3)});
  const Value data = in_shape(detection::in_f32(t, 0), {batch, t.integers({groups, -1}), area});
  const Value each = t.op("Div", {size(shape, 1), t.integers({groups})});
  const Value samples = t.op("Mul", {t.op("Mul", {size(places, 0), size(places, 1)}), t.integers({window.elements()})});
  const Value index_shape = detection::joined(t, {batch, t.integers({groups}), each, samples}, 0);
  Value columns;
  for (std::size_t corner = 0; corner < 4; ++corner) {
    const std::size_t y = corner / 2;
    const std::size_t x = corner % 2;
    const Value row = t.op("Mul", {along[0].elements[y], size(shape, 3)});
    const Value place = in_shape(t.op("Add", {row, along[1].elements[x]}), {batch, t.integers({groups, 1, -1})});
    Value weight = t.op("Mul", {along[0].weights[y], along[1].weights[x]});
    if (t.input(3)) weight = t.op("Mul", {weight, detection::in_f32(t, 3)});
    const Value found = t.op("GatherElements", {data, t.op("Expand", {place, index_shape})}, {{"axis", 3}});
    const Value weighted = t.op("Mul", {found, in_shape(weight, {batch, t.integers({groups, 1, -1})})});
    columns = columns ? t.op("Add", {columns, weighted}) : weighted;
  }
  const std::int64_t depth = *channels * window.elements();
  const Value by_group =
      in_shape(columns, {batch, t.integers({op.group, depth}), t.op("Mul", {size(places, 0), size(places, 1)})});
  const Value filters = detection::reshaped(t, detection::in_f32(t, 2), {op.group, -1, depth});
  const Value sums = t.op("MatMul", {filters, by_group});
  const Value image = in_shape(sums, {batch, t.integers({-1}), places});
  return Outputs{detection::as_output(t, image)};
}

/// The operator interpolates between the data and zeros around them.
Expected<Outputs> deformable_convolution(Translation& t, const ops::v1::DeformableConvolution& op, bool pads_smoothly) {
  if (!is_real(t.node.output_type().element_type)) return t.refused("integers");
  std::vector<std::int64_t> kernel;
  for (std::size_t axis = 2; axis < 4; ++axis) {
    const auto size = detection::known_size(t, 2, axis);
    if (!size) return t.refused("filters of unknown size");
    kernel.push_back(*size);
  }
  const std::vector<std::int64_t> ones(2, 1);
  const std::vector<std::int64_t> strides = op.strides.empty() ? ones : op.strides;
  const std::vector<std::int64_t> dilations = op.dilations.empty() ? ones : op.dilations;
  MO_ASSIGN(const std::vector<std::int64_t> pads, deformable_pads(t, op, kernel, strides, dilations));
  if (!pads_smoothly || t.opset < 19)
    return sampled_convolution(t, op, {kernel, strides, dilations, pads, pads_smoothly});
  std::vector<Value> inputs{t.input(0), t.input(2), t.input(1)};
  if (const Value mask = t.input(3)) {
    inputs.push_back(Value());  // no bias
    inputs.push_back(mask);
  }
  return Outputs{t.op("DeformConv", std::move(inputs),
                      {{"kernel_shape", kernel},
                       {"strides", strides},
                       {"dilations", dilations},
                       {"pads", pads},
                       {"group", op.group},
                       {"offset_group", op.deformable_group}})};
}

Expected<Outputs> deformable_convolution1(Translation& t) {
  return deformable_convolution(t, *t.node.as<ops::v1::DeformableConvolution>(), false);
}

Expected<Outputs> deformable_convolution8(Translation& t) {
  const auto& op = *t.node.as<ops::v8::DeformableConvolution>();
  return deformable_convolution(t, op, op.bilinear_interpolation_pad);
}

}  // namespace

void register_deformable_convolution(OnnxForms& table) {
  table.add<ops::v1::DeformableConvolution>(deformable_convolution1);
  table.add<ops::v8::DeformableConvolution>(deformable_convolution8);
}

}  // namespace mo::onnx_emitter
