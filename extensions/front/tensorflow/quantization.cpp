#include <cmath>

#include "core/tensor/convert.hpp"
#include "extensions/support/front.hpp"
#include "extensions/support/network_tail.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/reduce.hpp"
#include "ops/select.hpp"

namespace mo::front::tensorflow {
namespace {

bool flag(const Node& node, std::string_view name) { return node.attr<bool>(name).value_or(false); }
std::int64_t number(const Node& node, std::string_view name) { return node.attr<std::int64_t>(name).value_or(0); }
ElementType type_at(const Node& node, std::string_view name) { return node.attr<ElementType>(name).value_or(ElementType::f32); }

/// Arithmetic on tensors of one real type, in which numbers are constants of that type; on constants it is done at once.
class Arithmetic {
 public:
  Arithmetic(Rewriter& rw, ElementType type) : rw_(rw), type_(type) {}
  Value number(double n) const { return rw_.fold(ops::Convert{.destination_type = type_}, rw_.scalar<double>(n)); }
  Value add(const Value& a, const Value& b) const { return rw_.fold(ops::Add{}, a, b); }
  Value subtract(const Value& a, const Value& b) const { return rw_.fold(ops::Subtract{}, a, b); }
  Value multiply(const Value& a, const Value& b) const { return rw_.fold(ops::Multiply{}, a, b); }
  Value divide(const Value& a, const Value& b) const { return rw_.fold(ops::Divide{}, a, b); }
  Value smaller(const Value& a, const Value& b) const { return rw_.fold(ops::Minimum{}, a, b); }
  Value larger(const Value& a, const Value& b) const { return rw_.fold(ops::Maximum{}, a, b); }
  Value limited(const Value& x, const Value& low, const Value& high) const { return larger(smaller(x, high), low); }
  Value magnitude(const Value& x) const { return rw_.fold(ops::Abs{}, x); }
  Value rounded(const Value& x, ops::RoundMode mode) const { return rw_.fold(ops::Round{.mode = mode}, x); }
  Value if_zero(const Value& x, const Value& then, const Value& otherwise) const {
    return rw_.fold(ops::Select{}, rw_.fold(ops::Equal{}, x, number(0)), then, otherwise);
  }
  Value if_negative(const Value& x, const Value& then, const Value& otherwise) const {
    return rw_.fold(ops::Select{}, rw_.fold(ops::Less{}, x, number(0)), then, otherwise);
  }

 private:
  Rewriter& rw_;
  ElementType type_;
};

struct Range {
  Value low;
  Value high;
};

Value fake_quantize(Rewriter& rw, const Value& x, const Range& range, std::int64_t levels) {
  return rw.create(ops::FakeQuantize{.levels = levels}, {x, range.low, range.high, range.low, range.high});
}

// -- FakeQuantWithMinMax… ----------------------------------------------------------------------------------------------------------------

/// TensorFlow FakeQuantWithMinMaxVars: the range moves so that 0 is one of the levels, in f32: with scale = (max - min) / steps, the level of
/// 0 is lowest - min / scale, limited and rounded (halves away from zero).
struct Levels {
  float lowest = 0;
  float highest = 255;
};

std::pair<float, float> nudged(float low, float high, Levels levels) {
  const float scale = (high - low) / (levels.highest - levels.lowest);
  if (scale == 0) return {0.0F, 0.0F};
  const float exact = levels.lowest - low / scale;
  const float zero = exact < levels.lowest ? levels.lowest : exact > levels.highest ? levels.highest : std::round(exact);
  return {(levels.lowest - zero) * scale, (levels.highest - zero) * scale};
}

/// Errors: MO-TF-0654 for a range that is empty or infinite.
Expected<Range> nudged_constants(const Node& node, Rewriter& rw, const std::vector<double>& low, const std::vector<double>& high, const Shape& shape,
                                 Levels levels) {
  std::vector<double> lows;
  std::vector<double> highs;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (!std::isfinite(low[i]) || !std::isfinite(high[i]) || low[i] > high[i])
      return node.error("MO-TF-0654", "the range from {} to {} is none", low[i], high[i]).hint("min must not be above max");
    const auto [first, last] = nudged(static_cast<float>(low[i]), static_cast<float>(high[i]), levels);
    lows.push_back(first);
    highs.push_back(last);
  }
  MO_ASSIGN(Tensor first, from_reals(ElementType::f32, shape, lows));
  MO_ASSIGN(Tensor last, from_reals(ElementType::f32, shape, highs));
  return Range{rw.constant(std::move(first)), rw.constant(std::move(last))};
}

Range nudged_values(const Arithmetic& a, const Range& range, Levels levels) {
  const Value lowest = a.number(levels.lowest);
  const Value highest = a.number(levels.highest);
  const Value scale = a.divide(a.subtract(range.high, range.low), a.number(levels.highest - levels.lowest));
  // A range of one number, which TensorFlow takes for 0, has no scale to divide by.
  const Value divisor = a.if_zero(scale, a.number(1), scale);
  const Value exact = a.subtract(lowest, a.divide(range.low, divisor));
  const Value zero = a.rounded(a.limited(exact, lowest, highest), ops::RoundMode::half_away_from_zero);
  return {a.multiply(a.subtract(lowest, zero), scale), a.multiply(a.subtract(highest, zero), scale)};
}

/// FakeQuantWithMinMaxVars(x, min, max) -> FakeQuantize(x, low, high, low, high); a range per channel broadcasts along the last dimension
Replacement fake_quant(const Node& node, Rewriter& rw) {
  const bool has_attributes = node.has_attr("min");
  if (auto there = expect_inputs(node, has_attributes ? 1 : 3); !there) return std::move(there).error();
  const std::int64_t steps = (std::int64_t{1} << number(node, "num_bits")) - 1;
  const std::int64_t lowest = flag(node, "narrow_range") ? 1 : 0;
  const Levels levels{static_cast<float>(lowest), static_cast<float>(steps)};
  auto range = [&]() -> Expected<Range> {
    if (has_attributes) return nudged_constants(node, rw, {node.attr<double>("min").value_or(0)}, {node.attr<double>("max").value_or(0)}, {}, levels);
    const auto low = known_reals(node.input(1));
    const auto high = known_reals(node.input(2));
    const auto shape = known_type(node.input(1)).shape.to_shape();
    if (low && high && shape && low->size() == high->size()) return nudged_constants(node, rw, *low, *high, *shape, levels);
    return nudged_values(Arithmetic(rw, ElementType::f32), {node.input(1), node.input(2)}, levels);
  }();
  if (!range) return std::move(range).error();
  return fake_quantize(rw, node.input(0), *range, steps - lowest + 1);
}

// -- QuantizeAndDequantize… --------------------------------------------------------------------------------------------------------------

/// The integers that the numbers stand for.
struct IntegerRange {
  double lowest = 0;
  double highest = 0;
};

/// The range of the data: of all of it, or with `axis` for each element of that dimension.
Range range_of(Rewriter& rw, const Value& x, std::int64_t axis) {
  Value axes = axes_from(rw, x, 0);
  if (axis >= 0) {
    std::vector<std::int64_t> before;
    for (std::int64_t i = 0; i < axis; ++i) before.push_back(i);
    axes = axes_from(rw, x, axis + 1);
    if (axis > 0) axes = rw.create(ops::Concat{.axis = 0}, rw.integers(before), axes);
  }
  return {rw.create(ops::ReduceMin{.keep_dims = true}, x, axes), rw.create(ops::ReduceMax{.keep_dims = true}, x, axes)};
}

/// The number of bits: an attribute, or input 3. Errors: MO-TF-0650, MO-TF-0655 (not a constant).
Expected<std::int64_t> bits_of(const Node& node) {
  if (node.has_attr("num_bits")) return number(node, "num_bits");
  const auto bits = known_integers(node.input(3));
  if (!bits || bits->size() != 1)
    return node.error("MO-TF-0655", "num_bits is computed in the model").hint("make it a constant of the model: the IR has it as an attribute");
  const std::int64_t least = flag(node, "is_signed") ? 2 : 1;
  if ((*bits)[0] < least || (*bits)[0] > 24)
    return node.error("MO-TF-0650", "num_bits is {}, which is outside of [{}, 24]", (*bits)[0], least).hint("check how the model was exported");
  return (*bits)[0];
}

/// TensorFlow QuantizeAndDequantizeV2: one step is as wide as makes both ends of the range fit the integers; 0 stays 0.
Value step_of(const Arithmetic& a, const Range& range, IntegerRange integers) {
  Value step = a.larger(a.divide(range.high, a.number(integers.highest)), a.number(0));
  if (integers.lowest < 0) step = a.larger(step, a.divide(range.low, a.number(integers.lowest)));
  return step;
}

/// QuantizeAndDequantizeV2(x, min, max) -> FakeQuantize for a range that is constant, else Round(Clamp(x) / step) * step
Replacement quantize_and_dequantize(const Node& node, Rewriter& rw) {
  const bool has_attributes = node.has_attr("input_min");
  const bool given = flag(node, "range_given");
  const bool bits_are_input = !node.has_attr("num_bits");
  if (auto there = expect_inputs(node, bits_are_input ? 4 : given && !has_attributes ? 3 : 1); !there) return std::move(there).error();
  auto bits = bits_of(node);
  if (!bits) return std::move(bits).error();
  const std::int64_t half = std::int64_t{1} << (*bits - 1);
  IntegerRange integers{0, static_cast<double>(2 * half - 1)};
  if (flag(node, "is_signed")) integers = {static_cast<double>(flag(node, "narrow_range") ? 1 - half : -half), static_cast<double>(half - 1)};
  const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(-1);
  const Value x = node.input(0);
  const Arithmetic a(rw, type_at(node, "type"));
  Range range;
  bool constant = false;
  if (!given) {
    range = range_of(rw, x, axis);
  } else if (has_attributes) {
    range = {a.number(node.attr<double>("input_min").value_or(0)), a.number(node.attr<double>("input_max").value_or(0))};
    constant = true;
  } else {
    range = {node.input(1), node.input(2)};
    constant = known_constant(range.low) && known_constant(range.high);
    if (axis >= 0) range = {along_axis(rw, range.low, x, axis), along_axis(rw, range.high, x, axis)};
  }
  const Value step = step_of(a, range, integers);
  const Range limits{a.multiply(step, a.number(integers.lowest)), a.multiply(step, a.number(integers.highest))};
  if (constant) return fake_quantize(rw, x, limits, static_cast<std::int64_t>(integers.highest - integers.lowest) + 1);
  const Value scale = a.if_zero(step, a.number(0), a.divide(a.number(1), step));
  const Value scaled = a.multiply(a.limited(x, limits.low, limits.high), scale);
  const bool up = node.attr<std::string>("round_mode") == "HALF_UP";
  const Value whole = up ? rw.create(ops::Floor{}, a.add(scaled, a.number(0.5))) : a.rounded(scaled, ops::RoundMode::half_to_even);
  return a.multiply(whole, step);
}

// -- QuantizeV2, Dequantize --------------------------------------------------------------------------------------------------------------

IntegerRange integers_of(ElementType type) {
  const double count = std::ldexp(1.0, static_cast<int>(bit_width(type)));
  return is_signed(type) ? IntegerRange{-count / 2, count / 2 - 1} : IntegerRange{0, count - 1};
}

/// A range as it broadcasts to x: numbers, or vectors along `axis`.
Range broadcast_range(Rewriter& rw, const Range& range, const Value& x, std::int64_t axis) {
  return axis < 0 ? range : Range{along_axis(rw, range.low, x, axis), along_axis(rw, range.high, x, axis)};
}

/// TensorFlow QuantizeV2: the range contains 0 and is at least `least_range` of its larger end (or of 1) wide.
Range widened(const Arithmetic& a, const Range& range, double least_range) {
  const Value zero = a.number(0);
  const Value size = a.larger(a.number(1), a.larger(a.magnitude(range.low), a.magnitude(range.high)));
  const Value low = a.smaller(zero, range.low);
  const Value high = a.larger(zero, a.larger(range.high, a.add(low, a.multiply(size, a.number(least_range)))));
  return {low, high};
}

/// TensorFlow QuantizeV2, mode SCALED: the smaller of the two scales that make the ends of the range fit. The upper end is above 0 always.
Value common_scale(const Arithmetic& a, const Range& range, IntegerRange integers) {
  const Value from_high = a.divide(a.number(integers.highest), range.high);
  if (integers.lowest == 0) return from_high;
  const Value from_low = a.divide(a.number(integers.lowest), range.low);
  return a.smaller(a.if_negative(range.low, from_low, from_high), from_high);
}

/// QuantizeV2(x, min, max): the integers, and the range that they stand for
Replacement quantize(const Node& node, Rewriter& rw) {
  if (auto there = expect_inputs(node, 3); !there) return std::move(there).error();
  const std::string mode = node.attr<std::string>("mode").value_or("");
  const ElementType type = type_at(node, "type");
  const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(-1);
  const Value x = node.input(0);
  const Arithmetic a(rw, ElementType::f32);
  IntegerRange integers = integers_of(type);
  Range range = widened(a, {node.input(1), node.input(2)}, node.attr<double>("least_range").value_or(0.01));
  Value whole;
  if (mode == "SCALED") {
    if (flag(node, "narrow_range")) integers.lowest += 1;
    const Value scale = common_scale(a, range, integers);
    range = {a.divide(a.number(integers.lowest), scale), a.divide(a.number(integers.highest), scale)};
    const Range limits = broadcast_range(rw, range, x, axis);
    const Value factor = axis < 0 ? scale : along_axis(rw, scale, x, axis);
    const auto rounding = flag(node, "half_to_even") ? ops::RoundMode::half_to_even : ops::RoundMode::half_away_from_zero;
    whole = a.rounded(a.multiply(a.limited(x, limits.low, limits.high), factor), rounding);
  } else {
    const Range limits = broadcast_range(rw, range, x, axis);
    const Value scale = a.divide(a.number(integers.highest - integers.lowest), a.subtract(limits.high, limits.low));
    if (mode == "MIN_FIRST") {
      const Value first = a.rounded(a.multiply(limits.low, scale), ops::RoundMode::half_away_from_zero);
      const Value scaled = a.rounded(a.multiply(x, scale), ops::RoundMode::half_away_from_zero);
      whole = a.subtract(scaled, a.subtract(first, a.number(integers.lowest)));
    } else {
      // MIN_COMBINED: from the lower end on; for signed integers that is moved by half of their count.
      const Value from_low = a.multiply(a.subtract(a.limited(x, limits.low, limits.high), limits.low), scale);
      whole = a.rounded(integers.lowest < 0 ? a.add(from_low, a.number(integers.lowest)) : from_low, ops::RoundMode::half_away_from_zero);
    }
    whole = rw.create(ops::Clamp{.min = integers.lowest, .max = integers.highest}, whole);
  }
  Outputs outputs = {rw.create(ops::Convert{.destination_type = type}, whole), range.low, range.high};
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (i >= node.out_port_count() || node.out_port(i).disconnected()) outputs[i] = {};
  return outputs;
}

/// Dequantize(x, min, max): the numbers that the integers stand for
Replacement dequantize(const Node& node, Rewriter& rw) {
  if (auto there = expect_inputs(node, 3); !there) return std::move(there).error();
  const std::string mode = node.attr<std::string>("mode").value_or("");
  const Value x = node.input(0);
  const Arithmetic a(rw, ElementType::f32);
  IntegerRange integers = integers_of(type_at(node, "type"));
  const Range range = broadcast_range(rw, {node.input(1), node.input(2)}, x, node.attr<std::int64_t>("axis").value_or(-1));
  const Value real = rw.create(ops::Convert{.destination_type = ElementType::f32}, x);
  Value y;
  if (mode == "SCALED") {
    if (flag(node, "narrow_range")) integers.lowest += 1;
    Value step = a.divide(range.high, a.number(integers.highest));
    if (integers.lowest < 0) step = a.larger(a.divide(range.low, a.number(integers.lowest)), step);
    y = a.multiply(real, step);
  } else {
    const Value step = a.divide(a.subtract(range.high, range.low), a.number(integers.highest - integers.lowest));
    const Value above = integers.lowest < 0 ? a.subtract(real, a.number(integers.lowest)) : real;
    Value first = range.low;
    // MIN_FIRST: 0 is one of the levels, so the lower end is a whole number of steps.
    if (mode == "MIN_FIRST") {
      const Value steps = a.rounded(a.divide(range.low, a.if_zero(step, a.number(1), step)), ops::RoundMode::half_away_from_zero);
      first = a.if_zero(step, range.low, a.multiply(steps, step));
    }
    y = a.add(a.multiply(above, step), first);
  }
  const ElementType result = type_at(node, "result_type");
  return result == ElementType::f32 ? y : rw.create(ops::Convert{.destination_type = result}, y);
}

}  // namespace

void register_quantization(PassRegistry& passes) {
  passes.add(front_replacement_op("TfFakeQuant").replace_op(fake_quant));
  passes.add(front_replacement_op("TfQuantizeAndDequantize").replace_op(quantize_and_dequantize));
  passes.add(front_replacement_op("TfQuantize").replace_op(quantize));
  passes.add(front_replacement_op("TfDequantize").replace_op(dequantize));
}

}  // namespace mo::front::tensorflow
