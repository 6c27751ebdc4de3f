#pragma once

#include <string>
#include <vector>

#include "core/pass/pass.hpp"

/// Groups that several pipelines of nGraph have in common, in its order.
namespace mo::transformations {

/// A parameter of the transformation in a pipeline: use_shapes, low_precision_enabled …
inline AttributeMap parameter(std::string_view name, bool value) {
  AttributeMap made;
  made.set(name, value);
  return made;
}

/// Passes that fold a Multiply by a constant into weights before or after it.
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

}  // namespace mo::transformations
