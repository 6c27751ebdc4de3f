#include "transformations/support/fourier_matrix.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"

namespace mo::transformations {
namespace {

using build::Term;

constexpr std::int64_t kMostConstantNumbers = std::int64_t{1} << 22;
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 28;

/// A transform of which all numbers are known.
struct KnownAxis {
  std::int64_t inputs = 0;
  std::int64_t length = 0;
  std::int64_t outputs = 0;
  bool is_inverse = false;
  bool is_mirrored = false;
};

/// The numbers of `axis`, where they and all conditions are known.
std::optional<KnownAxis> known_numbers(const FourierAxis& axis) {
  const auto inputs = single_integer_of(axis.inputs);
  const auto length = single_integer_of(axis.length);
  const auto outputs = single_integer_of(axis.outputs);
  if (!inputs || !length || !outputs || axis.is_transformed.known != true || !axis.is_mirrored.known)
    return std::nullopt;
  return KnownAxis{.inputs = *inputs,
                   .length = *length,
                   .outputs = *outputs,
                   .is_inverse = axis.is_inverse,
                   .is_mirrored = *axis.is_mirrored.known};
}

/// The cosine of turns / of full turns, exactly 0, 1 or -1 at quarters of a turn.
double cosine(std::int64_t turns, std::int64_t of) {
  constexpr std::array<double, 4> kOfQuarters = {1, 0, -1, 0};
  if (const std::int64_t quarters = 4 * (turns % of); quarters % of == 0)
    return kOfQuarters[static_cast<std::size_t>(quarters / of)];
  return std::cos(2 * std::numbers::pi * static_cast<double>(turns % of) / static_cast<double>(of));
}

double sine(std::int64_t turns, std::int64_t of) {
  constexpr std::array<double, 4> kOfQuarters = {0, 1, 0, -1};
  if (const std::int64_t quarters = 4 * (turns % of); quarters % of == 0)
    return kOfQuarters[static_cast<std::size_t>(quarters / of)];
  return std::sin(2 * std::numbers::pi * static_cast<double>(turns % of) / static_cast<double>(of));
}

/// The number at row (input, part) and column (output, part). Inputs beyond those that the signal has do not count.
double coefficient(const KnownAxis& of, std::int64_t input, int input_part, std::int64_t output, int output_part) {
  const std::int64_t used = of.is_mirrored ? of.length / 2 + 1 : of.length;
  if (input >= used) return 0;
  // e^(-i angle), or e^(i angle) of the inverse, as a matrix of two rows and two columns.
  const bool is_negative = (input_part == 0) != of.is_inverse;
  const double cross = is_negative ? 0 - sine(input * output, of.length) : sine(input * output, of.length);
  double value = input_part == output_part ? cosine(input * output, of.length) : cross;
  if (of.is_inverse) value /= static_cast<double>(of.length);
  const bool has_mirror = of.is_mirrored && input > 0 && 2 * input != of.length;
  return has_mirror ? 2 * value : value;
}

Expected<Value> constant_matrix(Rewriter& rw, const KnownAxis& of, int input_parts, int output_parts,
                                ElementType type) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < of.inputs; ++i)
    for (int p = 0; p < input_parts; ++p)
      for (std::int64_t k = 0; k < of.outputs; ++k)
        for (int q = 0; q < output_parts; ++q) numbers.push_back(coefficient(of, i, p, k, q));
  MO_ASSIGN(Tensor matrix, from_reals(type, {of.inputs * input_parts, of.outputs * output_parts}, numbers));
  return rw.constant(std::move(matrix));
}

/// What the rows or the columns of a matrix stand for, in f32.
struct Side {
  Term element;
  std::optional<Term> part;  ///< 0: real, 1: imaginary; nothing where all are real
  Term place;                ///< 2 * element + part
};

/// Numbers the elements along one side; `other` is the dimension of the other one.
Side side(Rewriter& rw, const Value& elements, int parts, std::int64_t other) {
  if (parts == 1) {
    const Term element = build::count_up(rw, elements, ElementType::f32).unsqueezed({other});
    return {element, std::nullopt, element * 2};
  }
  const Term count = build::term(rw, elements) * 2;
  const auto known = single_integer_of(count);
  const Term place =
      build::count_up(rw, known ? rw.scalar(*known) : count.value(), ElementType::f32).unsqueezed({other});
  const Term element = build::floored(place * 0.5);
  return {element, place - element * 2, place};
}

/// What the rows of a matrix are multiplied by: 0 for data that do not count, and what a mirrored signal has twice;
/// nothing for ones.
std::optional<Term> weights(const FourierAxis& axis, const Term& row, const Term& length) {
  if (axis.inputs == axis.length && axis.is_mirrored.known == false) return std::nullopt;
  const Term used = choose(axis.is_mirrored, build::floored(length * 0.5) + 1, length);
  const Term one = row.number(1);
  const Term zero = row.number(0);
  const Term counts = build::choose(build::less(row, used), one, zero);
  if (axis.is_mirrored.known == false) return counts;
  const Term has_mirror = build::both(
      build::greater(row, 0), build::less(row * 2, length).test(ops::LogicalOr{}, build::less(length, row * 2)));
  return counts * choose(axis.is_mirrored, build::choose(has_mirror, row.number(2), one), one);
}

/// cos(2 pi row * column / length), a quarter of a turn further where real and imaginary parts meet, which makes it a
/// sine. Turns are whole numbers, t of 4 * length, as long as possible: cos(pi t / (2 length)) = sin(pi / 2 (|t - 2
/// length| - length) / length), which is exactly 0 where it should be.
Value computed_matrix(Rewriter& rw, const FourierAxis& axis, ElementType type) {
  const Side rows = side(rw, axis.inputs, axis.input_parts, 1);
  const Side columns = side(rw, axis.outputs, axis.output_parts, 0);
  const Term length = build::term(rw, axis.length).as(ElementType::f32);
  Term turns = (rows.element * columns.element).apply(ops::FloorMod{}, length) * 4;
  const Term quarter = axis.is_inverse ? length * -1 : length;
  if (columns.part) turns = turns + *columns.part * quarter;
  if (rows.part) turns = turns - *rows.part * quarter;
  if (columns.part || rows.part) turns = turns.apply(ops::FloorMod{}, length * 4);
  Term matrix = ((build::absolute(turns - length * 2) - length) / length * (std::numbers::pi / 2)).apply(ops::Sin{});
  if (axis.is_inverse) matrix = matrix / length;
  if (const auto factors = weights(axis, rows.element, length)) matrix = matrix * *factors;
  if (axis.is_transformed.known != true) {
    const Term same = build::choose(build::equal(rows.place, columns.place), matrix.number(1), matrix.number(0));
    matrix = choose(axis.is_transformed, matrix, same);
  }
  return matrix.as(type);
}

}  // namespace

Term choose(const Condition& condition, const Term& yes, const Term& no) {
  if (condition.known) return *condition.known ? yes : no;
  if (yes.value() == no.value()) return yes;
  return build::choose(Term(yes.rewriter(), condition.computed, ElementType::boolean), yes, no);
}

Expected<std::optional<Value>> fourier_matrix(Rewriter& rw, const FourierAxis& axis, ElementType type) {
  const auto inputs = single_integer_of(axis.inputs);
  const auto outputs = single_integer_of(axis.outputs);
  const std::int64_t parts = std::int64_t{axis.input_parts} * axis.output_parts;
  const bool is_known = inputs && outputs;
  if (is_known && *inputs > 0 && *outputs > kMostNumbers / parts / *inputs) return std::optional<Value>();
  const auto known = known_numbers(axis);
  if (!known || *inputs * *outputs * parts > kMostConstantNumbers)
    return std::optional(computed_matrix(rw, axis, type));
  MO_ASSIGN(const Value matrix, constant_matrix(rw, *known, axis.input_parts, axis.output_parts, type));
  return std::optional(matrix);
}

}  // namespace mo::transformations
