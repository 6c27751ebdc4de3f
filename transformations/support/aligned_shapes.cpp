#include "transformations/support/aligned_shapes.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

bool can_stand_for(const Value& old, const Value& by) {
  const TensorType& was = old.type();
  const TensorType& is = by.type();
  const bool same_type = was.element_type == is.element_type || was.element_type == ElementType::dynamic ||
                         is.element_type == ElementType::dynamic;
  return same_type && was.shape.compatible(is.shape);
}

std::optional<std::vector<std::int64_t>> reduced_axes(const Node& reduction) {
  const Value axes = reduction.input(1);
  const auto rank = reduction.input_type(0).rank();
  if (!axes || !axes.node().is<Const>() || !rank) return std::nullopt;
  return known_axes(axes, *rank);
}

bool meets_its_data(const Node& reduction) {
  if (reduction.attr<bool>("keep_dims").value_or(false)) return true;
  const auto axes = reduced_axes(reduction);
  if (!axes) return false;
  // Dimensions before a removed one move to the right: nothing changes when they are 1.
  const PartialShape& shape = reduction.input_type(0).shape;
  const auto last = axes->empty() ? 0 : static_cast<std::size_t>(axes->back());
  for (std::size_t i = 0; i < last; ++i)
    if (std::find(axes->begin(), axes->end(), static_cast<std::int64_t>(i)) == axes->end() && shape[i] != Dimension(1))
      return false;
  return true;
}

bool is_stretched_by(const PartialShape& shape, const Shape& other) {
  if (!shape.has_rank() || other.size() > shape.size()) return true;
  const std::size_t shift = shape.size() - other.size();
  for (std::size_t i = 0; i < other.size(); ++i)
    if (other[i] != 1 && shape[shift + i] != Dimension(other[i])) return true;
  return false;
}

bool may_be_stretched_by(const Value& value, const Value& constant) {
  const Shape& shape = shape_of_constant(constant);
  return element_count(shape) != 1 && is_stretched_by(value.type().shape, shape);
}

std::optional<std::vector<double>> constant_reals_of(const Value& value) {
  return value && value.node().is<Const>() ? reals_of(value, std::int64_t{1} << 24) : std::nullopt;
}

Value reals_like(Rewriter& rw, const Value& like, const Shape& shape, const std::vector<double>& values) {
  const ElementType type = type_of(like).element_type;
  auto tensor = from_reals(type == ElementType::dynamic ? ElementType::f32 : type, shape, values);
  if (!tensor) {
    rw.fail(std::move(tensor).error());
    return {};
  }
  return rw.constant(*std::move(tensor));
}

const Shape& shape_of_constant(const Value& constant) { return constant.node().as<Const>()->value.shape(); }

}  // namespace mo::transformations
