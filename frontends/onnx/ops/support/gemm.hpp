#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// The attributes alpha, beta, transA and transB.
struct Gemm {
  double alpha = 1;
  double beta = 1;
  bool transpose_a = false;
  bool transpose_b = false;
};

Gemm read_gemm(const FrameworkNode& node);

/// alpha * a * b + beta * c; `c` may be empty. Error MO-ONNX-0130 for a fraction as the factor of integers.
Expected<Value> make_gemm(const FrameworkNode& node, Rewriter& rw, const Value& a, const Value& b, const Value& c,
                          const Gemm& how);

}  // namespace mo::onnx
