#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Error MO-OPS-0106 unless input `i` (called `name` in messages) may have exactly one element.
Expected<void> expect_one_element(const InferContext& ctx, std::size_t i, std::string_view name);

/// The shape `data` when `other` (called `name` in messages) broadcasts to it by numpy rules without changing it. A
/// dimension of `other` above 1 says what an unknown one of `data` is. Error MO-OPS-0107.
Expected<PartialShape> expect_fits_into(const InferContext& ctx, const PartialShape& data, const PartialShape& other,
                                        std::string_view name);

/// The value of input `i`, which has one element, in evaluation.
Expected<double> one_real(const EvalContext& ctx, std::size_t i);

}  // namespace mo::ops
