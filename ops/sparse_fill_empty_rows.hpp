#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Gives each row of a sparse matrix at least one element. Inputs: values [M], size of the matrix [2], place of each
/// value [M, 2] (row, column), the value for empty rows (a scalar). Outputs: places [M', 2] in row-major order, values
/// [M'], and which rows were empty: they have the value at column 0 now.
struct SparseFillEmptyRows {
  static constexpr OpId id{"SparseFillEmptyRows", 16};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.outputs = 3, .shape_inputs = 0b110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
