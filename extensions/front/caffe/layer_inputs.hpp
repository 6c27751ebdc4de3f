#pragma once

#include <algorithm>
#include <vector>

#include "extensions/support/front.hpp"
#include "ops/activations.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/lrn.hpp"
#include "ops/pooling.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

/// What replacers of Caffe layers ask of their inputs: bottoms first, then the blobs, which are constants of known shape.
namespace mo::front::caffe {

using Integers = std::vector<std::int64_t>;

inline Integers list_of(const Node& node, std::string_view name) { return node.attr<Integers>(name).value_or(Integers{}); }
inline std::int64_t integer_of(const Node& node, std::string_view name, std::int64_t fallback = 0) {
  return node.attr<std::int64_t>(name).value_or(fallback);
}
inline double real_of(const Node& node, std::string_view name) { return node.attr<double>(name).value_or(0); }
inline bool flag_of(const Node& node, std::string_view name) { return node.attr<bool>(name).value_or(false); }
inline std::string text_of(const Node& node, std::string_view name) { return node.attr<std::string>(name).value_or(""); }

inline std::size_t bottom_count(const Node& node) {
  return std::min(static_cast<std::size_t>(std::max<std::int64_t>(integer_of(node, "bottoms"), 0)), node.in_port_count());
}
inline std::size_t blob_count(const Node& node) { return node.in_port_count() - bottom_count(node); }

/// A number of the type in which Caffe calculates.
inline Value real(Rewriter& rw, double number) { return rw.scalar(static_cast<float>(number)); }

/// Whether `blob`, read in its order, is a tensor of shape `wanted`: each dimension wanted is the product of neighbouring ones of the blob
/// (old models store a matrix as [1, 1, rows, columns], a vector as [1, 1, 1, n]), or the blob is one row of numbers. Sizes have been compared.
inline bool stands_for(const Shape& blob, const Integers& wanted) {
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

/// Blob `i` as f32 under the shape `wanted`, in which one -1 stands for what is left. Error MO-CAFFE-0107 when it does not fit.
inline Expected<Value> shaped_blob(const Node& node, Rewriter& rw, std::size_t i, Integers wanted) {
  const Value blob = node.input(bottom_count(node) + i);
  const auto shape = known_shape(blob).to_shape();
  const auto count = known_shape(blob).element_count();
  const auto unfit = [&] {
    std::vector<Dimension> dims;
    for (const std::int64_t size : wanted) dims.push_back(size < 0 ? Dimension() : Dimension(size));
    return node
        .error("MO-CAFFE-0107", "blob {} of the layer has shape {}, which does not fit {}", i, known_shape(blob).to_string(),
               PartialShape(std::move(dims)).to_string())
        .hint("check that the .caffemodel belongs to the prototxt");
  };
  if (!blob || !shape || !count || *count == 0) return node.error("MO-CAFFE-0107", "blob {} of the layer is empty", i).hint("check the .caffemodel");
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
  if (known_type(blob).element_type != ElementType::f32) made = rw.fold(ops::Convert{.destination_type = ElementType::f32}, blob);
  if (*shape == wanted) return made;
  if (const auto tensor = known_constant(made)) return rw.constant(tensor->reshaped(wanted));
  return rw.create(ops::Reshape{}, made, rw.integers(wanted));
}

/// Blob `i` as a vector.
inline Expected<Value> vector_blob(const Node& node, Rewriter& rw, std::size_t i) { return shaped_blob(node, rw, i, {-1}); }

/// The number of spatial axes of a convolution or pooling; nothing for another op.
inline std::optional<std::size_t> window_rank(const Node& node) {
  if (const auto* op = node.as<ops::Convolution>()) return op->strides.size();
  if (const auto* op = node.as<ops::GroupConvolution>()) return op->strides.size();
  if (const auto* op = node.as<ops::ConvolutionBackpropData>()) return op->strides.size();
  if (const auto* op = node.as<ops::GroupConvolutionBackpropData>()) return op->strides.size();
  if (const auto* op = node.as<ops::v1::AvgPool>()) return op->kernel.size();
  if (const auto* op = node.as<ops::v14::AvgPool>()) return op->kernel.size();
  if (const auto* op = node.as<ops::v8::MaxPool>()) return op->kernel.size();
  if (const auto* op = node.as<ops::v14::MaxPool>()) return op->kernel.size();
  return std::nullopt;
}

/// The rank of a tensor as far as layers tell it without shapes: nearly every one of a network of images. Nothing is no harm: what is made
/// then asks for the rank when the model is inferred.
inline std::optional<std::int64_t> layer_rank(Value x) {
  constexpr int kMostSteps = 64;
  std::int64_t least = 0;
  for (int step = 0; step < kMostSteps && x; ++step) {
    if (const auto rank = known_shape(x).rank()) return std::max(least, *rank);
    const Node node = x.node();
    if (const auto axes = window_rank(node)) return std::max(least, static_cast<std::int64_t>(*axes + 2));
    const bool keeps_rank = node.is<ops::BatchNormInference>() || node.is<ops::LRN>() || node.is<ops::PReLU>() || node.is<ops::Concat>();
    if (!keeps_rank && !node.op_type().traits.elementwise) return std::nullopt;
    for (std::size_t i = 1; i < node.in_port_count() && !keeps_rank; ++i) {
      const auto rank = known_shape(node.input(i)).rank();
      if (!rank) return std::nullopt;
      least = std::max(least, *rank);
    }
    x = node.input(0);
  }
  return std::nullopt;
}

/// As front::axes_from, with the rank that layers tell.
inline Value layer_axes_from(Rewriter& rw, const Value& x, std::int64_t first) {
  const auto rank = layer_rank(x);
  if (!rank) return axes_from(rw, x, first);
  Integers axes;
  for (std::int64_t axis = first; axis < *rank; ++axis) axes.push_back(axis);
  return rw.integers(axes);
}

/// `operand`, which lies along the axes of x from `axis` on, with dimensions of 1 behind it, so that it broadcasts to x. A negative axis
/// counts from the back.
inline Value behind_axis(Rewriter& rw, const Value& operand, const Value& x, std::int64_t axis) {
  const auto own = layer_rank(operand);
  if (own && *own == 0) return operand;
  const auto rank = layer_rank(x);
  if (own && (axis < 0 || rank)) {
    const std::int64_t end = axis < 0 ? -axis : *rank - axis;
    Integers axes;
    for (std::int64_t i = *own; i < end; ++i) axes.push_back(i);
    if (axes.empty()) return operand;
    if (const auto tensor = known_constant(operand)) {
      Shape shape = tensor->shape();
      shape.resize(shape.size() + axes.size(), 1);
      return rw.constant(tensor->reshaped(std::move(shape)));
    }
    return rw.create(ops::Unsqueeze{}, operand, rw.integers(axes));
  }
  const Value end = axis < 0 ? rw.scalar<std::int64_t>(-axis) : rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar(axis));
  const Value axes = rw.create(ops::Range{.output_type = ElementType::i64}, rank_of(rw, operand), end, rw.scalar<std::int64_t>(1));
  return rw.create(ops::Unsqueeze{}, operand, axes);
}

}  // namespace mo::front::caffe
