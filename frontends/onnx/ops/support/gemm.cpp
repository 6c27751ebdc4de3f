#include "frontends/onnx/ops/support/gemm.hpp"

#include <cmath>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"

namespace mo::onnx {
namespace {

/// factor * x; integers only take integer factors.
Expected<Value> times_factor(const FrameworkNode& node, Rewriter& rw, const Value& x, double factor,
                             std::string_view name) {
  if (factor == 1) return x;
  if (factor != std::floor(factor) && is_integral(x.type().element_type))
    return node.error("MO-ONNX-0130", "{} is {}, but the matrices hold integers", name, factor)
        .hint("export the model with floating-point values");
  return rw.create(ops::Multiply{}, x, number_like(rw, x, factor));
}

}  // namespace

Gemm read_gemm(const FrameworkNode& node) {
  return {.alpha = node.attr("alpha", 1.0),
          .beta = node.attr("beta", 1.0),
          .transpose_a = node.attr("transA", false),
          .transpose_b = node.attr("transB", false)};
}

Expected<Value> make_gemm(const FrameworkNode& node, Rewriter& rw, const Value& a, const Value& b, const Value& c,
                          const Gemm& how) {
  const Value product = rw.create(ops::MatMul{.transpose_a = how.transpose_a, .transpose_b = how.transpose_b}, a, b);
  MO_ASSIGN(const Value scaled, times_factor(node, rw, product, how.alpha, "alpha"));
  if (!c || how.beta == 0) return scaled;
  MO_ASSIGN(const Value added, times_factor(node, rw, c, how.beta, "beta"));
  return rw.create(ops::Add{}, scaled, added);
}

}  // namespace mo::onnx
