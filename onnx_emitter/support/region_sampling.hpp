#pragma once

#include <vector>

#include "onnx_emitter/support/detection.hpp"
#include "onnx_emitter/support/sizes.hpp"

/// Pooling of regions as products of matrices: what a bin takes of an image is a weight for each row times a weight for
/// each column. R regions, N images.
namespace mo::onnx_emitter::regions {

/// One column of the regions [R, 5]: the image, x1, y1, x2, y2; as [R, 1].
inline Value column(Translation& t, const Value& all, std::int64_t which) {
  return detection::sliced(t, all, 1, which, which + 1);
}

/// The size of a dimension of input 0, a vector of one f32.
inline Value size_of_data(Translation& t, std::int64_t axis) {
  return t.cast(sizes::part(t, t.op("Shape", {t.input(0)}), 0, axis, axis + 1), ElementType::f32);
}

/// The numbers of the elements along a dimension of input 0: [size], f32.
inline Value elements(Translation& t, std::int64_t axis) {
  const Value size = t.op("Gather", {t.op("Shape", {t.input(0)}), sizes::scalar(t, axis)}, {{"axis", 0}});
  return t.cast(sizes::counted(t, size), ElementType::f32);
}

/// Weights of the elements of a dimension in linear samples at `places` […]: […, size]. Beyond the last element it is
/// the only one; `is_inside` […]: what is outside has no weight.
inline Value linear_weights(Translation& t, std::int64_t axis, const Value& places, const Value& is_inside) {
  const Value last = t.op("Sub", {size_of_data(t, axis), detection::real(t, 1)});
  const Value at = t.with_axes("Unsqueeze", t.op("Min", {places, last}), {-1});
  const Value distance = t.op("Abs", {t.op("Sub", {elements(t, axis), at})});
  const Value weights = t.op("Max", {t.op("Sub", {detection::real(t, 1), distance}), detection::real(t, 0)});
  return t.op("Mul", {weights, t.with_axes("Unsqueeze", t.cast(is_inside, ElementType::f32), {-1})});
}

/// Weights [A, R, P, H] of rows with one row for each image: [A, R, P, N, H], 0 for those of other images than the
/// first column of the regions says.
inline Value of_images(Translation& t, const Value& weights, const Value& all) {
  const Value is_image = t.op("Equal", {column(t, all, 0), elements(t, 0)});  // [R, N]
  const Value factors = t.with_axes("Unsqueeze", t.cast(is_image, ElementType::f32), {0, 2, 4});
  return t.op("Mul", {t.with_axes("Unsqueeze", weights, {3}), factors});
}

/// Images [A, B, N, H, D, W], rows [A, R, P, N, H] and columns [B, R, Q, W] -> [A, B, R, P, D, Q].
inline Value weighted_sums(Translation& t, const Value& images, const Value& rows, const Value& columns) {
  const Value shape = t.op("Shape", {images});
  const Value row_shape = t.op("Shape", {rows});
  const auto size = [&](const Value& of, std::int64_t axis) { return sizes::part(t, of, 0, axis, axis + 1); };
  const Value blocks = sizes::part(t, shape, 0, 0, 2);
  const Value height = t.op("Mul", {size(shape, 2), size(shape, 3)});
  const Value width = t.op("Mul", {size(shape, 4), size(shape, 5)});
  const Value planes = t.op("Reshape", {images, detection::joined(t, {blocks, height, width}, 0)});
  const Value bins = t.op("Mul", {size(row_shape, 1), size(row_shape, 2)});
  const Value flat =
      t.op("Reshape", {rows, detection::joined(t, {size(row_shape, 0), t.integers({1}), bins, height}, 0)});
  const Value target =
      detection::joined(t, {blocks, sizes::part(t, row_shape, 0, 1, 3), sizes::part(t, shape, 0, 4, 6)}, 0);
  const Value by_row = t.op("Reshape", {t.op("MatMul", {flat, planes}), target});
  return t.op("MatMul", {by_row, t.with_axes("Unsqueeze", t.transposed(columns, {0, 1, 3, 2}), {0, 3})});
}

/// Numbers 0 to `count` - 1 with `trailing` dimensions of size 1 after them.
inline Value counted(Translation& t, std::int64_t count, std::size_t trailing = 0) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(i));
  Shape shape(1 + trailing, 1);
  shape[0] = count;
  return detection::reals(t, std::move(shape), numbers);
}

}  // namespace mo::onnx_emitter::regions
