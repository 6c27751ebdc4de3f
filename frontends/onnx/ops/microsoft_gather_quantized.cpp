#include <algorithm>
#include <functional>
#include <numeric>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/constant_tensor.hpp"
#include "frontends/onnx/ops/support/packed_numbers.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"

namespace mo::onnx {
namespace {

/// How GatherBlockQuantized stores a tensor: along `axis`, each block of elements has a scale.
struct BlockedTable {
  Shape shape;  ///< of the elements
  std::size_t axis = 0;
  std::size_t gather_axis = 0;
  std::int64_t block = 0;
  std::int64_t bits = 0;  ///< of elements that are given as bytes; 0: data have a type of 4 bits
  ElementType type = ElementType::u4;

  std::int64_t blocks() const { return (shape[axis] + block - 1) / block; }
  Shape with_blocks(std::int64_t elements_of_block) const {
    Shape blocked = shape;
    blocked[axis] = blocks();
    blocked.insert(blocked.begin() + static_cast<std::ptrdiff_t>(axis) + 1, elements_of_block);
    return blocked;
  }
  /// Of scales and zero points.
  Shape shape_of_scales() const {
    Shape scales = shape;
    scales[axis] = blocks();
    return scales;
  }
  /// All dimensions but the last one.
  std::int64_t rows() const {
    return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
  }
};

/// Errors: MO-ONNX-0484 for attributes and types that do not belong together.
Expected<BlockedTable> blocked_table(const FrameworkNode& node, const Tensor& data) {
  BlockedTable table;
  table.shape = data.shape();
  const auto rank = static_cast<std::int64_t>(table.shape.size());
  const auto axis = normalize_axis(node.attr<std::int64_t>("quantize_axis", 1), rank);
  const auto gather_axis = normalize_axis(node.attr<std::int64_t>("gather_axis", 0), rank);
  const auto bits = node.attr<std::int64_t>("bits", 4);
  table.block = node.attr<std::int64_t>("block_size", 128);
  const bool in_bytes = data.element_type() == ElementType::u8;
  if (!axis || !gather_axis || *axis == *gather_axis || table.block < 1 || data.element_count() == 0)
    return node.error("MO-ONNX-0484", "data of shape {} with blocks of {}", to_string(data.shape()), table.block)
        .hint("quantize_axis and gather_axis are two axes of the data; export the model again with a newer exporter");
  table.axis = static_cast<std::size_t>(*axis);
  table.gather_axis = static_cast<std::size_t>(*gather_axis);
  if (in_bytes ? bits != 4 && bits != 8 : bits != 4)
    return node.error("MO-ONNX-0484", "data of type {} have {} bits", to_string(data.element_type()), bits)
        .hint("constants of an IR have 4 or 8: quantise the model to one of them");
  table.type = in_bytes && bits == 8 ? ElementType::u8 : in_bytes ? ElementType::u4 : data.element_type();
  if (in_bytes) table.bits = bits;
  if (table.bits == 4) {
    if (table.axis + 1 != table.shape.size())
      return node.error("MO-ONNX-0484", "two elements share a byte, and blocks are not along the last axis")
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    table.shape.back() *= 2;
  }
  table.block = std::min(table.block, table.shape[table.axis]);  // a larger one is not filled
  return table;
}

/// Elements with the last block filled up, in blocks.
Expected<Tensor> in_blocks(const Tensor& elements, const BlockedTable& table) {
  const Shape blocked = table.with_blocks(table.block);
  if (table.shape[table.axis] == table.blocks() * table.block) return elements.reshaped(blocked);
  MO_ASSIGN(const std::vector<std::int64_t> numbers, to_integers(elements));
  std::int64_t inner = 1;
  for (std::size_t i = table.axis + 1; i < table.shape.size(); ++i) inner *= table.shape[i];
  const auto have = static_cast<std::ptrdiff_t>(table.shape[table.axis] * inner);
  const auto more = static_cast<std::size_t>((table.blocks() * table.block - table.shape[table.axis]) * inner);
  std::vector<std::int64_t> filled;
  for (auto at = numbers.begin(); at != numbers.end(); at += have) {
    filled.insert(filled.end(), at, at + have);
    filled.resize(filled.size() + more, 0);
  }
  return from_integers(table.type, blocked, filled);
}

/// Zero points as [.., blocks, 1, ..]; nothing when they are 0.
Expected<std::optional<Tensor>> zero_points_of(const FrameworkNode& node, const BlockedTable& table) {
  if (!node.input(3)) {
    if (table.bits == 0) return std::optional<Tensor>();
    MO_ASSIGN(Tensor middle, from_integers(table.type, {}, {std::int64_t{1} << (table.bits - 1)}));
    return std::optional(std::move(middle));
  }
  const auto given = constant_tensor(node.input(3));
  const std::int64_t count =
      table.rows() * (table.axis + 1 == table.shape.size() ? table.blocks() : table.shape.back());
  Shape packed = table.shape_of_scales();
  if (table.bits == 4) packed.back() = (packed.back() + 1) / 2;
  if (!given || given->shape() != packed || given->element_type() != (table.bits == 0 ? table.type : ElementType::u8))
    return node
        .error("MO-ONNX-0484", "the zero points are not a constant of shape {} and the type of the data",
               to_string(packed))
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (table.bits != 4) return std::optional(given->reshaped(table.with_blocks(1)));
  MO_ASSIGN(Tensor numbers, unpacked_rows(*given, 4, table.rows(), count / table.rows(), table.with_blocks(1)));
  return std::optional(std::move(numbers));
}

/// GatherBlockQuantized(data, indices, scales, zero points) -> Gather((data - zero point) * scale); data stay packed in
/// the file.
Replacement gather_block_quantized(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const auto data = constant_tensor(node.input(0));
  const auto scales = constant_tensor(node.input(2));
  const auto is_packed = [](ElementType t) {
    return t == ElementType::u4 || t == ElementType::i4 || t == ElementType::u8;
  };
  if (!data || !scales || !is_packed(data->element_type()) || !is_real(scales->element_type()))
    return node.error("MO-ONNX-0484", "the data or their scales are not constants of 4 or 8 bits and of a real type")
        .hint("data that are computed cannot stay packed: make them an initializer of the model");
  MO_ASSIGN(const BlockedTable table, blocked_table(node, *data));
  if (scales->shape() != table.shape_of_scales())
    return node
        .error("MO-ONNX-0484", "scales have shape {}, {} is expected", to_string(scales->shape()),
               to_string(table.shape_of_scales()))
        .hint("there is one scale for each block; export the model again with a newer exporter");
  Tensor elements = *data;
  if (table.bits == 4) {
    MO_ASSIGN(elements, Tensor::from_buffer(table.type, table.shape, data->buffer(), data->offset()));
  }
  MO_ASSIGN(Tensor blocked, in_blocks(elements, table));
  MO_ASSIGN(auto zero_points, zero_points_of(node, table));
  std::vector<Value> inputs = {rw.constant(std::move(blocked)), rw.constant(scales->reshaped(table.with_blocks(1)))};
  if (zero_points) inputs.push_back(rw.constant(*std::move(zero_points)));
  Shape whole = table.shape;
  whole[table.axis] = table.blocks() * table.block;
  Value x = rw.create(ops::Reshape{}, rw.create(ops::CompressedWeights{}, inputs), rw.integers(whole));
  if (whole != table.shape) x = slice_along(rw, x, static_cast<std::int64_t>(table.axis), 0, table.shape[table.axis]);
  return rw.create(ops::Gather{}, x, node.input(1), rw.scalar(static_cast<std::int64_t>(table.gather_axis)));
}

}  // namespace

void register_microsoft_gather_quantized(OperatorTable& table) {
  table.translate("com.microsoft::GatherBlockQuantized", since(1), gather_block_quantized);
}

}  // namespace mo::onnx
