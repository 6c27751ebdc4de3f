#pragma once

#include "core/graph/values.hpp"
#include "core/pass/rewriter.hpp"

/// Building blocks for translators and replacers. Where ranks, sizes and types are known they give plain constants;
/// where they are not (a front replacer, a dynamic model), small shape computations of the same meaning.
namespace mo::build {

/// i64 vector of the dimensions.
Value shape_of(Rewriter& rw, const Value& x);
/// i64 scalar.
Value rank_of(Rewriter& rw, const Value& x);
/// i64 scalar: the size along `axis`, which may be negative.
Value dimension_of(Rewriter& rw, const Value& x, std::int64_t axis);
/// i64 vector first, first + 1 … rank - 1; empty when first >= rank.
Value axes_from(Rewriter& rw, const Value& x, std::int64_t first);
/// i64 vector of `count` (an i64 scalar) ones.
Value ones(Rewriter& rw, const Value& count);

/// A scalar of the element type of `x`.
Value number_like(Rewriter& rw, const Value& x, double number);
/// `value` with the element type of `like`.
Value as_type_of(Rewriter& rw, const Value& value, const Value& like);
/// `value` with this element type.
Value as_type(Rewriter& rw, const Value& value, ElementType type);

/// A vector as a tensor that broadcasts along dimension `axis` of `x`: [C] -> [C, 1, …, 1]. A negative axis counts from
/// the back.
Value along_axis(Rewriter& rw, const Value& vector, const Value& x, std::int64_t axis);
/// A vector of one element per channel: [C] -> [1, C, 1, …, 1] of the rank of `x`.
Value per_channel(Rewriter& rw, const Value& vector, const Value& x);
/// The same for a known number of spatial dimensions.
Value per_channel(Rewriter& rw, const Value& vector, std::size_t spatial_rank);

/// All elements in one dimension.
Value flattened(Rewriter& rw, const Value& x);

}  // namespace mo::build
