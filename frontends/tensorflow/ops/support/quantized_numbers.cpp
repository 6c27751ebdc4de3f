#include "frontends/tensorflow/ops/support/quantized_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"
#include "ops/build/quantized.hpp"

namespace mo::tensorflow {
namespace {

/// x, or 1 where it is 0 and nothing could be divided by it.
Term divisor(const Term& x) { return choose(equal(x, 0), x.number(1), x); }

}  // namespace

IntegerRange all_integers(ElementType type, bool narrow_range) {
  const double count = std::ldexp(1.0, static_cast<int>(bit_width(type)));
  const IntegerRange range = is_signed(type) ? IntegerRange{-count / 2, count / 2 - 1} : IntegerRange{0, count - 1};
  return {narrow_range ? range.lowest + 1 : range.lowest, range.highest};
}

Expected<std::string> read_choice(const FrameworkNode& node, std::string_view name,
                                  std::initializer_list<std::string_view> choices) {
  const std::string text = node.attr(name, std::string(*choices.begin()));
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    return node.error("MO-TF-0651", "{} is {}", name, text)
        .hint("it is one of {}", fmt::format("{}", fmt::join(choices, ", ")));
  return text;
}

QuantizedLevels levels_of(ElementType type, const RealRange& range) {
  const IntegerRange integers = all_integers(type);
  const auto low = single_real_of(range.low);
  const auto high = single_real_of(range.high);
  if (bit_width(type) == 32) {
    const double count = std::ldexp(1.0, 32);
    if (low && high && *low < *high)
      return {type,
              range.low.number((*high - *low) / count),
              range.low.number(count / (*high - *low)),
              range.low.number((*low + *high) / 2),
              {}};
    const Term step = divisor((range.high - range.low) / count);
    return {type, step, 1 / step, (range.low + range.high) * 0.5, {}};
  }
  const double steps = integers.highest - integers.lowest;
  if (low && high && *low < *high) {
    // As TensorFlow, in double precision.
    const double zero = integers.lowest - std::round(*low * (steps / (*high - *low)));
    const bool inside = zero >= integers.lowest && zero <= integers.highest;
    return {type, range.low.number((*high - *low) / steps), range.low.number(steps / (*high - *low)),
            range.low.number(zero), inside ? std::optional(static_cast<std::int64_t>(zero)) : std::nullopt};
  }
  const Term step = divisor((range.high - range.low) / steps);
  const Term scale = 1 / step;
  return {type, step, scale, integers.lowest - rounded_away(range.low * scale), {}};
}

QuantizedLevels scaled_levels_of(ElementType type, const RealRange& range) {
  const Term end = larger(absolute(range.low), absolute(range.high));
  const Term step = divisor(end / all_integers(type).highest);
  return {type, step, 1 / step, end.number(0), 0};
}

RealRange range_of_sums(const Term& step) {
  const double half = std::ldexp(1.0, 31);
  return {step * -half, step * half};
}

Term QuantizedLevels::whole(const Value& integers) const {
  const Term x = Term(step.rewriter(), integers, type).as(ElementType::f32);
  return zero_point == 0 ? x : x - zero;
}

Term QuantizedLevels::whole_weights(const Value& integers) const {
  Rewriter& rw = step.rewriter();
  if (!zero_point) return whole(integers);
  const auto point = from_integers(type, {}, {*zero_point});
  return {rw, weights_without_zero_point(rw, integers, point ? rw.constant(*point) : Value(), ElementType::f32),
          ElementType::f32};
}

Term QuantizedLevels::real(const Value& integers, const Term& factor) const {
  if (!wide()) return whole(integers) * (step * factor);
  const Term x = Term(step.rewriter(), integers, type).as(ElementType::f32);
  return single_real_of(zero) == 0.0 ? x * (step * factor) : (x * step + zero) * factor;
}

Value QuantizedLevels::integers(const Term& scaled) const {
  const IntegerRange range = all_integers(type);
  // The largest f32 below 2^31 is 128 less.
  const double highest = wide() ? range.highest - 127 : range.highest;
  const bool is_shifted = zero_point != 0 && single_real_of(zero) != 0.0;
  Term whole = rounded_away(wide() && is_shifted ? scaled - zero * scale : scaled);
  if (!wide() && is_shifted) whole = whole + zero;
  return whole.apply(ops::Clamp{.min = range.lowest, .max = highest}).as(type);
}

Expected<ElementType> quantised_input(const FrameworkNode& node, std::size_t i, std::size_t widest) {
  const ElementType type = node.input_type(i).element_type;
  if (is_integral(type) && bit_width(type) >= 8 && bit_width(type) <= widest) return type;
  return node
      .error("MO-TF-0652", "input {} is of type {}, expected an integer of 8 to {} bits", i, to_string(type), widest)
      .hint("quantise the model again, or cut it around the op with --input and --output");
}

}  // namespace mo::tensorflow
