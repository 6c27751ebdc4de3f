#include <algorithm>

#include "core/tensor/convert.hpp"
#include "extensions/support/front.hpp"
#include "extensions/support/quantize.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/convert.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/reshape.hpp"

namespace mo::front::onnx {
namespace {

/// Fewer weights than this are no weights: they become real numbers.
constexpr std::int64_t kFewestWeights = 16;

bool is_compressed(ElementType type) {
  return type == ElementType::i8 || type == ElementType::u8 || type == ElementType::i4 || type == ElementType::u4;
}

/// How weights and their scales fit together: the shape in which the scale broadcasts to the weights, which may differ from theirs.
struct Grid {
  Shape weights;
  Shape scale;
};

/// One scale, a vector of them along `axis`, or one for each block of `block_size` along it. Nothing for anything else.
std::optional<Grid> grid_of(const Node& node, const Shape& weights, const Shape& scale, std::int64_t scales) {
  Grid grid{weights, {}};
  const auto rank = static_cast<std::int64_t>(weights.size());
  const auto block_size = node.attr<std::int64_t>("block_size").value_or(0);
  std::int64_t axis = node.attr<std::int64_t>("axis").value_or(1);
  if (axis < 0) axis += rank;
  if (block_size == 0 && scales == 1) return grid;
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

bool is_all_zero(const Value& numbers) {
  const auto known = known_integers(numbers);
  return known && std::all_of(known->begin(), known->end(), [](std::int64_t v) { return v == 0; });
}

/// DequantizeLinear of constant weights of 4 or 8 bits -> CompressedWeights, which keeps them as they are in the file.
Replacement compressed_weights(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1)) return Replacement::declined();
  const auto weights = known_constant(node.input(0));
  const auto scale = known_constant(node.input(1));
  const auto zero_point = node.input(2) ? known_constant(node.input(2)) : std::nullopt;
  if (!weights || !scale || (node.input(2) && !zero_point)) return Replacement::declined();
  if (!is_compressed(weights->element_type()) || weights->element_count() < kFewestWeights || !is_real(scale->element_type()))
    return Replacement::declined();
  const bool has_zero_point = zero_point && !is_all_zero(node.input(2));
  if (has_zero_point && (zero_point->shape() != scale->shape() || zero_point->element_type() != weights->element_type()))
    return Replacement::declined();
  const auto grid = grid_of(node, weights->shape(), scale->shape(), scale->element_count());
  if (!grid) return Replacement::declined();

  const bool in_blocks = grid->weights != weights->shape();
  std::vector<Value> inputs = {in_blocks ? rw.constant(weights->reshaped(grid->weights)) : node.input(0), rw.constant(scale->reshaped(grid->scale))};
  if (has_zero_point) inputs.push_back(rw.constant(zero_point->reshaped(grid->scale)));
  Value y = rw.create(ops::CompressedWeights{}, inputs);
  if (in_blocks) y = rw.create(ops::Reshape{}, y, rw.integers(weights->shape()));
  const auto type = node.attr<ElementType>("output_type");
  return type && *type != scale->element_type() ? rw.create(ops::Convert{.destination_type = *type}, y) : y;
}

/// The real numbers of a quantised integer: (number - zero_point) * scale for each of the scales.
Expected<Tensor> bounds(double number, const std::vector<double>& scales, const std::vector<std::int64_t>& zero_points, const Tensor& like) {
  std::vector<double> values;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double zero_point = zero_points.empty() ? 0 : static_cast<double>(zero_points[zero_points.size() == 1 ? 0 : i]);
    values.push_back(scales[i] * (number - zero_point));
  }
  return from_reals(like.element_type(), like.shape(), values);
}

/// Scale and zero point of one of the two nodes, when they are known.
struct Steps {
  std::vector<double> scales;
  std::vector<std::int64_t> zero_points;
  Tensor like;  ///< the scale

  bool operator==(const Steps& other) const { return scales == other.scales && zero_points == other.zero_points; }
};

std::optional<Steps> steps_of(const Node& node) {
  const auto scales = node.input(1) ? known_reals(node.input(1)) : std::nullopt;
  const auto tensor = node.input(1) ? known_constant(node.input(1)) : std::nullopt;
  if (!scales || !tensor || scales->empty() || !is_real(tensor->element_type()) || tensor->rank() > 1) return std::nullopt;
  if (std::any_of(scales->begin(), scales->end(), [](double s) { return !(s > 0); })) return std::nullopt;
  Steps steps{*scales, {}, *tensor};
  if (node.input(2)) {
    const auto zero_points = known_integers(node.input(2));
    if (!zero_points || (zero_points->size() != 1 && zero_points->size() != scales->size())) return std::nullopt;
    steps.zero_points = *zero_points;
  }
  return steps;
}

/// DequantizeLinear(QuantizeLinear(x)) with known scales -> FakeQuantize(x), which runtimes turn into integer arithmetic. Halves between two steps may
/// go to the other neighbour when a zero point is odd.
Replacement quantize_and_dequantize(const Node& node, Rewriter& rw) {
  const Value quantized = node.input(0);
  if (!quantized || !quantized.node().is("OnnxQuantizeLinear")) return Replacement::declined();
  const Node first = quantized.node();
  if (!first.input(0) || first.attr<std::int64_t>("block_size").value_or(0) != 0 || node.attr<std::int64_t>("block_size").value_or(0) != 0)
    return Replacement::declined();
  const std::vector<InPort> readers = quantized.get_destinations();
  if (!std::all_of(readers.begin(), readers.end(), [](const InPort& port) { return port.node().is("OnnxDequantizeLinear") && port.index() == 0; }))
    return Replacement::declined();
  const ElementType type =
      first.input(2) ? known_type(first.input(2)).element_type : first.attr<ElementType>("output_type").value_or(ElementType::u8);
  const auto in = steps_of(first);
  const auto out = steps_of(node);
  if (!is_quantized_type(type) || !in || !out) return Replacement::declined();
  const bool per_axis = in->scales.size() > 1 || out->scales.size() > 1;
  const auto axis = first.attr<std::int64_t>("axis");
  if (per_axis && (!axis || axis != node.attr<std::int64_t>("axis"))) return Replacement::declined();

  const auto levels = std::int64_t{1} << bit_width(type);
  const double low = is_signed(type) ? -static_cast<double>(levels) / 2 : 0;
  const double high = low + static_cast<double>(levels) - 1;
  const ElementType real = in->like.element_type();
  const Value x = as_type(rw, first.input(0), real);
  std::vector<Value> inputs = {x};
  for (const Steps* steps : {&*in, &*out}) {
    if (steps == &*out && *in == *out) {
      inputs.insert(inputs.end(), {inputs[1], inputs[2]});
      break;
    }
    for (const double number : {low, high}) {
      auto range = bounds(number, steps->scales, steps->zero_points, steps->like);
      if (!range) return std::move(range).error();
      if (steps->scales.size() == 1) *range = range->reshaped({});
      const Value constant = as_type(rw, rw.constant(*std::move(range)), real);
      inputs.push_back(steps->scales.size() == 1 ? constant : along_axis(rw, constant, x, *axis));
    }
  }
  const Value y = rw.create(ops::FakeQuantize{.levels = levels}, inputs);
  const ElementType wanted = node.attr<ElementType>("output_type").value_or(out->like.element_type());
  return wanted == real ? y : rw.create(ops::Convert{.destination_type = wanted}, y);
}

}  // namespace

/// Behind convolutions, which read the shapes of their filters through these nodes.
void register_quantized_graph(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxDequantizeLinear")
                 .named("OnnxQuantizeDequantizeFusion")
                 .run_before({"OnnxDequantizeLinear", "OnnxQuantizeLinear"})
                 .replace_op(quantize_and_dequantize));
  passes.add(front_replacement_op("OnnxDequantizeLinear")
                 .named("OnnxCompressedWeights")
                 .run_after({"OnnxQuantizeDequantizeFusion"})
                 .run_before({"OnnxDequantizeLinear"})
                 .replace_op(compressed_weights));
}

}  // namespace mo::front::onnx
