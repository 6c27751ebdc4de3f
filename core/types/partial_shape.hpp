#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/types/dimension.hpp"
#include "core/types/element_type.hpp"

namespace mo {

/// A completely known shape, outermost dimension first; {} is a scalar.
using Shape = std::vector<std::int64_t>;

/// Number of elements; nothing when a dimension is negative or the product overflows.
std::optional<std::int64_t> element_count(const Shape& shape);
/// "[1,3,224,224]", "[]" for a scalar.
std::string to_string(const Shape& shape);

/// A shape of which rank or dimensions may be unknown.
class PartialShape {
 public:
  PartialShape() = default;  ///< unknown rank
  PartialShape(std::initializer_list<Dimension> dims) : dims_(dims), ranked_(true) {}
  explicit PartialShape(std::vector<Dimension> dims) : dims_(std::move(dims)), ranked_(true) {}
  explicit PartialShape(const Shape& shape) : dims_(shape.begin(), shape.end()), ranked_(true) {}

  static PartialShape unknown_rank() { return {}; }
  static PartialShape of_rank(std::size_t rank) { return PartialShape(std::vector<Dimension>(rank)); }

  bool has_rank() const { return ranked_; }
  /// The rank as a signed number, which is what axis arithmetic wants; nothing when unknown.
  std::optional<std::int64_t> rank() const {
    return ranked_ ? std::optional<std::int64_t>(static_cast<std::int64_t>(dims_.size())) : std::nullopt;
  }
  /// Number of dimensions; only with a known rank.
  std::size_t size() const { return dims_.size(); }
  /// Misuse when there is no such axis.
  const Dimension& operator[](std::size_t axis) const { return axis < dims_.size() ? dims_[axis] : no_axis(axis); }
  Dimension& operator[](std::size_t axis) { return axis < dims_.size() ? dims_[axis] : no_axis(axis); }
  const std::vector<Dimension>& dims() const { return dims_; }
  std::vector<Dimension>& dims() { return dims_; }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }

  /// Rank and all dimensions are known.
  bool is_static() const;
  /// The shape, when it is static.
  std::optional<Shape> to_shape() const;
  /// Number of elements when static and it does not overflow.
  std::optional<std::int64_t> element_count() const;

  bool operator==(const PartialShape&) const = default;
  bool compatible(const PartialShape& other) const;
  /// What is known when both hold; nothing when they contradict each other.
  std::optional<PartialShape> merge(const PartialShape& other) const;

  /// "[1,3,?,2..8]"; "[...]" for unknown rank.
  std::string to_string() const;

 private:
  [[noreturn]] Dimension& no_axis(std::size_t axis) const;
  std::vector<Dimension> dims_;
  bool ranked_ = false;
};

/// numpy broadcasting: aligned at the innermost dimension, 1 stretches. Nothing when the shapes contradict each other.
std::optional<PartialShape> broadcast(const PartialShape& a, const PartialShape& b);

/// What flows over an edge, before its value: element type and shape.
struct TensorType {
  ElementType element_type = ElementType::dynamic;
  PartialShape shape;

  std::optional<std::int64_t> rank() const { return shape.rank(); }
  bool operator==(const TensorType&) const = default;
  /// "f32[1,?]".
  std::string to_string() const;
};

/// `axis` counted from the front when it lies in [-rank, rank); nothing otherwise.
std::optional<std::int64_t> normalize_axis(std::int64_t axis, std::int64_t rank);

}  // namespace mo
