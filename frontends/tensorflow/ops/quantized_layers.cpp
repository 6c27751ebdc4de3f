#include "frontends/tensorflow/ops/support/convolution.hpp"
#include "frontends/tensorflow/ops/support/pooling.hpp"
#include "frontends/tensorflow/ops/support/quantized_numbers.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/build/resampling.hpp"
#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"

namespace mo::tensorflow {
namespace {

/// Sums of 32 bits in units of `step`, and what they stand for.
Outputs sums(const Term& whole, const Term& step) {
  const RealRange range = range_of_sums(step);
  return {whole.as(ElementType::i32), range.low, range.high};
}

/// An element type of the result. Error MO-TF-0652 for one that is no integer of 8 or 32 bits.
Expected<ElementType> result_type(const FrameworkNode& node, std::string_view name, ElementType otherwise) {
  const ElementType type = node.attr(name, otherwise);
  if (is_integral(type) && (bit_width(type) == 8 || bit_width(type) == 32)) return type;
  return node.error("MO-TF-0652", "{} is {}, expected an integer of 8 or 32 bits", name, to_string(type))
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

/// Error MO-TF-0652 when the result has another type than the one that TensorFlow computes.
Expected<void> expect_result_type(const FrameworkNode& node, std::string_view name, ElementType expected) {
  const ElementType type = node.attr(name, expected);
  if (type == expected) return {};
  return node.error("MO-TF-0652", "{} is {}, expected {}", name, to_string(type), to_string(expected))
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

// -- products ---------------------------------------------------------------------------------------------------------

/// QuantizedConv2D(x, w, x range, w range) -> Convolution(x - x_zero, w - w_zero), exact sums. Padding stands for 0.
Replacement quantized_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  MO_ASSIGN(const ElementType x_type, quantised_input(node, 0));
  MO_ASSIGN(const ElementType w_type, quantised_input(node, 1));
  MO_TRY(expect_result_type(node, "out_type", ElementType::i32));
  MO_ASSIGN(const SpatialWindow window, convolution_window(node, 2));
  const QuantizedLevels x = levels_of(x_type, range_at(node, rw, 2));
  const QuantizedLevels w = levels_of(w_type, range_at(node, rw, 4));
  const Value sum = convolved(rw, x.whole(node.input(0)), w.whole_weights(node.input(1)), window, false);
  return sums(Term(rw, sum, ElementType::f32), x.step * w.step);
}

/// QuantizedMatMul(a, b, a range, b range) -> MatMul(a - a_zero, b - b_zero)
Replacement quantized_mat_mul(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  MO_ASSIGN(const ElementType a_type, quantised_input(node, 0));
  MO_ASSIGN(const ElementType b_type, quantised_input(node, 1));
  MO_TRY(expect_result_type(node, "Toutput", ElementType::i32));
  const QuantizedLevels a = levels_of(a_type, range_at(node, rw, 2));
  const QuantizedLevels b = levels_of(b_type, range_at(node, rw, 4));
  const ops::MatMul op{.transpose_a = node.attr("transpose_a", false), .transpose_b = node.attr("transpose_b", false)};
  return sums(a.whole(node.input(0)).apply(op, b.whole_weights(node.input(1))), a.step * b.step);
}

/// QuantizedMul(a, b, a range, b range) -> (a - a_zero) * (b - b_zero)
Replacement quantized_mul(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  MO_ASSIGN(const ElementType a_type, quantised_input(node, 0));
  MO_ASSIGN(const ElementType b_type, quantised_input(node, 1));
  MO_TRY(expect_result_type(node, "Toutput", ElementType::i32));
  const QuantizedLevels a = levels_of(a_type, range_at(node, rw, 2));
  const QuantizedLevels b = levels_of(b_type, range_at(node, rw, 4));
  return sums(a.whole(node.input(0)) * b.whole(node.input(1)), a.step * b.step);
}

/// QuantizedAdd, QuantizedBiasAdd: the sum of the real numbers in 32 bits of a range that is 2^17 times as large as the
/// operands need.
Replacement quantized_add(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  MO_ASSIGN(const ElementType a_type, quantised_input(node, 0, 32));
  MO_ASSIGN(const ElementType b_type, quantised_input(node, 1, 32));
  for (const char* name : {"out_type", "Toutput"}) MO_TRY(expect_result_type(node, name, ElementType::i32));
  const RealRange a_range = range_at(node, rw, 2);
  const RealRange b_range = range_at(node, rw, 4);
  const Term a_end = larger(a_range.high, 0 - a_range.low);
  const Term end = larger(a_end, larger(b_range.high, 0 - b_range.low)) * double{1 << 17};
  const RealRange range{0 - end, end};
  const QuantizedLevels levels = levels_of(ElementType::i32, range);
  const auto part = [&](ElementType type, const RealRange& from, const Value& x) {
    return rounded_away(levels_of(type, from).real(x, levels.scale));
  };
  const Term sum = part(a_type, a_range, node.input(0)) + part(b_type, b_range, node.input(1));
  return Outputs{sum.as(ElementType::i32), range.low, range.high};
}

// -- other ranges -----------------------------------------------------------------------------------------------------

/// Integers in levels of another range.
Value requantised(const QuantizedLevels& from, const Value& x, const QuantizedLevels& to) {
  return to.integers(from.real(x, to.scale));
}

/// Requantize(x, range, wanted range)
Replacement requantize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(5));
  MO_ASSIGN(const ElementType from, quantised_input(node, 0, 32));
  MO_ASSIGN(const ElementType to, result_type(node, "out_type", ElementType::u8));
  const RealRange wanted = range_at(node, rw, 3);
  const Value y = requantised(levels_of(from, range_at(node, rw, 1)), node.input(0), levels_of(to, wanted));
  return Outputs{y, wanted.low, wanted.high};
}

/// The range of the numbers that are there, down to 0 at least.
RealRange used_range(const QuantizedLevels& levels, const Value& x) {
  Rewriter& rw = levels.step.rewriter();
  const Term number = Term(rw, x, levels.type);
  const Value axes = axes_from(rw, x, 0);
  const Term low = levels.real(number.apply(ops::ReduceMin{.keep_dims = false}, axes));
  return {smaller(low, 0), levels.real(number.apply(ops::ReduceMax{.keep_dims = false}, axes))};
}

/// RequantizationRange(x, range)
Replacement requantization_range(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0, 32));
  const RealRange used = used_range(levels_of(type, range_at(node, rw, 1)), node.input(0));
  return Outputs{used.low, used.high};
}

/// QuantizeDownAndShrinkRange(x, range): both in one.
Replacement quantize_down(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType from, quantised_input(node, 0, 32));
  MO_ASSIGN(const ElementType to, result_type(node, "out_type", ElementType::u8));
  const QuantizedLevels levels = levels_of(from, range_at(node, rw, 1));
  const RealRange used = used_range(levels, node.input(0));
  return Outputs{requantised(levels, node.input(0), levels_of(to, used)), used.low, used.high};
}

// -- what keeps its range ---------------------------------------------------------------------------------------------

/// Relu of integers: not below the one that stands for 0, nor above the one for `highest` (empty: there is none).
Replacement limited(const FrameworkNode& node, Rewriter& rw, ElementType type, std::size_t range_input,
                    const std::optional<Term>& highest) {
  MO_TRY(expect_result_type(node, "out_type", type));
  const RealRange range = range_at(node, rw, range_input);
  const QuantizedLevels levels = levels_of(type, range);
  const auto place = [&](const Term& number) {
    return Term(rw, levels.integers(number * levels.scale), type).as(ElementType::f32);
  };
  Term x = Term(rw, node.input(0), type).as(ElementType::f32);
  x = larger(x, place(range.low.number(0)));
  if (highest) x = smaller(x, place(*highest));
  return Outputs{x.as(type), range.low, range.high};
}

Replacement quantized_relu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0, 32));
  return limited(node, rw, type, 1, {});
}

Replacement quantized_relu6(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0, 32));
  return limited(node, rw, type, 1, Term(rw, rw.scalar<float>(6), ElementType::f32));
}

/// QuantizedReluX(x, highest, range)
Replacement quantized_relu_x(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0, 32));
  return limited(node, rw, type, 2, term(rw, node.input(1)));
}

Expected<SpatialWindow> quantised_pooling(const FrameworkNode& node) {
  SpatialWindow window;
  MO_ASSIGN(window.kernel, read_spatial(node, "ksize", 2, window.layout));
  MO_ASSIGN(window.strides, read_spatial(node, "strides", 2, window.layout));
  MO_TRY(read_padding(node, 2, window));
  return window;
}

Replacement quantized_max_pool(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0));
  MO_ASSIGN(SpatialWindow window, quantised_pooling(node));
  const Term x = Term(rw, node.input(0), type).as(ElementType::f32);
  return Outputs{x.apply(pooling<ops::v8::MaxPool>(std::move(window))).as(type), node.input(1), node.input(2)};
}

/// What an axis of a resized image lies between: elements of the data, and how far after the lower one, in 128ths.
struct Neighbors {
  Value lower;
  Value upper;
  Term weight;
};

Neighbors neighbors(Rewriter& rw, const Term& images, const Value& sizes, std::int64_t axis, bool corners,
                    bool centers) {
  const Term count(rw, integer_at(rw, sizes, axis), ElementType::i64);
  const Term size = count.as(ElementType::f32);
  const Term length = Term(rw, dimension_of(rw, images, axis + 1), ElementType::i64).as(ElementType::f32);
  const Term rows = count_up(rw, count, ElementType::f32);
  const Term step = sampling_step(length, size, corners);
  const Term place = centers ? (rows + 0.5) * step - 0.5 : rows * step;
  const Term whole = floored(place);
  const Term upper = smaller(place.apply(ops::Ceiling{}), length - 1);
  const Term lower = smaller(larger(whole, 0), upper);
  return {lower.as(ElementType::i32), upper.as(ElementType::i32), floored((place - whole) * 128)};
}

Term gathered(const Term& x, const Value& places, std::int64_t axis) {
  Rewriter& rw = x.rewriter();
  return {rw, rw.create(ops::Gather{}, x, places, rw.scalar<std::int64_t>(axis)), x.type()};
}

/// QuantizedResizeBilinear(images, size, range): with weights of 128ths, as TensorFlow does it in integers of 16 bits:
/// along each row, then between two rows, where the difference is cut off to a whole number before it is weighted.
/// The range stays.
Replacement quantized_resize_bilinear(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0));
  const bool corners = node.attr("align_corners", false);
  const bool centers = node.attr("half_pixel_centers", false);
  if (corners && centers)
    return node.error("MO-TF-0681", "align_corners and half_pixel_centers exclude each other")
        .hint("TensorFlow refuses it as well: set one of them");
  const Term x = Term(rw, node.input(0), type).as(ElementType::f32);
  const Neighbors across = neighbors(rw, x, node.input(1), 1, corners, centers);
  const Neighbors down = neighbors(rw, x, node.input(1), 0, corners, centers);
  const Term left = gathered(x, across.lower, 2);
  const Term rows = left * 128 + (gathered(x, across.upper, 2) - left) * across.weight.unsqueezed({1});
  const Term top = gathered(rows, down.lower, 1);
  const Term difference = ((gathered(rows, down.upper, 1) - top) / 128).as(ElementType::i32).as(ElementType::f32);
  const Term sum = top + difference * down.weight.unsqueezed({1, 2});
  return Outputs{floored((sum + 64) / 128).as(type), node.input(2), node.input(3)};
}

/// Sum / count in integers, which drops what is left: the average is a multiple of 1 / count, and half of that more is
/// no other integer.
Replacement quantized_average_pool(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ElementType type, quantised_input(node, 0));
  MO_ASSIGN(SpatialWindow window, quantised_pooling(node));
  double count = 1;
  for (const std::int64_t size : window.kernel) count *= static_cast<double>(size);
  const Term average =
      Term(rw, node.input(0), type).as(ElementType::f32).apply(pooling<ops::v1::AvgPool>(std::move(window)));
  Term whole = floored(is_signed(type) ? absolute(average) + 0.5 / count : average + 0.5 / count);
  if (is_signed(type)) whole = whole * average.apply(ops::Sign{});
  return Outputs{whole.as(type), node.input(1), node.input(2)};
}

Replacement quantized_reshape(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  return Outputs{rw.create(ops::Reshape{}, node.input(0), as_i64(rw, node.input(1))), node.input(2), node.input(3)};
}

/// Pieces in levels of a range that holds all of theirs and 0; of signed integers it has 0 in its middle. Inputs:
/// pieces, their lower ends, their upper ends; before or after the pieces the axis.
Replacement quantized_concat(const FrameworkNode& node, Rewriter& rw, bool axis_first) {
  MO_TRY(expect_pieces(node, 3, 1));
  MO_TRY(node.expect_inputs(node.input_count()));
  const std::size_t count = (node.input_count() - 1) / 3;
  MO_ASSIGN(const std::int64_t axis, known_number(node, axis_first ? 0 : count, "the axis"));
  const std::size_t first = axis_first ? 1 : 0;
  MO_ASSIGN(const ElementType type, quantised_input(node, first, 32));
  const auto range_of = [&](std::size_t i) {
    return RealRange{term(rw, node.input(count + 1 + i)), term(rw, node.input(2 * count + 1 + i))};
  };
  RealRange all = range_of(0);
  for (std::size_t i = 1; i < count; ++i) all = {smaller(all.low, range_of(i).low), larger(all.high, range_of(i).high)};
  all.low = smaller(all.low, 0);
  if (is_signed(type)) {
    const Term end = larger(absolute(all.low), absolute(all.high));
    all = {0 - end, end};
  }
  const QuantizedLevels levels = levels_of(type, all);
  std::vector<Value> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    const RealRange own = range_of(i);
    const Value piece = node.input(first + i);
    const bool same = same_tensor(own.low, all.low) && same_tensor(own.high, all.high);
    pieces.push_back(same ? piece : requantised(levels_of(type, own), piece, levels));
  }
  return Outputs{rw.create(ops::Concat{.axis = axis}, pieces), all.low, all.high};
}

}  // namespace

/// Layers between integers, each with a range: what quantize_nodes of the Graph Transform Tool writes.
void register_quantized_layers(OperatorTable& table) {
  table.translate("QuantizedConv2D", quantized_conv, outputs(3));
  table.translate("QuantizedMatMul", quantized_mat_mul, outputs(3));
  table.translate("QuantizedMul", quantized_mul, outputs(3));
  table.translate("QuantizedAdd", quantized_add, outputs(3));
  table.translate("QuantizedBiasAdd", quantized_add, outputs(3));
  table.translate("Requantize", requantize, outputs(3));
  table.translate("RequantizationRange", requantization_range, outputs(2));
  table.translate("QuantizeDownAndShrinkRange", quantize_down, outputs(3));
  table.translate("QuantizedRelu", quantized_relu, outputs(3));
  table.translate("QuantizedRelu6", quantized_relu6, outputs(3));
  table.translate("QuantizedReluX", quantized_relu_x, outputs(3));
  table.translate("QuantizedMaxPool", quantized_max_pool, outputs(3));
  table.translate("QuantizedAvgPool", quantized_average_pool, outputs(3));
  table.translate("QuantizedReshape", quantized_reshape, outputs(3));
  table.translate("QuantizedResizeBilinear", quantized_resize_bilinear, outputs(3));
  table.translate(
      "QuantizedConcat", [](const FrameworkNode& node, Rewriter& rw) { return quantized_concat(node, rw, true); },
      outputs(3));
  table.translate(
      "QuantizedConcatV2", [](const FrameworkNode& node, Rewriter& rw) { return quantized_concat(node, rw, false); },
      outputs(3));
}

}  // namespace mo::tensorflow
