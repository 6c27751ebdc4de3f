#pragma once

#include "ops/support/infer.hpp"

namespace mo::ops {

/// Error MO-OPS-0006 unless inputs `indices` hold integers (absent ones and unknown types pass).
Expected<void> expect_integers(const InferContext& ctx, std::initializer_list<std::size_t> indices);
/// As above, of one of the two types that the IR has for indices and sizes: i32 or i64.
Expected<void> expect_indices(const InferContext& ctx, std::initializer_list<std::size_t> indices);
/// Error MO-OPS-0225 unless `type` is i32 or i64.
Expected<void> expect_index_type(const InferContext& ctx, std::string_view attribute, ElementType type);

/// Error MO-OPS-0226 unless input `i` is a scalar (of rank 0), or of unknown rank.
Expected<void> expect_scalar(const InferContext& ctx, std::size_t i);

/// Number of elements of a list input (a vector, or a scalar as a list of one), when known.
std::optional<std::size_t> list_length(const InferContext& ctx, std::size_t i);
/// The elements of a list input, unknown ones among them; unknown ones only when just the length is known; nothing when
/// not even that is, or when it is not a sensible length of a list of dimensions.
std::optional<std::vector<Dimension>> list_elements(const InferContext& ctx, std::size_t i);
/// The shape that a list input describes. Error MO-OPS-0005 for a negative dimension.
Expected<PartialShape> described_shape(const InferContext& ctx, std::size_t i);
/// The size that a scalar input of i32 or i64 gives; unknown when it is not known. Error MO-OPS-0005 for a negative
/// one, MO-OPS-0226 for a list.
Expected<Dimension> described_size(const InferContext& ctx, std::size_t i);
/// The only element of an input; unknown when it is not known or not one element.
Dimension scalar_element(const InferContext& ctx, std::size_t i);

/// Two dimensions that must have the same value. Error MO-OPS-0204, saying what `a` and `b` are (`what`).
Expected<Dimension> merge_dimensions(const InferContext& ctx, const Dimension& a, const Dimension& b,
                                     std::string_view what);
/// The shape that both are. Error MO-OPS-0204.
Expected<PartialShape> merge_shapes(const InferContext& ctx, const PartialShape& a, const PartialShape& b,
                                    std::string_view what);

/// Indices of a dimension of `size`, all in [0, size). Error MO-OPS-0203 for one outside, and for a negative one unless
/// `from_back`.
Expected<std::vector<std::int64_t>> checked_indices(const EvalContext& ctx, std::size_t i, std::int64_t size,
                                                    bool from_back);
/// One index by these rules.
Expected<std::int64_t> checked_index(const EvalContext& ctx, std::int64_t index, std::int64_t size, bool from_back);

/// `axis` of a tensor whose shape inference has seen, counted from the front. Error MO-OPS-0012.
Expected<std::int64_t> checked_axis(const EvalContext& ctx, std::int64_t axis, std::int64_t rank);
/// The only element of an integer input. Error MO-OPS-0226 when it does not have exactly one.
Expected<std::int64_t> only_integer(const EvalContext& ctx, std::size_t i);

}  // namespace mo::ops
