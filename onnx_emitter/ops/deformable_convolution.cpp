#include "ops/deformable_convolution.hpp"

#include <algorithm>

#include "onnx_emitter/support/detection.hpp"

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

/// The operator interpolates between the data and zeros around them.
Expected<Outputs> deformable_convolution(Translation& t, const ops::v1::DeformableConvolution& op, bool pads_smoothly) {
  if (!pads_smoothly) return t.refused("samples near the border (bilinear_interpolation_pad is false)");
  if (!is_real(t.node.output_type().element_type)) return t.refused("integers");
  if (t.opset < 19) return t.needs_opset(19);
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

void register_deformable_convolution(TranslatorTable& table) {
  table.add<ops::v1::DeformableConvolution>(deformable_convolution1);
  table.add<ops::v8::DeformableConvolution>(deformable_convolution8);
}

}  // namespace mo::onnx_emitter
