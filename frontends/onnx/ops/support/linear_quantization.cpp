#include "frontends/onnx/ops/support/linear_quantization.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/constant_tensor.hpp"
#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/small_reals.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"

namespace mo::onnx {
namespace {

/// A scale or zero point as a tensor that broadcasts to x: one number stays, a vector lies along the axis, and with
/// blocks each number is repeated along it (the last block may be shorter).
Value spread(Rewriter& rw, const Value& x, const Value& numbers, const QuantizationLayout& layout) {
  if (!numbers) return numbers;
  if (layout.block_size > 0 && layout.axis) {
    const std::int64_t axis = *layout.axis;
    const Value positions = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0),
                                      dimension_of(rw, x, axis), rw.scalar<std::int64_t>(1));
    const Value block = rw.create(ops::Divide{}, positions, rw.scalar<std::int64_t>(layout.block_size));
    return rw.create(ops::Gather{}, numbers, block, rw.scalar<std::int64_t>(axis));
  }
  if (!layout.axis || has_one_element(numbers)) return numbers;
  return along_axis(rw, numbers, x, *layout.axis);
}

/// How weights and their scales fit together: the shape in which the scale broadcasts to the weights, which may differ
/// from theirs.
struct Grid {
  Shape weights;
  Shape scale;
};

/// One scale, a vector of them along the axis, or one for each block along it. Nothing for anything else.
std::optional<Grid> grid_of(const QuantizationLayout& layout, const Shape& weights, const Shape& scale,
                            std::int64_t scales) {
  Grid grid{weights, {}};
  const auto rank = static_cast<std::int64_t>(weights.size());
  const std::int64_t block_size = layout.block_size;
  if (block_size == 0 && scales == 1) return grid;
  if (!layout.axis) return std::nullopt;
  const std::int64_t axis = *layout.axis < 0 ? *layout.axis + rank : *layout.axis;
  if (axis < 0 || axis >= rank) return std::nullopt;
  const auto along = static_cast<std::size_t>(axis);
  if (block_size == 0) {
    if (scale.size() != 1 || scales != weights[along]) return std::nullopt;
    grid.scale.assign(weights.size() - along, 1);
    grid.scale[0] = scales;
    return grid;
  }
  if (scale.size() != weights.size() || weights[along] % block_size != 0) return std::nullopt;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (scale[i] != (i == along ? weights[i] / block_size : weights[i])) return std::nullopt;
  grid.scale = scale;
  grid.scale.insert(grid.scale.begin() + axis + 1, 1);
  grid.weights[along] /= block_size;
  grid.weights.insert(grid.weights.begin() + axis + 1, block_size);
  return grid;
}

/// A scale of a type that ops compute with.
Value as_computed_real(Rewriter& rw, const Value& scale) {
  return is_small_real(scale.type().element_type) ? as_type(rw, scale, ElementType::f32) : scale;
}

/// Constant weights of 2 to 8 bits, which stay as they are in the file; an empty value for anything else.
Value compressed_weights(const FrameworkNode& node, Rewriter& rw, const QuantizationLayout& layout) {
  const auto weights = constant_tensor(node.input(0));
  const auto scale = constant_tensor(node.input(1));
  const auto zero_point = constant_tensor(node.input(2));
  if (!weights || !scale || (node.input(2) && !zero_point)) return {};
  if (!stays_compressed(*weights) || !holds_reals(scale->element_type())) return {};
  const bool has_zero_point = zero_point && !is_all_zero(node.input(2));
  if (has_zero_point &&
      (zero_point->shape() != scale->shape() || zero_point->element_type() != weights->element_type()))
    return {};
  const auto grid = grid_of(layout, weights->shape(), scale->shape(), scale->element_count());
  if (!grid) return {};

  const bool in_blocks = grid->weights != weights->shape();
  std::vector<Value> inputs = {in_blocks ? rw.constant(weights->reshaped(grid->weights)) : node.input(0),
                               as_computed_real(rw, rw.constant(scale->reshaped(grid->scale)))};
  if (has_zero_point) inputs.push_back(rw.constant(zero_point->reshaped(grid->scale)));
  const Value y = rw.create(ops::CompressedWeights{}, inputs);
  return in_blocks ? rw.create(ops::Reshape{}, y, rw.integers(weights->shape())) : y;
}

/// Known scales and zero points, of all elements or along one axis.
struct QuantizationSteps {
  std::vector<double> scales;
  std::vector<double> zero_points;  ///< may be empty, or one for all
  Shape shape;                      ///< of the scales, as they broadcast to the data
  ElementType type = ElementType::dynamic;

  bool operator==(const QuantizationSteps& other) const = default;
  bool per_axis() const { return scales.size() > 1; }

  /// The real number that a quantised one stands for, for each of the scales.
  Expected<Tensor> real(double number) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const double zero_point = zero_points.empty() ? 0 : zero_points[zero_points.size() == 1 ? 0 : i];
      values.push_back(scales[i] * (number - zero_point));
    }
    return from_reals(type, shape, values);
  }
};

/// `scale` as it broadcasts to the data; `zero_point` holds its numbers in the same order, or is empty.
std::optional<QuantizationSteps> steps_of(const Value& scale, const std::optional<std::vector<double>>& scales,
                                          const Value& zero_point) {
  const TensorType& type = scale.type();
  if (!scales || scales->empty() || !is_real(type.element_type) || !type.shape.is_static()) return std::nullopt;
  if (std::any_of(scales->begin(), scales->end(), [](double s) { return !(s > 0); })) return std::nullopt;
  QuantizationSteps steps{.scales = *scales, .type = type.element_type};
  if (steps.per_axis()) steps.shape = *type.shape.to_shape();
  if (std::count_if(steps.shape.begin(), steps.shape.end(), [](std::int64_t d) { return d != 1; }) > 1)
    return std::nullopt;
  if (zero_point) {
    const auto zero_points = reals_of(zero_point);
    if (!zero_points || (zero_points->size() != 1 && zero_points->size() != scales->size())) return std::nullopt;
    steps.zero_points = *zero_points;
  }
  return steps;
}

/// Nothing but DequantizeLinear reads the integers, so that they need not exist.
bool is_only_dequantized(const Value& quantized) {
  const std::vector<InPort> readers = quantized.get_destinations();
  return std::all_of(readers.begin(), readers.end(), [](const InPort& port) {
    const std::string_view type = port.node().type();
    return (type == "onnx::DequantizeLinear" || type == "com.microsoft::DequantizeLinear") && port.index() == 0;
  });
}

/// DequantizeLinear(QuantizeLinear(x)) with known scales -> FakeQuantize(x), which runtimes turn into integer
/// arithmetic. Halves between two steps may go to the other neighbour when a zero point is odd. An empty value for
/// anything else.
Expected<Value> fake_quantize(const FrameworkNode& node, Rewriter& rw, const Value& scale) {
  const auto quantization = quantization_of(node.input(0));
  if (!quantization || !is_only_dequantized(node.input(0))) return Value();
  const auto in = steps_of(quantization->scale, reals_of(quantization->scale), quantization->zero_point);
  const auto out = steps_of(scale, reals_of(node.input(1)), node.input(2));
  if (!in || !out || (in->per_axis() && out->per_axis() && in->shape != out->shape)) return Value();

  std::vector<Value> inputs = {quantization->x};
  const QuantizedRange range = range_of(quantization->type);
  for (const QuantizationSteps* steps : {&*in, &*out}) {
    if (steps == &*out && *in == *out) {
      inputs.insert(inputs.end(), {inputs[1], inputs[2]});
      break;
    }
    for (const double number : {range.low, range.high}) {
      MO_ASSIGN(Tensor bound, steps->real(number));
      inputs.push_back(as_type(rw, rw.constant(std::move(bound)), in->type));
    }
  }
  const Value y = rw.create(ops::FakeQuantize{.levels = std::int64_t{1} << bit_width(quantization->type)}, inputs);
  return as_type(rw, y, out->type);
}

}  // namespace

Replacement quantize_linear(const FrameworkNode& node, Rewriter& rw, const QuantizationLayout& layout) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const Value zero_point = node.input(2);
  const ElementType type = zero_point ? zero_point.type().element_type : layout.output_type.value_or(ElementType::u8);
  MO_ASSIGN(const SmallRealRounding rounding, small_real_rounding(node, type));
  if (!is_quantized_type(type) && !is_small_real(type))
    return node
        .error(
            "MO-ONNX-0150",
            "the element type of the result is {}, which is neither an integer of 2, 4, 8 or 16 bits nor a real type "
            "of 4 or 8",
            to_string(type))
        .hint("the zero point has this type; quantise the model again");
  Value scale = as_computed_real(rw, spread(rw, x, node.input(1), layout));
  if (layout.division_type) scale = as_type(rw, scale, *layout.division_type);
  const Value offset = spread(rw, x, zero_point, layout);
  if (!is_small_real(type)) return quantize(rw, x, scale, offset, type);
  Value scaled = rw.create(ops::Divide{}, as_type_of(rw, x, scale), scale);
  if (offset && !is_all_zero(zero_point)) scaled = rw.create(ops::Add{}, scaled, as_type_of(rw, offset, scaled));
  return as_small_real(rw, scaled, type, rounding);
}

Replacement dequantize_linear(const FrameworkNode& node, Rewriter& rw, const QuantizationLayout& layout) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  Value y = compressed_weights(node, rw, layout);
  if (!y) {
    const Value scale = as_computed_real(rw, spread(rw, x, node.input(1), layout));
    if (layout.block_size == 0) { MO_ASSIGN(y, fake_quantize(node, rw, scale)); }
    if (!y) y = dequantize(rw, x, scale, spread(rw, x, node.input(2), layout));
  }
  const ElementType type = layout.output_type.value_or(node.input_type(1).element_type);
  if (is_small_real(type)) return as_small_real(rw, y, type, SmallRealRounding());
  return layout.output_type ? as_type(rw, y, type) : y;
}

}  // namespace mo::onnx
