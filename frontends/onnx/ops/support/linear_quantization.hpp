#pragma once

#include <optional>

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// QuantizeLinear and DequantizeLinear of the default domain and of com.microsoft, which differ in their attributes.
namespace mo::onnx {

/// How scales and zero points (inputs 1 and 2) lie over the data (input 0).
struct QuantizationLayout {
  /// a vector lies along it; nothing: they broadcast as they are
  std::optional<std::int64_t> axis;
  /// above 0: each number stands for so many elements along the axis
  std::int64_t block_size = 0;
  std::optional<ElementType> output_type;    ///< as the model asks for it
  std::optional<ElementType> division_type;  ///< in which x / scale is computed; nothing: that of the scale
};

/// QuantizeLinear(x, scale, zero) -> saturate(round(x / scale) + zero). Error MO-ONNX-0150 for a type that cannot be
/// quantised to.
Replacement quantize_linear(const FrameworkNode& node, Rewriter& rw, const QuantizationLayout& layout);

/// DequantizeLinear(x, scale, zero) -> (x - zero) * scale; constant weights of 2 to 8 bits stay as they are in the file
/// (CompressedWeights), and what was quantised just before, with known scales, becomes a FakeQuantize.
Replacement dequantize_linear(const FrameworkNode& node, Rewriter& rw, const QuantizationLayout& layout);

}  // namespace mo::onnx
