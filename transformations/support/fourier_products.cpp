#include "transformations/support/fourier_products.hpp"

#include <algorithm>
#include <numeric>

#include "ops/build/term.hpp"
#include "ops/fourier.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/chosen_axes.hpp"
#include "transformations/support/fourier_matrix.hpp"

namespace mo::transformations {
namespace {

using build::Term;

/// The node and what all its axes share.
struct Transform {
  Node node;
  std::size_t rank = 0;  ///< of the signal: the dimension of real and imaginary parts does not count
  bool is_from_real = false;
  bool is_to_real = false;
  bool is_inverse = false;
};

std::optional<Transform> transform_of(const Node& node) {
  Transform made{.node = node};
  made.is_from_real = node.is<ops::RDFT>();
  made.is_to_real = node.is<ops::IRDFT>();
  made.is_inverse = node.is<ops::IDFT>() || made.is_to_real;
  const auto rank = node.input_type(0).rank();
  if (!rank) return std::nullopt;
  made.rank = static_cast<std::size_t>(*rank - (made.is_from_real ? 0 : 1));
  return made;
}

Term constant(Rewriter& rw, std::int64_t number) { return {rw, rw.scalar<std::int64_t>(number), ElementType::i64}; }

/// `x` as a constant where it is known: what follows from constants is not computed when the model runs.
Term settled(const Term& x) {
  const auto known = single_integer_of(x);
  return known ? constant(x.rewriter(), *known) : x;
}

/// The size of the data along a dimension.
Term size_along(Rewriter& rw, const Value& data, std::size_t dimension) {
  if (const Dimension size = data.type().shape[dimension]; size.is_known()) return constant(rw, size.value());
  const Value shape = rw.create(ops::ShapeOf{.output_type = ElementType::i64}, data);
  const Value place = rw.scalar(static_cast<std::int64_t>(dimension));
  return {rw, rw.create(ops::v1::Gather{}, shape, place, rw.scalar<std::int64_t>(0)), ElementType::i64};
}

/// length / 2 + 1: how many elements of the spectrum of real numbers the others follow from.
Term half_of(const Term& length) {
  if (const auto known = single_integer_of(length)) return constant(length.rewriter(), *known / 2 + 1);
  return build::floored(length.as(ElementType::f32) * 0.5).as(ElementType::i64) + 1;
}

/// The last element of a vector, a scalar.
Value last_of(Rewriter& rw, const Value& vector) {
  const ops::StridedSlice op{.begin_mask = {0}, .end_mask = {1}};
  return build::as_scalar(rw, rw.create(op, vector, rw.integers({-1}), rw.integers({0}), rw.integers({1})));
}

/// The length of the signal along axis number `i`, a scalar.
Value length_at(Rewriter& rw, const Value& lengths, std::size_t i) {
  const Value place = rw.scalar(static_cast<std::int64_t>(i));
  const Value length =
      rw.create(ops::v1::Gather{}, build::as_type(rw, lengths, ElementType::i64), place, rw.scalar<std::int64_t>(0));
  return settled(Term(rw, length, ElementType::i64));
}

/// `given`: the length of the signal, -1 for that of the data; empty where the op has no such input.
FourierAxis axis_along(Rewriter& rw, const Transform& of, std::size_t dimension, Condition is_transformed,
                       Condition is_last, const Value& given) {
  FourierAxis axis{.dimension = dimension, .is_inverse = of.is_inverse, .is_transformed = std::move(is_transformed)};
  const Term size = size_along(rw, of.node.input(0), dimension);
  if (of.is_to_real) axis.is_mirrored = is_last;
  Term length = choose(axis.is_mirrored, settled((size - 1) * 2), size);
  if (const auto known = given ? single_integer_of(given) : std::nullopt) {
    if (*known != -1) length = constant(rw, *known);
  } else if (given) {
    length =
        build::choose(build::less(Term(rw, given, ElementType::i64), 0), length, Term(rw, given, ElementType::i64));
  }
  const Condition is_halved = of.is_from_real ? is_last : Condition{.known = false};
  axis.inputs = size;
  axis.length = length;
  axis.outputs = choose(axis.is_transformed, choose(is_halved, half_of(length), length), size);
  return axis;
}

std::vector<FourierAxis> known_axes(Rewriter& rw, const Transform& of, const std::vector<std::int64_t>& axes) {
  std::vector<FourierAxis> made;
  const Value lengths = of.node.input(2);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = normalize_axis(axes[i], static_cast<std::int64_t>(of.rank));
    if (!axis) return {};
    const Value given = lengths ? length_at(rw, lengths, i) : Value();
    made.push_back(
        axis_along(rw, of, static_cast<std::size_t>(*axis), {.known = true}, {.known = i + 1 == axes.size()}, given));
  }
  // Half of the spectrum of real numbers is left to the others.
  if (of.is_from_real) std::rotate(made.begin(), made.end() - 1, made.end());
  return made;
}

/// A transform along each dimension that is one of the axes.
std::vector<FourierAxis> computed_axes(Rewriter& rw, const Transform& of) {
  const Term axes(rw, counted_from_front(rw, of.node.input(1), of.rank), ElementType::i64);
  const bool has_last = of.is_from_real || of.is_to_real;
  const Value lengths = of.node.input(2) ? build::as_type(rw, of.node.input(2), ElementType::i64) : Value();
  const Value last = has_last ? last_of(rw, axes) : Value();
  std::vector<FourierAxis> made;
  for (std::size_t d = 0; d < of.rank; ++d) {
    const auto dimension = static_cast<double>(d);
    const Condition is_axis{.computed = is_among(rw, d, axes)};
    const Condition is_last = has_last
                                  ? Condition{.computed = build::equal(Term(rw, last, ElementType::i64), dimension)}
                                  : Condition{.known = false};
    Value length;
    if (lengths) {
      const Term along_it = build::choose(build::equal(axes, dimension), Term(rw, lengths, ElementType::i64), 0);
      length = build::reduced<ops::ReduceKind::sum>(along_it, {0}, false);
    }
    made.push_back(axis_along(rw, of, d, is_axis, is_last, length));
  }
  return made;
}

/// The dimensions of the signal with `axis` after the others.
std::vector<std::int64_t> with_axis_last(std::size_t rank, std::size_t axis) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin() + static_cast<std::ptrdiff_t>(axis), order.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
              order.end());
  return order;
}

/// `x` with the dimensions of the signal in this order; the parts stay after them.
Value transposed(Rewriter& rw, const Value& x, std::vector<std::int64_t> order, int parts) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  if (parts == 2) order.push_back(static_cast<std::int64_t>(order.size()));
  return rw.create(ops::Transpose{}, x, rw.integers(order));
}

/// All dimensions but the last of the signal stay, and those after them become `last`.
Value with_last(Rewriter& rw, const Value& x, std::size_t rank, const std::vector<std::int64_t>& last) {
  std::vector<std::int64_t> target(rank - 1, 0);
  target.insert(target.end(), last.begin(), last.end());
  return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(target));
}

/// `count` elements, -1 where it is computed.
std::int64_t number_or_rest(const Value& count) { return single_integer_of(count).value_or(-1); }

/// transpose(reshape(reshape(transpose(x)) * matrix))
Value product(Rewriter& rw, const Value& data, std::size_t rank, const FourierAxis& axis, const Value& matrix) {
  const std::vector<std::int64_t> order = with_axis_last(rank, axis.dimension);
  std::vector<std::int64_t> back(rank);
  for (std::size_t i = 0; i < rank; ++i) back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  Value x = transposed(rw, data, order, axis.input_parts);
  if (const std::int64_t inputs = number_or_rest(axis.inputs); axis.input_parts == 2)
    x = with_last(rw, x, rank, {inputs < 0 ? -1 : 2 * inputs});
  x = rw.create(ops::MatMul{}, x, matrix);
  if (axis.output_parts == 2) x = with_last(rw, x, rank, {number_or_rest(axis.outputs), 2});
  return transposed(rw, x, back, axis.output_parts);
}

bool is_known_to_be_empty(const FourierAxis& axis) {
  for (const Value& count : {axis.inputs, axis.length, axis.outputs})
    if (single_integer_of(count).value_or(1) < 1) return true;
  return false;
}

}  // namespace

bool has_known_sizes(const Node& transform) {
  return transform.input_type(0).shape.is_static() && transform.output_type().shape.is_static();
}

bool has_known_axes(const Node& transform) { return integers_of(transform.input(1)).has_value(); }

Replacement fourier_by_matrices(const Node& node, Rewriter& rw) {
  const auto transform = transform_of(node);
  if (!transform) return declined("the rank is unknown");
  const auto given = integers_of(node.input(1));
  std::vector<FourierAxis> axes = given ? known_axes(rw, *transform, *given) : computed_axes(rw, *transform);
  if (axes.empty()) return declined("there is no axis");
  // Transforms along different axes may take place in any order; between the first and the last one numbers are
  // complex.
  if (transform->is_from_real) axes.front().input_parts = 1;
  if (transform->is_to_real) axes.back().output_parts = 1;
  Value x = node.input(0);
  for (const FourierAxis& axis : axes) {
    if (is_known_to_be_empty(axis)) return declined("the signal is empty");
    MO_ASSIGN(const auto matrix, fourier_matrix(rw, axis, node.input_type(0).element_type));
    if (!matrix) return declined("the signal is too long for a matrix");
    x = product(rw, x, transform->rank, axis, *matrix);
  }
  return x;
}

}  // namespace mo::transformations
