#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// Building blocks for front replacers, which know no shapes and few types. With a constant, a Parameter or a known rank they give plain
/// constants at once; otherwise small shape computations, which RankFolding and ConstantFolding reduce to constants later.
namespace mo::front {

/// What the front phase knows of a tensor: the type of a constant or a Parameter, also behind Identity; else unknown.
TensorType known_type(const Value& value);
/// The shape of a tensor, also behind quantisation, which keeps it.
PartialShape known_shape(const Value& value);
/// The tensor when `value` is a constant, also behind Identity. It may be a file: `load` it.
std::optional<Tensor> known_constant(const Value& value);
/// All elements of a constant of up to `kMostKnownElements`; nothing otherwise.
inline constexpr std::int64_t kMostKnownElements = 4096;
std::optional<std::vector<double>> known_reals(const Value& value);
std::optional<std::vector<std::int64_t>> known_integers(const Value& value);
/// The tensor certainly has one element.
bool has_one_element(const Value& value);

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

/// A vector as a tensor that broadcasts along dimension `axis` of `x`: [C] -> [C, 1, …, 1]. A negative axis counts from the back.
Value along_axis(Rewriter& rw, const Value& vector, const Value& x, std::int64_t axis);
/// A vector of one element per channel: [C] -> [1, C, 1, …, 1] of the rank of `x`.
Value per_channel(Rewriter& rw, const Value& vector, const Value& x);
/// The same for a known number of spatial dimensions.
Value per_channel(Rewriter& rw, const Value& vector, std::size_t spatial_rank);

/// All elements in one dimension.
Value flattened(Rewriter& rw, const Value& x);

}  // namespace mo::front
