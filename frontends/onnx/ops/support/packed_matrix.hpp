#pragma once

#include <vector>

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Matrices of 4- and 8-bit numbers with a scale for each block, as com.microsoft's operators have them.
namespace mo::onnx {

/// How a matrix of `rows` x `columns` is packed: each row is cut into blocks with a scale each, the last one filled up.
struct Packing {
  std::int64_t bits;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t block;
  /// How often packed zero points, one for each block, begin at a whole byte; 0: at each row.
  std::int64_t zero_point_runs = 0;

  std::int64_t blocks() const { return (columns + block - 1) / block; }
  std::int64_t bytes_of_block() const { return block * bits / 8; }
  std::int64_t runs() const { return zero_point_runs > 0 ? zero_point_runs : rows; }
  std::int64_t zero_points_of_run() const { return rows * blocks() / runs(); }
  std::int64_t bytes_of_zero_points() const { return runs() * ((zero_points_of_run() * bits + 7) / 8); }
  ElementType type() const { return bits == 4 ? ElementType::u4 : ElementType::u8; }
};

/// Packed weights of rows * blocks * bytes (u8), scales, one for each block, and zero points: packed like the weights,
/// or real, one for each block; when empty, the middle of the range. Their shapes do not matter.
struct PackedMatrix {
  Value weights;
  Value scales;
  Value zero_points;
};

/// For each column of the matrix, filled up, the stored one that it is; empty when that is the same one.
using ColumnOrder = std::vector<std::int64_t>;

/// The columns of `x`, along its last axis, in the order.
Value ordered(Rewriter& rw, const Value& x, const ColumnOrder& order);

/// The matrix [rows, columns], its columns in `order`; it stays packed in the file (CompressedWeights). Error
/// MO-ONNX-0445 for what is not constant or does not fit the packing.
Expected<Value> matrix_of_bits(const FrameworkNode& node, Rewriter& rw, const Packing& p, const PackedMatrix& matrix,
                               const ColumnOrder& order = {});

}  // namespace mo::onnx
