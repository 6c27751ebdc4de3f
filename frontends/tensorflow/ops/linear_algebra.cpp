#include <limits>

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/inverse.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {
namespace {

/// MatrixInverse of [..., n, n]; of the transposed matrices with `adjoint`, which is the transposed inverse. Error
/// MO-TF-0641 for matrices that are not square.
Replacement matrix_inverse(const FrameworkNode& node, Rewriter& rw) {
  const Value x = node.input(0);
  const PartialShape& shape = type_of(x).shape;
  const auto rank = shape.has_rank() ? shape.size() : 0;
  const auto size = [&](std::size_t from_back) { return rank >= 2 ? shape[rank - from_back] : Dimension(); };
  if (shape.has_rank() && (rank < 2 || (size(1).is_known() && size(2).is_known() && size(1) != size(2))))
    return node.error("MO-TF-0641", "{} holds no square matrices", shape.to_string())
        .hint("the last two dimensions are equal; check the model, or the shape given with --input_shape");
  const Dimension& rows = size(1).is_known() ? size(1) : size(2);
  const Value result = inverse(rw, x, rows.is_known() ? rows.value() : 0);
  if (!node.attr("adjoint", false)) return result;
  const Value axes = axes_from(rw, x, 0);
  const Value order =
      join(rw, {slice_along(rw, axes, 0, 0, -2), slice_along(rw, axes, 0, -1, std::numeric_limits<std::int64_t>::max()),
                slice_along(rw, axes, 0, -2, -1)});
  return rw.create(ops::Transpose{}, result, order);
}

}  // namespace

void register_linear_algebra(OperatorTable& table) {
  table.translate("MatrixInverse", of_numbers(1, matrix_inverse));
  table.translate("BatchMatrixInverse", of_numbers(1, matrix_inverse));
}

}  // namespace mo::tensorflow
