#include "frontends/caffe/ops/support/blobs.hpp"

#include <algorithm>

#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::caffe {
namespace {

/// Whether `blob`, read in its order, is a tensor of shape `wanted`: each dimension wanted is the product of
/// neighbouring ones of the blob (old models store a matrix as [1, 1, rows, columns], a vector as [1, 1, 1, n]), or the
/// blob is one row of numbers. Sizes have been compared.
bool stands_for(const Shape& blob, const Integers& wanted) {
  Integers have;
  Integers want;
  std::copy_if(blob.begin(), blob.end(), std::back_inserter(have), [](std::int64_t d) { return d != 1; });
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(want), [](std::int64_t d) { return d != 1; });
  if (have.size() <= 1) return true;
  if (blob.size() == wanted.size()) return blob == wanted;
  std::size_t next = 0;
  for (const std::int64_t size : want) {
    std::int64_t product = 1;
    while (next < have.size() && product < size) product *= have[next++];
    if (product != size) return false;
  }
  return next == have.size();
}

/// A constant under another shape shares its elements.
Value reshaped(Rewriter& rw, const Value& x, const Shape& shape) {
  if (const Tensor* tensor = x.data().value()) return rw.constant(tensor->reshaped(shape));
  return rw.create(ops::Reshape{}, x, rw.integers(shape));
}

}  // namespace

Expected<Value> shaped_blob(const Layer& layer, Rewriter& rw, std::size_t i, Integers wanted) {
  const Value blob = layer.blob(i);
  const PartialShape& known = type_of(blob).shape;
  const auto shape = known.to_shape();
  const auto count = known.element_count();
  const auto unfit = [&] {
    std::vector<Dimension> dims;
    for (const std::int64_t size : wanted) dims.push_back(size < 0 ? Dimension() : Dimension(size));
    return layer
        .error("MO-CAFFE-0107", "blob {} of the layer has shape {}, which does not fit {}", i, known.to_string(),
               PartialShape(std::move(dims)).to_string())
        .hint("check that the .caffemodel belongs to the prototxt");
  };
  if (!blob || !shape || !count || *count == 0)
    return layer.error("MO-CAFFE-0107", "blob {} of the layer is empty", i).hint("check the .caffemodel");
  std::int64_t product = 1;
  auto open = wanted.end();
  for (auto it = wanted.begin(); it != wanted.end(); ++it) {
    if (*it < 0)
      open = it;
    else if (*it == 0 || *it > *count / product)
      return unfit();
    else
      product *= *it;
  }
  if (open != wanted.end()) {
    if (*count % product != 0) return unfit();
    *open = *count / product;
  } else if (product != *count) {
    return unfit();
  }
  if (!stands_for(*shape, wanted)) return unfit();
  // Caffe reads blobs of doubles as floats.
  Value made = blob;
  if (type_of(blob).element_type != ElementType::f32)
    made = rw.fold(ops::Convert{.destination_type = ElementType::f32}, blob);
  return *shape == wanted ? made : reshaped(rw, made, wanted);
}

Value behind_axis(Rewriter& rw, const Value& operand, const Value& x, std::int64_t axis) {
  const auto own = type_of(operand).rank();
  if (own && *own == 0) return operand;
  const auto rank = type_of(x).rank();
  if (own && (axis < 0 || rank)) {
    const std::int64_t end = axis < 0 ? -axis : *rank - axis;
    Integers axes;
    for (std::int64_t i = *own; i < end; ++i) axes.push_back(i);
    if (axes.empty()) return operand;
    if (const Tensor* tensor = operand.data().value()) {
      Shape shape = tensor->shape();
      shape.resize(shape.size() + axes.size(), 1);
      return reshaped(rw, operand, shape);
    }
    return rw.create(ops::Unsqueeze{}, operand, rw.integers(axes));
  }
  const Value end =
      axis < 0 ? rw.scalar<std::int64_t>(-axis) : rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar(axis));
  const Value axes =
      rw.create(ops::Range{.output_type = ElementType::i64}, rank_of(rw, operand), end, rw.scalar<std::int64_t>(1));
  return rw.create(ops::Unsqueeze{}, operand, axes);
}

}  // namespace mo::caffe
