#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/ops/support/quantized_numbers.hpp"
#include "ops/build/quantized.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/concat.hpp"
#include "ops/fake_quantize.hpp"

namespace mo::tensorflow {
namespace {

/// Error MO-TF-0650 for a number of bits outside of [least, most].
Expected<std::int64_t> read_bits(const FrameworkNode& node, std::int64_t least, std::int64_t most) {
  const auto bits = node.attr<std::int64_t>("num_bits", 8);
  if (bits < least || bits > most)
    return node.error("MO-TF-0650", "num_bits is {}, which is outside of [{}, {}]", bits, least, most)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return bits;
}

/// Error MO-TF-0653 for an axis below -1, which stands for one range for the whole tensor.
Expected<std::int64_t> read_axis(const FrameworkNode& node) {
  const auto axis = node.attr<std::int64_t>("axis", -1);
  constexpr std::int64_t kMostDimensions = 64;
  if (axis < -1 || axis >= kMostDimensions)
    return node.error("MO-TF-0653", "axis is {}", axis)
        .hint("it is a dimension of the data, or -1 for one range for all of them");
  return axis;
}

Term rounded_to_even(const Term& x) { return x.apply(ops::Round{.mode = ops::RoundMode::half_to_even}); }

Value fake_quantize(Rewriter& rw, const Value& x, const RealRange& range, std::int64_t levels) {
  return rw.create(ops::FakeQuantize{.levels = levels}, {x, range.low, range.high, range.low, range.high});
}

// -- FakeQuantWithMinMax… ---------------------------------------------------------------------------------------------

/// TensorFlow FakeQuantWithMinMaxVars: the range moves so that 0 is one of the levels, in f32: with scale = (max - min)
/// / steps, the level of 0 is lowest - min / scale, limited and rounded (halves away from zero).
struct Levels {
  float lowest = 0;
  float highest = 255;
};

std::pair<float, float> nudged(float low, float high, Levels levels) {
  const float scale = (high - low) / (levels.highest - levels.lowest);
  if (scale == 0) return {0.0F, 0.0F};
  const float exact = levels.lowest - low / scale;
  const float zero = exact < levels.lowest    ? levels.lowest
                     : exact > levels.highest ? levels.highest
                                              : std::round(exact);
  return {(levels.lowest - zero) * scale, (levels.highest - zero) * scale};
}

/// Errors: MO-TF-0654 for a range that is empty or infinite.
Expected<RealRange> nudged_constants(const FrameworkNode& node, Rewriter& rw, const std::vector<double>& low,
                                     const std::vector<double>& high, const Shape& shape, Levels levels) {
  std::vector<double> lows;
  std::vector<double> highs;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (!std::isfinite(low[i]) || !std::isfinite(high[i]) || low[i] > high[i])
      return node.error("MO-TF-0654", "the range from {} to {} is none", low[i], high[i])
          .hint("min must not be above max");
    const auto [first, last] = nudged(static_cast<float>(low[i]), static_cast<float>(high[i]), levels);
    lows.push_back(first);
    highs.push_back(last);
  }
  MO_ASSIGN(Tensor first, from_reals(ElementType::f32, shape, lows));
  MO_ASSIGN(Tensor last, from_reals(ElementType::f32, shape, highs));
  return RealRange{term(rw, rw.constant(std::move(first))), term(rw, rw.constant(std::move(last)))};
}

RealRange nudged_values(const RealRange& range, Levels levels) {
  const Term scale = (range.high - range.low) / (levels.highest - levels.lowest);
  // A range of one number, which TensorFlow takes for 0, has no scale to divide by.
  const Term divisor = choose(equal(scale, 0), scale.number(1), scale);
  const Term exact = static_cast<double>(levels.lowest) - range.low / divisor;
  const Term zero = rounded_away(within(exact, exact.number(levels.lowest), exact.number(levels.highest)));
  return {(static_cast<double>(levels.lowest) - zero) * scale, (static_cast<double>(levels.highest) - zero) * scale};
}

/// How many levels FakeQuantWithMinMax… have, from `lowest` to `steps`.
struct FakeQuantLevels {
  std::int64_t lowest = 0;
  std::int64_t steps = 255;

  Levels numbers() const { return {static_cast<float>(lowest), static_cast<float>(steps)}; }
  std::int64_t count() const { return steps - lowest + 1; }
};

Expected<FakeQuantLevels> read_levels(const FrameworkNode& node) {
  MO_ASSIGN(const std::int64_t bits, read_bits(node, 2, 16));
  return FakeQuantLevels{node.attr("narrow_range", false) ? 1 : 0, (std::int64_t{1} << bits) - 1};
}

/// FakeQuantWithMinMaxArgs(x) {min, max} -> FakeQuantize(x, low, high, low, high)
Replacement fake_quant_with_attributes(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const FakeQuantLevels levels, read_levels(node));
  MO_ASSIGN(const RealRange range,
            nudged_constants(node, rw, {node.attr("min", -6.0)}, {node.attr("max", 6.0)}, {}, levels.numbers()));
  return fake_quantize(rw, node.input(0), range, levels.count());
}

/// FakeQuantWithMinMaxVars(x, min, max); a range per channel broadcasts along the last dimension
Replacement fake_quant_with_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const FakeQuantLevels levels, read_levels(node));
  const auto low = reals_of(node.input(1));
  const auto high = reals_of(node.input(2));
  const auto shape = node.input_type(1).shape.to_shape();
  if (!low || !high || !shape || low->size() != high->size())
    return fake_quantize(rw, node.input(0),
                         nudged_values({term(rw, node.input(1)), term(rw, node.input(2))}, levels.numbers()),
                         levels.count());
  MO_ASSIGN(const RealRange range, nudged_constants(node, rw, *low, *high, *shape, levels.numbers()));
  return fake_quantize(rw, node.input(0), range, levels.count());
}

// -- QuantizeAndDequantize… -------------------------------------------------------------------------------------------

/// The versions of QuantizeAndDequantize differ in where the range and the number of bits come from.
struct RoundingToLevels {
  bool is_signed = true;
  bool range_given = false;
  bool narrow_range = false;
  bool half_up = false;
  std::int64_t axis = -1;

  /// `bits` at most 24, the widest numbers that f32 holds exactly.
  IntegerRange integers(std::int64_t bits) const {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    if (!is_signed) return {0, static_cast<double>(2 * half - 1)};
    return {static_cast<double>(narrow_range ? 1 - half : -half), static_cast<double>(half - 1)};
  }
  std::int64_t least_bits() const { return is_signed ? 2 : 1; }
};

Expected<RoundingToLevels> read_rounding(const FrameworkNode& node, bool range_given) {
  MO_ASSIGN(const std::string round_mode, read_choice(node, "round_mode", {"HALF_TO_EVEN", "HALF_UP"}));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  return RoundingToLevels{.is_signed = node.attr("signed_input", true),
                          .range_given = node.attr("range_given", range_given),
                          .narrow_range = node.attr("narrow_range", false),
                          .half_up = round_mode == "HALF_UP",
                          .axis = axis};
}

/// The range of the data: of all of it, or with `axis` for each element of that dimension.
RealRange range_of_data(const Term& x, std::int64_t axis) {
  Rewriter& rw = x.rewriter();
  Value axes = axes_from(rw, x, 0);
  if (axis >= 0) {
    std::vector<std::int64_t> before;
    for (std::int64_t i = 0; i < axis; ++i) before.push_back(i);
    axes = axes_from(rw, x, axis + 1);
    if (axis > 0) axes = join(rw, {rw.integers(before), axes});
  }
  return {x.apply(ops::ReduceMin{.keep_dims = true}, axes), x.apply(ops::ReduceMax{.keep_dims = true}, axes)};
}

/// A range as it broadcasts to x: numbers, or vectors along `axis`.
RealRange broadcast_range(const RealRange& range, const Value& x, std::int64_t axis) {
  if (axis < 0) return range;
  Rewriter& rw = range.low.rewriter();
  return {term(rw, along_axis(rw, range.low, x, axis)), term(rw, along_axis(rw, range.high, x, axis))};
}

/// TensorFlow QuantizeAndDequantizeV2: one step is as wide as makes both ends of the range fit the integers; 0 stays 0.
Term step_of(const RealRange& range, IntegerRange integers) {
  Term step = larger(range.high / integers.highest, 0);
  if (integers.lowest < 0) step = larger(step, range.low / integers.lowest);
  return step;
}

/// x -> FakeQuantize for a range that is `known`, else Round(Clamp(x) / step) * step
Value rounded_to_levels(const Term& x, const RealRange& range, bool known, IntegerRange integers, bool half_up) {
  const Term step = step_of(range, integers);
  const RealRange limits{step * integers.lowest, step * integers.highest};
  if (known)
    return fake_quantize(x.rewriter(), x, limits, static_cast<std::int64_t>(integers.highest - integers.lowest) + 1);
  const Term scale = choose(equal(step, 0), step.number(0), 1 / step);
  const Term scaled = within(x, limits.low, limits.high) * scale;
  return half_up ? floored(scaled + 0.5) * step : rounded_to_even(scaled) * step;
}

/// Version 1: the range is two attributes.
Replacement quantize_and_dequantize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const RoundingToLevels how, read_rounding(node, false));
  MO_ASSIGN(const std::int64_t bits, read_bits(node, how.least_bits(), 24));
  const Term x = term(rw, node.input(0));
  const RealRange given{x.number(node.attr("input_min", 0.0)), x.number(node.attr("input_max", 0.0))};
  return rounded_to_levels(x, how.range_given ? given : range_of_data(x, how.axis), how.range_given, how.integers(bits),
                           how.half_up);
}

/// Versions 2 and later: the range is inputs 1 and 2.
Value quantized_and_dequantized(const FrameworkNode& node, Rewriter& rw, const RoundingToLevels& how,
                                std::int64_t bits) {
  const Term x = term(rw, node.input(0));
  for (const std::size_t i : {1U, 2U}) node.ignore_input(i, "the range, where range_given is not set");
  if (!how.range_given) return rounded_to_levels(x, range_of_data(x, how.axis), false, how.integers(bits), how.half_up);
  const RealRange range = broadcast_range({term(rw, node.input(1)), term(rw, node.input(2))}, x, how.axis);
  const bool known = node.input(1).data().value() && node.input(2).data().value();
  return rounded_to_levels(x, range, known, how.integers(bits), how.half_up);
}

/// Versions 2 and 4, which differ in their gradient.
Replacement quantize_and_dequantize_v2(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const RoundingToLevels how, read_rounding(node, false));
  MO_ASSIGN(const std::int64_t bits, read_bits(node, how.least_bits(), 24));
  MO_TRY(node.expect_inputs(how.range_given ? 3 : 1));
  return quantized_and_dequantized(node, rw, how, bits);
}

/// Version 3: the number of bits is input 3, and range_given=true the default. Errors: MO-TF-0650, MO-TF-0655 (not
/// known).
Replacement quantize_and_dequantize_v3(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  MO_ASSIGN(const RoundingToLevels how, read_rounding(node, true));
  const auto bits = single_integer_of(node.input(3));
  if (!bits)
    return node.error("MO-TF-0655", "num_bits is computed in the model")
        .hint("make it a constant of the model: the IR has it as an attribute");
  if (*bits < how.least_bits() || *bits > 24)
    return node.error("MO-TF-0650", "num_bits is {}, which is outside of [{}, 24]", *bits, how.least_bits())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return quantized_and_dequantized(node, rw, how, *bits);
}

// -- QuantizeV2, Dequantize -------------------------------------------------------------------------------------------

Expected<std::string> read_mode(const FrameworkNode& node) {
  return read_choice(node, "mode", {"MIN_COMBINED", "MIN_FIRST", "SCALED"});
}

/// TensorFlow QuantizeV2: the range contains 0 and is at least `least_range` of its larger end (or of 1) wide.
RealRange widened(const RealRange& range, double least_range) {
  const Term size = larger(larger(absolute(range.low), absolute(range.high)), 1);
  const Term low = smaller(range.low, 0);
  return {low, larger(larger(range.high, low + size * least_range), 0)};
}

/// TensorFlow QuantizeV2, mode SCALED: the smaller of the two scales that make the ends of the range fit. The upper end
/// is above 0 always.
Term common_scale(const RealRange& range, IntegerRange integers) {
  const Term from_high = integers.highest / range.high;
  if (integers.lowest == 0) return from_high;
  const Term from_low = integers.lowest / range.low;
  return smaller(choose(less(range.low, 0), from_low, from_high), from_high);
}

/// QuantizeV2(x, min, max): the integers, and the range that they stand for. Error MO-TF-0652 for integers of another
/// width than 8 or 16 bits, whose values f32 holds exactly.
Replacement quantize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const std::string mode, read_mode(node));
  MO_ASSIGN(const std::string round_mode, read_choice(node, "round_mode", {"HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"}));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  const ElementType type = node.attr("T", ElementType::dynamic);
  const bool narrow_range = node.attr("narrow_range", false);
  const bool wide = type == ElementType::i32 && mode == "MIN_FIRST";
  if (!wide && (!is_integral(type) || (bit_width(type) != 8 && bit_width(type) != 16)))
    return node.error("MO-TF-0652", "the quantised type {} is not an integer of 8 or 16 bits", to_string(type))
        .hint("32 bits are possible in mode MIN_FIRST; cut the model around the op with --input and --output");
  if (round_mode == "HALF_TO_EVEN" && mode != "SCALED")
    return node.error("MO-TF-0651", "round_mode is {} in mode {}", round_mode, mode)
        .hint("only the mode SCALED has it");
  const Term x = term(rw, node.input(0));
  const IntegerRange integers = all_integers(type, mode == "SCALED" && narrow_range);
  RealRange range =
      widened({term(rw, node.input(1)), term(rw, node.input(2))}, node.attr("ensure_minimum_range", 0.01));
  if (wide) {
    const QuantizedLevels levels = levels_of(type, range);
    return Outputs{levels.integers(x * levels.scale), range.low, range.high};
  }
  const auto whole = [&]() -> Term {
    if (mode == "SCALED") {
      const Term scale = common_scale(range, integers);
      range = {integers.lowest / scale, integers.highest / scale};
      const RealRange limits = broadcast_range(range, x, axis);
      const Term factor = axis < 0 ? scale : term(rw, along_axis(rw, scale, x, axis));
      const Term scaled = within(x, limits.low, limits.high) * factor;
      return round_mode == "HALF_TO_EVEN" ? rounded_to_even(scaled) : rounded_away(scaled);
    }
    const RealRange limits = broadcast_range(range, x, axis);
    const Term scale = (integers.highest - integers.lowest) / (limits.high - limits.low);
    if (mode == "MIN_FIRST") return rounded_away(x * scale) - (rounded_away(limits.low * scale) - integers.lowest);
    // MIN_COMBINED: from the lower end on; for signed integers that is moved by half of their count.
    const Term from_low = (within(x, limits.low, limits.high) - limits.low) * scale;
    return rounded_away(integers.lowest < 0 ? from_low + integers.lowest : from_low);
  }();
  const Term limited =
      mode == "SCALED" ? whole : whole.apply(ops::Clamp{.min = integers.lowest, .max = integers.highest});
  return Outputs{limited.as(type), range.low, range.high};
}

/// Constant weights with one known range, which stay as they are in the file; an empty value for anything else.
Value dequantized_weights(Rewriter& rw, const Value& x, const RealRange& range, ElementType type, IntegerRange integers,
                          const std::string& mode) {
  const auto* constant = x.node().as<Const>();
  const auto low = single_real_of(range.low);
  const auto high = single_real_of(range.high);
  if (!constant || !low || !high || !stays_compressed(constant->value)) return {};
  const double span = mode == "SCALED" ? 0 : (*high - *low) / (integers.highest - integers.lowest);
  const double step =
      mode == "SCALED" ? std::max(*high / integers.highest, integers.lowest < 0 ? *low / integers.lowest : 0.0) : span;
  if (!(step > 0)) return {};
  // Where 0 is one of the levels, its integer is the zero point; else the lower end is added.
  const double zero = mode == "MIN_FIRST" ? integers.lowest - std::round(*low / step) : 0;
  const bool is_level = mode != "MIN_COMBINED" && zero >= integers.lowest && zero <= integers.highest;
  const Term scale = range.low.number(step);
  if (is_level && zero == 0) return rw.create(ops::CompressedWeights{}, x, scale);
  const auto point = from_integers(type, {}, {static_cast<std::int64_t>(is_level ? zero : integers.lowest)});
  if (!point) return {};
  const Value weights = rw.create(ops::CompressedWeights{}, x, scale, rw.constant(*point));
  if (is_level) return weights;
  const double first = mode == "MIN_FIRST" ? std::round(*low / step) * step : *low;
  return term(rw, weights) + Term(rw, range.low.number(first), ElementType::f32);
}

/// Dequantize(x, min, max): the numbers that the integers stand for
Replacement dequantize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const std::string mode, read_mode(node));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  const ElementType type = node.attr("T", ElementType::dynamic);
  const ElementType result = node.attr("dtype", ElementType::f32);
  const bool narrow_range = node.attr("narrow_range", false);
  if (!is_integral(type) || bit_width(type) > 32)
    return node.error("MO-TF-0652", "the quantised type {} is not an integer of up to 32 bits", to_string(type))
        .hint("cut the model around the op with --input and --output");
  const Value x = node.input(0);
  const IntegerRange integers = all_integers(type, mode == "SCALED" && narrow_range);
  const RealRange range = broadcast_range({term(rw, node.input(1)), term(rw, node.input(2))}, x, axis);
  // Integers of 32 bits lie around the middle of the range: f32 does not hold their distance from its end.
  if (type == ElementType::i32 && mode != "SCALED") return levels_of(type, range).real(x).as(result).value();
  if (const Value weights = dequantized_weights(rw, x, range, type, integers, mode))
    return as_type(rw, weights, result);
  const Term real = term(rw, x).as(ElementType::f32);
  if (mode == "SCALED") {
    Term step = range.high / integers.highest;
    if (integers.lowest < 0) step = larger(range.low / integers.lowest, step);
    return (real * step).as(result).value();
  }
  const Term step = (range.high - range.low) / (integers.highest - integers.lowest);
  const Term above = integers.lowest < 0 ? real - integers.lowest : real;
  Term first = range.low;
  // MIN_FIRST: 0 is one of the levels, so the lower end is a whole number of steps.
  if (mode == "MIN_FIRST") {
    const Term empty = equal(step, 0);
    const Term steps = rounded_away(range.low / choose(empty, step.number(1), step));
    first = choose(empty, range.low, steps * step);
  }
  return (above * step + first).as(result).value();
}

}  // namespace

void register_quantization(OperatorTable& table) {
  table.translate("FakeQuantWithMinMaxArgs", fake_quant_with_attributes);
  table.translate("FakeQuantWithMinMaxVars", fake_quant_with_inputs);
  table.translate("FakeQuantWithMinMaxVarsPerChannel", fake_quant_with_inputs);
  table.translate("QuantizeAndDequantize", quantize_and_dequantize);
  table.translate("QuantizeAndDequantizeV2", quantize_and_dequantize_v2);
  table.translate("QuantizeAndDequantizeV3", quantize_and_dequantize_v3);
  table.translate("QuantizeAndDequantizeV4", quantize_and_dequantize_v2);
  table.translate("QuantizeV2", quantize);
  table.translate("Dequantize", dequantize);
}

}  // namespace mo::tensorflow
