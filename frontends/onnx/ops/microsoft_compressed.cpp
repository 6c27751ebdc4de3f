#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/constant_tensor.hpp"
#include "frontends/onnx/ops/support/packed_numbers.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"

namespace mo::onnx {
namespace {

/// How MatMulNBits packs a matrix of `rows` x `columns`: each row is cut into blocks with a scale each, the last one
/// filled up.
struct Packing {
  std::int64_t bits;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t block;

  std::int64_t blocks() const { return (columns + block - 1) / block; }
  std::int64_t bytes_of_block() const { return block * bits / 8; }
  /// Zero points of one row are packed, too.
  std::int64_t bytes_of_zero_points() const { return (blocks() * bits + 7) / 8; }
  ElementType type() const { return bits == 4 ? ElementType::u4 : ElementType::u8; }
};

/// Errors: MO-ONNX-0444 for what cannot stay packed, MO-ONNX-0445 for impossible sizes.
Expected<Packing> packing_of(const FrameworkNode& node) {
  node.ignore({"accuracy_level"}, "it allows kernels to round the data; without it they compute as exactly as the IR");
  if (const auto prepacked = node.attr<std::int64_t>("weight_prepacked", 0))
    return node
        .error("MO-ONNX-0444", "weight_prepacked is {}: the weights are in the order of one kind of device", prepacked)
        .hint("export the model without prepacking (weight_prepacked=0)");
  const Packing p{.bits = node.attr<std::int64_t>("bits", 4),
                  .rows = node.required<std::int64_t>("N"),
                  .columns = node.required<std::int64_t>("K"),
                  .block = node.required<std::int64_t>("block_size")};
  if (node.failure()) return *node.failure();
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  constexpr std::int64_t kLargestBlock = 1 << 16;
  if (p.bits != 4 && p.bits != 8)
    return node.error("MO-ONNX-0444", "weights have {} bits", p.bits)
        .hint("constants of an IR have 4 or 8: quantise the model to one of them");
  if (p.rows < 1 || p.rows > kMost || p.columns < 1 || p.columns > kMost || p.block < 2 || p.block > kLargestBlock ||
      p.block % 2 != 0)
    return node.error("MO-ONNX-0445", "N is {}, K is {}, block_size is {}", p.rows, p.columns, p.block)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (node.has_input(4))
    return node.error("MO-ONNX-0444", "the columns are reordered (g_idx), so that blocks are not next to each other")
        .hint("quantise the model without reordering (act_order, desc_act)");
  return p;
}

/// MatMulNBits: a [.., K] * b^T. Inputs: a, b [N, blocks, bytes] (u8), scales [N * blocks], zero points: packed like b
/// or real [N * blocks], by default the middle of the range; an order of the columns, which is refused; bias [N]. b
/// stays packed in the file.
Replacement matmul_of_bits(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Packing p, packing_of(node));
  const auto packed = constant_tensor(node.input(1));
  const auto scale = constant_tensor(node.input(2));
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
  MO_ASSIGN(Tensor weights,
            Tensor::from_buffer(p.type(), {p.rows, p.blocks(), p.block}, packed->buffer(), packed->offset()));
  const Shape per_block = {p.rows, p.blocks(), 1};
  const Value scales = rw.constant(scale->reshaped(per_block));
  std::vector<Value> inputs = {rw.constant(std::move(weights)), scales};

  Value real_zero_points;
  if (!node.input(3)) {
    MO_ASSIGN(Tensor middle, from_integers(p.type(), {}, {std::int64_t{1} << (p.bits - 1)}));
    inputs.push_back(rw.constant(std::move(middle)));
  } else {
    const auto zero_points = constant_tensor(node.input(3));
    const bool packed_too = zero_points && zero_points->element_type() == ElementType::u8;
    if (!zero_points || zero_points->element_count() != p.rows * (packed_too ? p.bytes_of_zero_points() : p.blocks()) ||
        (!packed_too && !is_real(zero_points->element_type())))
      return node.error("MO-ONNX-0445", "the zero points are not constants for {} x {} blocks", p.rows, p.blocks())
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    if (packed_too) {
      MO_ASSIGN(Tensor numbers, unpacked_rows(*zero_points, p.bits, p.rows, p.blocks(), {p.rows, p.blocks(), 1}));
      inputs.push_back(rw.constant(std::move(numbers)));
    } else {
      real_zero_points = as_type(rw, rw.constant(zero_points->reshaped(per_block)), scale->element_type());
    }
  }
  Value b = rw.create(ops::CompressedWeights{}, inputs);
  // (q - zero) * scale = q * scale - zero * scale
  if (real_zero_points) b = rw.create(ops::Subtract{}, b, rw.create(ops::Multiply{}, real_zero_points, scales));
  b = rw.create(ops::Reshape{}, b, rw.integers({p.rows, p.blocks() * p.block}));
  if (p.blocks() * p.block != p.columns) b = slice_along(rw, b, 1, 0, p.columns);
  const Value y = rw.create(ops::MatMul{.transpose_b = true}, node.input(0), as_type_of(rw, b, node.input(0)));
  return node.input(5) ? rw.create(ops::Add{}, y, node.input(5)) : y;
}

}  // namespace

void register_microsoft_compressed(OperatorTable& table) {
  table.translate("com.microsoft::MatMulNBits", since(1), matmul_of_bits);
}

}  // namespace mo::onnx
