#pragma once

#include <vector>

#include "frontends/caffe/ops/support/layer_ports.hpp"
#include "frontends/caffe/ops/support/translate.hpp"

/// Weights of layers: constants that follow the bottoms.
namespace mo::caffe {

using Integers = std::vector<std::int64_t>;

/// A number of the type in which Caffe calculates.
inline Value real(Rewriter& rw, double number) { return rw.scalar(static_cast<float>(number)); }

/// Blob `i` as f32 under the shape `wanted`, in which one -1 stands for what is left. Error MO-CAFFE-0107 when it does
/// not fit.
Expected<Value> shaped_blob(const Layer& layer, Rewriter& rw, std::size_t i, Integers wanted);

/// Blob `i` as a vector.
inline Expected<Value> vector_blob(const Layer& layer, Rewriter& rw, std::size_t i) {
  return shaped_blob(layer, rw, i, {-1});
}

/// `operand`, which lies along the axes of x from `axis` on, with dimensions of 1 appended, so that it broadcasts to x.
/// A negative axis counts from the back.
Value behind_axis(Rewriter& rw, const Value& operand, const Value& x, std::int64_t axis);

}  // namespace mo::caffe
