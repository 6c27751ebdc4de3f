#include "ops/grid_sample.hpp"

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

using SamplingMode = ops::reference::GridSampleMode;

/// Op set 20 gave two modes other names.
const char* sampling_mode(SamplingMode mode, std::int64_t opset) {
  switch (mode) {
    case SamplingMode::bilinear: return opset >= 20 ? "linear" : "bilinear";
    case SamplingMode::bicubic: return opset >= 20 ? "cubic" : "bicubic";
    case SamplingMode::nearest: break;
  }
  return "nearest";
}

const char* sampling_padding(ops::reference::GridSamplePadding padding) {
  using Padding = ops::reference::GridSamplePadding;
  switch (padding) {
    case Padding::border: return "border";
    case Padding::reflection: return "reflection";
    case Padding::zeros: break;
  }
  return "zeros";
}

/// The op computes in f32, or in f64 for wide integers, and converts the result.
Expected<Outputs> grid_sample(Translation& t) {
  if (t.opset < 16) return t.needs_opset(16);
  const auto& op = *t.node.as<ops::GridSample>();
  const ElementType given = t.node.input_type(0).element_type;
  if (!is_real(given) && op.mode == SamplingMode::bicubic)
    return t.refused("cubic interpolation of integers, whose results need not fit into their type");
  const bool is_wide = given == ElementType::f64 || (is_integral(given) && bit_width(given) > 16);
  const ElementType type = is_wide ? ElementType::f64 : ElementType::f32;
  const Value sampled = t.op("GridSample", {sizes::typed_input(t, 0, type), sizes::typed_input(t, 1, type)},
                             {{"mode", sampling_mode(op.mode, t.opset)},
                              {"padding_mode", sampling_padding(op.padding_mode)},
                              {"align_corners", op.align_corners ? 1 : 0}});
  return Outputs{given == type ? sampled : t.cast(sampled, given)};
}

}  // namespace

void register_grid_sample(TranslatorTable& table) { table.add<ops::GridSample>(grid_sample); }

}  // namespace mo::onnx_emitter
