#include "core/types/partial_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/misuse.hpp"

namespace mo {

Dimension& PartialShape::no_axis(std::size_t axis) const {
  throw Misuse(ranked_ ? fmt::format("dimension {} of the shape {} was used", axis, to_string())
                       : fmt::format("dimension {} of a shape of unknown rank was used", axis));
}

namespace {

std::int64_t value_of(std::int64_t dim) { return dim; }
std::int64_t value_of(const Dimension& dim) { return dim.value(); }

template <class Dims>
std::optional<std::int64_t> product_of(const Dims& dims) {
  std::int64_t count = 1;
  bool overflow = false;
  bool zero = false;
  for (const auto& each : dims) {
    const std::int64_t dim = value_of(each);
    if (dim < 0) return std::nullopt;
    if (dim == 0) zero = true;
    if (dim != 0 && __builtin_mul_overflow(count, dim, &count)) overflow = true;
  }
  if (zero) return 0;
  return overflow ? std::nullopt : std::optional(count);
}

}  // namespace

std::optional<std::int64_t> element_count(const Shape& shape) { return product_of(shape); }

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

bool PartialShape::is_static() const {
  return ranked_ && std::all_of(dims_.begin(), dims_.end(), [](const Dimension& d) { return d.is_known(); });
}

std::optional<Shape> PartialShape::to_shape() const {
  if (!is_static()) return std::nullopt;
  Shape shape(dims_.size());
  std::transform(dims_.begin(), dims_.end(), shape.begin(), [](const Dimension& d) { return d.value(); });
  return shape;
}

std::optional<std::int64_t> PartialShape::element_count() const {
  return is_static() ? product_of(dims_) : std::nullopt;
}

bool PartialShape::compatible(const PartialShape& other) const { return merge(other).has_value(); }

std::optional<PartialShape> PartialShape::merge(const PartialShape& other) const {
  if (!ranked_) return other;
  if (!other.ranked_) return *this;
  if (size() != other.size()) return std::nullopt;
  PartialShape merged = *this;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto dim = dims_[i].merge(other.dims_[i]);
    if (!dim) return std::nullopt;
    merged.dims_[i] = *dim;
  }
  return merged;
}

std::string PartialShape::to_string() const {
  if (!ranked_) return "[...]";
  std::string text = "[";
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    if (i > 0) text += ',';
    text += dims_[i].to_string();
  }
  return text + "]";
}

std::optional<PartialShape> broadcast(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return PartialShape::unknown_rank();
  const std::size_t rank = std::max(a.size(), b.size());
  PartialShape result = PartialShape::of_rank(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dimension x = i + a.size() < rank ? Dimension(1) : a[i + a.size() - rank];
    const Dimension y = i + b.size() < rank ? Dimension(1) : b[i + b.size() - rank];
    if (x == Dimension(1)) {
      result[i] = y;
    } else if (y == Dimension(1)) {
      result[i] = x;
    } else if (x.same_value(y)) {
      result[i] = x.is_known() ? x : *x.merge(y);
    } else if (x.is_known() && y.is_known()) {
      return std::nullopt;
    } else if (x.min() > 1 || y.min() > 1) {
      // One side is certainly not stretched; the other equals it or is 1.
      const Dimension& fixed = x.min() > 1 ? x : y;
      const Dimension& other = x.min() > 1 ? y : x;
      if (other.min() > 1) {
        const auto merged = fixed.merge(other);
        if (!merged) return std::nullopt;
        result[i] = *merged;
      } else {
        if (!fixed.compatible(other) && !other.compatible(Dimension(1))) return std::nullopt;
        result[i] = fixed;
      }
    } else if (x.is_known() || y.is_known()) {
      // A known 0 (a known value > 1 went the branch above): the result is 0.
      result[i] = x.is_known() ? x : y;
    } else {
      // Neither is known and both may be 1: anything up to the larger bound.
      result[i] = {std::min(x.min(), y.min()), std::max(x.max(), y.max())};
    }
  }
  return result;
}

std::string TensorType::to_string() const {
  return fmt::format("{}{}", mo::to_string(element_type), shape.to_string());
}

std::optional<std::int64_t> normalize_axis(std::int64_t axis, std::int64_t rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

}  // namespace mo
