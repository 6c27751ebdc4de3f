#include "extensions/back/support/fourier_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/fourier.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"

namespace mo::back {
namespace {

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;

/// A transform along one axis: how many numbers go in and come out, and how many parts (real, imaginary) each of them has.
struct AxisTransform {
  std::int64_t length = 0;  ///< of the signal
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  int input_parts = 2;
  int output_parts = 2;
  bool is_inverse = false;

  bool is_to_real() const { return output_parts == 1; }
};

/// The cosine of turns / of full turns, exactly 0, 1 or -1 at quarters of a turn.
double cosine(std::int64_t turns, std::int64_t of) {
  constexpr std::array<double, 4> kOfQuarters = {1, 0, -1, 0};
  if (const std::int64_t quarters = 4 * (turns % of); quarters % of == 0) return kOfQuarters[static_cast<std::size_t>(quarters / of)];
  return std::cos(2 * std::numbers::pi * static_cast<double>(turns % of) / static_cast<double>(of));
}

double sine(std::int64_t turns, std::int64_t of) {
  constexpr std::array<double, 4> kOfQuarters = {0, 1, 0, -1};
  if (const std::int64_t quarters = 4 * (turns % of); quarters % of == 0) return kOfQuarters[static_cast<std::size_t>(quarters / of)];
  return std::sin(2 * std::numbers::pi * static_cast<double>(turns % of) / static_cast<double>(of));
}

/// The number at row (input, part) and column (output, part). Inputs behind those that the signal has do not count.
double coefficient(const AxisTransform& of, std::int64_t input, int input_part, std::int64_t output, int output_part) {
  const std::int64_t used = of.is_to_real() ? of.length / 2 + 1 : of.length;
  if (input >= used) return 0;
  // e^(-i angle), or e^(i angle) of the inverse, as a matrix of two rows and two columns.
  const bool is_negative = (input_part == 0) != of.is_inverse;
  const double cross = is_negative ? 0 - sine(input * output, of.length) : sine(input * output, of.length);
  double value = input_part == output_part ? cosine(input * output, of.length) : cross;
  if (of.is_inverse) value /= static_cast<double>(of.length);
  const bool has_mirror = of.is_to_real() && input > 0 && 2 * input != of.length;
  return has_mirror ? 2 * value : value;
}

Expected<Tensor> matrix_of(const AxisTransform& of, ElementType type) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < of.inputs; ++i)
    for (int p = 0; p < of.input_parts; ++p)
      for (std::int64_t k = 0; k < of.outputs; ++k)
        for (int q = 0; q < of.output_parts; ++q) numbers.push_back(coefficient(of, i, p, k, q));
  return from_reals(type, {of.inputs * of.input_parts, of.outputs * of.output_parts}, numbers);
}

/// The dimensions of the signal with `axis` behind the others.
std::vector<std::int64_t> with_axis_last(std::size_t rank, std::size_t axis) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin() + static_cast<std::ptrdiff_t>(axis), order.begin() + static_cast<std::ptrdiff_t>(axis) + 1, order.end());
  return order;
}

/// `x` with the dimensions of the signal in this order; the parts stay behind them.
Value transposed(Rewriter& rw, const Value& x, std::vector<std::int64_t> order, int parts) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  if (parts == 2) order.push_back(static_cast<std::int64_t>(order.size()));
  return rw.create(ops::Transpose{}, x, rw.integers(order));
}

/// All dimensions but the last of the signal stay, and those behind them become `last`.
Value with_last(Rewriter& rw, const Value& x, std::size_t rank, const std::vector<std::int64_t>& last) {
  std::vector<std::int64_t> target(rank - 1, 0);
  target.insert(target.end(), last.begin(), last.end());
  return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(target));
}

/// transpose(reshape(reshape(transpose(x)) * matrix))
Expected<Value> transformed(Rewriter& rw, const Value& data, std::size_t rank, std::size_t axis, const AxisTransform& of) {
  MO_ASSIGN(Tensor matrix, matrix_of(of, data.type().element_type));
  const std::vector<std::int64_t> order = with_axis_last(rank, axis);
  std::vector<std::int64_t> back(rank);
  for (std::size_t i = 0; i < rank; ++i) back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  Value x = transposed(rw, data, order, of.input_parts);
  if (of.input_parts == 2) x = with_last(rw, x, rank, {2 * of.inputs});
  x = rw.create(ops::MatMul{}, x, rw.constant(std::move(matrix)));
  if (of.output_parts == 2) x = with_last(rw, x, rank, {of.outputs, 2});
  return transposed(rw, x, back, of.output_parts);
}

}  // namespace

Replacement fourier_by_matrices(const Node& node, Rewriter& rw) {
  const bool is_from_real = node.is<ops::RDFT>();
  const bool is_to_real = node.is<ops::IRDFT>();
  const TensorType& type = node.input_type(0);
  const auto data_rank = type.rank();
  const auto given = integers_of(node.input(1));
  const auto lengths = node.input(2) ? integers_of(node.input(2)) : std::vector<std::int64_t>(given ? given->size() : 0, -1);
  if (type.shape.is_static()) return declined("all sizes are known");
  if (!data_rank || !given || given->empty() || !lengths || lengths->size() != given->size())
    return declined("the rank, the axes or the lengths of the signals are not known");
  const auto rank = static_cast<std::size_t>(*data_rank - (is_from_real ? 0 : 1));
  std::vector<std::pair<std::size_t, AxisTransform>> steps;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const auto axis = normalize_axis((*given)[i], static_cast<std::int64_t>(rank));
    const Dimension size = axis ? type.shape[static_cast<std::size_t>(*axis)] : Dimension();
    if (!size.is_known()) return declined("the size along an axis is not known");
    const bool is_last = i + 1 == given->size();
    AxisTransform step{.inputs = size.value(), .is_inverse = node.is<ops::IDFT>() || is_to_real};
    step.length = (*lengths)[i] != -1 ? (*lengths)[i] : is_last && is_to_real ? 2 * (step.inputs - 1) : step.inputs;
    step.input_parts = is_last && is_from_real ? 1 : 2;
    step.output_parts = is_last && is_to_real ? 1 : 2;
    step.outputs = is_last && is_from_real ? step.length / 2 + 1 : step.length;
    if (step.length < 1 || step.inputs < 1 || 4 * step.inputs * step.outputs > kMostNumbers) return declined("the signal is empty or long");
    steps.emplace_back(static_cast<std::size_t>(*axis), step);
  }
  // Only the last axis is real, at the side of the real numbers.
  if (is_from_real) std::rotate(steps.begin(), steps.end() - 1, steps.end());
  Value x = node.input(0);
  for (const auto& [axis, step] : steps) { MO_ASSIGN(x, transformed(rw, x, rank, axis, step)); }
  return x;
}

}  // namespace mo::back
