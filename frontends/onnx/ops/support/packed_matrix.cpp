#include "frontends/onnx/ops/support/packed_matrix.hpp"

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/constant_tensor.hpp"
#include "frontends/onnx/ops/support/packed_numbers.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"

namespace mo::onnx {

Value ordered(Rewriter& rw, const Value& x, const ColumnOrder& order) {
  return order.empty() ? x : rw.create(ops::Gather{}, x, rw.integers(order), rw.scalar<std::int64_t>(-1));
}

Expected<Value> matrix_of_bits(const FrameworkNode& node, Rewriter& rw, const Packing& p, const PackedMatrix& matrix,
                               const ColumnOrder& order) {
  const auto packed = constant_tensor(matrix.weights);
  const auto scale = constant_tensor(matrix.scales);
  if (!packed || !scale || packed->element_type() != ElementType::u8 || !is_real(scale->element_type()))
    return node.error("MO-ONNX-0445", "the packed matrix or its scales are not constants of type u8 and a real type")
        .hint("a matrix that is computed cannot stay packed: make it an initializer of the model");
  const auto wanted = byte_size(ElementType::u8, p.rows * p.blocks() * p.bytes_of_block());
  if (!wanted || packed->byte_size() != *wanted || scale->element_count() != p.rows * p.blocks())
    return node
        .error("MO-ONNX-0445",
               "{} x {} weights of {} bits in blocks of {} need {} scales; there are {} bytes and {} scales", p.rows,
               p.columns, p.bits, p.block, p.rows * p.blocks(), packed->byte_size(), scale->element_count())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const Shape blocked = {p.rows, p.blocks(), p.block};
  const Shape flat = {p.rows, p.blocks() * p.block};
  MO_ASSIGN(Tensor weights,
            Tensor::from_buffer(p.type(), order.empty() ? blocked : flat, packed->buffer(), packed->offset()));
  Value numbers = rw.constant(std::move(weights));
  if (!order.empty()) {
    // A Gather of packed numbers takes eight times the memory of one of bytes.
    numbers = ordered(rw, as_type(rw, numbers, ElementType::u8), order);
    numbers = rw.create(ops::Reshape{}, as_type(rw, numbers, p.type()), rw.integers(blocked));
  }
  const Shape per_block = {p.rows, p.blocks(), 1};
  const Value scales = rw.constant(scale->reshaped(per_block));
  std::vector<Value> inputs = {numbers, scales};

  Value real_zero_points;
  if (!matrix.zero_points) {
    MO_ASSIGN(Tensor middle, from_integers(p.type(), {}, {std::int64_t{1} << (p.bits - 1)}));
    inputs.push_back(rw.constant(std::move(middle)));
  } else {
    const auto zero_points = constant_tensor(matrix.zero_points);
    const bool packed_too = zero_points && zero_points->element_type() == ElementType::u8;
    if (!zero_points || zero_points->element_count() != (packed_too ? p.bytes_of_zero_points() : p.rows * p.blocks()) ||
        (!packed_too && !is_real(zero_points->element_type())))
      return node.error("MO-ONNX-0445", "the zero points are not constants for {} x {} blocks", p.rows, p.blocks())
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    if (packed_too) {
      MO_ASSIGN(Tensor unpacked, unpacked_rows(*zero_points, p.bits, p.runs(), p.zero_points_of_run(), per_block));
      inputs.push_back(rw.constant(std::move(unpacked)));
    } else {
      real_zero_points = as_type(rw, rw.constant(zero_points->reshaped(per_block)), scale->element_type());
    }
  }
  Value b = rw.create(ops::CompressedWeights{}, inputs);
  // (q - zero) * scale = q * scale - zero * scale
  if (real_zero_points) b = rw.create(ops::Subtract{}, b, rw.create(ops::Multiply{}, real_zero_points, scales));
  b = rw.create(ops::Reshape{}, b, rw.integers({p.rows, p.blocks() * p.block}));
  if (p.blocks() * p.block != p.columns) b = slice_along(rw, b, 1, 0, p.columns);
  return b;
}

}  // namespace mo::onnx
