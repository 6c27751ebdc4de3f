#pragma once

#include <string>
#include <vector>

#include "core/pass/pass.hpp"

/// Groups that several pipelines of nGraph have in common, in its order.
namespace mo::library {

/// A parameter of the transformation in a pipeline: use_shapes, low_precision_enabled …
inline AttributeMap parameter(std::string_view name, bool value) {
  AttributeMap made;
  made.set(name, value);
  return made;
}

/// Multiply by a constant goes into weights in front of it or behind it.
inline std::vector<PassUse> multiply_fusions() {
  return {"ConvolutionMultiplyFusion",
          "GroupConvolutionMultiplyFusion",
          "ConvolutionBackpropDataMultiplyFusion",
          "GroupConvolutionBackpropDataMultiplyFusion",
          "MultiplyConvolutionFusion",
          "MultiplyGroupConvolutionFusion",
          "MultiplyConvolutionBackpropDataFusion",
          "MultiplyGroupConvolutionBackpropDataFusion",
          "MatMulMultiplyFusion"};
}

inline std::vector<PassUse> fake_quantize_fusions() {
  return {"FakeQuantizeMulFusion",  "FakeQuantizeReshapeFusion", "PullTransposeThroughFQUp",
          "ReluFakeQuantizeFusion", "AddFakeQuantizeFusion",     "MulFakeQuantizeFusion"};
}

}  // namespace mo::library
