#pragma once

#include <initializer_list>
#include <string>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"

/// Integers that stand for a range of real numbers, as TensorFlow's quantised ops have them.
namespace mo::tensorflow {

/// The ends of what integers stand for.
struct RealRange {
  Term low;
  Term high;
};

/// The integers that the numbers stand for.
struct IntegerRange {
  double lowest = 0;
  double highest = 0;
};
/// All of the type; a narrow range is without the lowest one.
IntegerRange all_integers(ElementType type, bool narrow_range = false);

inline Term within(const Term& x, const Term& low, const Term& high) { return larger(smaller(x, high), low); }
inline Term rounded_away(const Term& x) { return x.apply(ops::Round{.mode = ops::RoundMode::half_away_from_zero}); }

/// One of the spellings, of which the first one is the default, or error MO-TF-0651.
Expected<std::string> read_choice(const FrameworkNode& node, std::string_view name,
                                  std::initializer_list<std::string_view> choices);

/// Integers of a type in [low, high], f32: what TensorFlow's FloatToQuantized and QuantizedToFloat (MIN_FIRST) do. Up
/// to 16 bits, 0 is one of the levels: the lower end is a whole number of steps. Integers of 32 bits lie around the
/// middle of the range, as in TensorFlow's Requantize; the distance of its levels from those of the definition is less
/// than f32 shows.
struct QuantizedLevels {
  ElementType type;
  Term step;
  Term scale;  ///< 1 / step
  /// the integer that stands for 0; of 32 bits: the real number that 0 stands for
  Term zero;
  std::optional<std::int64_t> zero_point;  ///< when that is known, and one of the type

  bool wide() const { return bit_width(type) == 32; }
  /// The integers of the type, minus `zero`; not for 32 bits.
  Term whole(const Value& integers) const;
  /// The same for weights, which stay as they are in the file.
  Term whole_weights(const Value& integers) const;
  /// The real numbers, times `factor`; one multiplication where that is possible.
  Term real(const Value& integers, const Term& factor) const;
  Term real(const Value& integers) const { return real(integers, step.number(1)); }
  /// The integers for real numbers, which were multiplied by `scale`.
  Value integers(const Term& scaled) const;
};
QuantizedLevels levels_of(ElementType type, const RealRange& range);

/// Levels around 0, as in mode SCALED: the larger end of the range is the highest integer.
QuantizedLevels scaled_levels_of(ElementType type, const RealRange& range);

/// What all integers of 32 bits stand for when each is a step.
RealRange range_of_sums(const Term& step);

/// Inputs i (low) and i + 1 (high).
inline RealRange range_at(const FrameworkNode& node, Rewriter& rw, std::size_t i) {
  return {term(rw, node.input(i)), term(rw, node.input(i + 1))};
}

/// Error MO-TF-0652 unless input i has integers of 8, 16 or 32 bits; `widest` limits that.
Expected<ElementType> quantised_input(const FrameworkNode& node, std::size_t i, std::size_t widest = 16);

}  // namespace mo::tensorflow
