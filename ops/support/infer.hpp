#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The element type that inputs `indices` share; `dynamic` ones agree with everything. Error MO-OPS-0002 when they
/// differ.
Expected<ElementType> common_element_type(const InferContext& ctx, std::initializer_list<std::size_t> indices);

/// The element type of input 0, which is that of the result, where `others` may be of another real type: FP16 IRs of
/// the original tool have f32 slopes and priors beside f16 data. Error MO-OPS-0006 unless all of them are real.
Expected<ElementType> element_type_of_data(const InferContext& ctx, std::initializer_list<std::size_t> others);

/// numpy broadcast of the shapes of two inputs. Error MO-OPS-0004 with both shapes when they do not fit.
Expected<PartialShape> broadcast_shapes(const InferContext& ctx, const PartialShape& a, const PartialShape& b);

/// Axes counted from the front. Errors: MO-OPS-0012 (outside of [-rank, rank)), MO-OPS-0013 (twice the same).
Expected<std::vector<std::int64_t>> normalize_axes(const InferContext& ctx, const std::vector<std::int64_t>& axes,
                                                   std::int64_t rank);
using mo::normalize_axis;  // beside the one below, which would hide it
Expected<std::int64_t> normalize_axis(const InferContext& ctx, std::int64_t axis, std::int64_t rank);

/// The shape that a shape input (a 1-D tensor of dimensions) describes: its known elements as dimensions, the others
/// unknown. When nothing of its value is known, the rank comes from its length; unknown rank when that is unknown too.
/// Error MO-OPS-0005 for a negative dimension.
Expected<PartialShape> shape_from_input(const InferContext& ctx, std::size_t i);

/// Error MO-OPS-0006 unless the element type of input `i` is dynamic or passes `accepts` (described as "a real type").
Expected<void> expect_element_type(const InferContext& ctx, std::size_t i, bool (*accepts)(ElementType),
                                   std::string_view description);

}  // namespace mo::ops
