#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// What fusions ask of shapes that meet in ops which broadcast (numpy's rule).
namespace mo::transformations {

/// Nothing that is known of types and shapes contradicts `by` in the place of `old`.
bool can_stand_for(const Value& old, const Value& by);

/// The axes of a reduction if these are a Const: from the front, sorted. Nothing when something is unknown.
std::optional<std::vector<std::int64_t>> reduced_axes(const Node& reduction);

/// Whether the result of a reduction, dimensions kept or not, is aligned with its data when both meet in an op that
/// broadcasts.
bool meets_its_data(const Node& reduction);

/// The dimensions of `shape` are stretched when a tensor of that shape meets one of shape `other`; unknown ones may be.
bool is_stretched_by(const PartialShape& shape, const Shape& other);

/// Whether a constant may give `value` another shape where both meet in an op that broadcasts. One number never does.
bool may_be_stretched_by(const Value& value, const Value& constant);

/// All elements of a Const that is not large; nothing for anything else.
std::optional<std::vector<double>> constant_reals_of(const Value& value);

/// A real Const of the type of `like` (f32 while that is unknown).
Value reals_like(Rewriter& rw, const Value& like, const Shape& shape, const std::vector<double>& values);

/// The shape of a Const.
const Shape& shape_of_constant(const Value& constant);

}  // namespace mo::transformations
