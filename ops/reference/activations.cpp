#include "ops/reference/activations.hpp"

#include "ops/reference/broadcast.hpp"
#include "ops/reference/exponential.hpp"
#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

constexpr double kRootOfHalf = 0.70710678118654752440;
constexpr double kRootOfTwoByPi = 0.79788456080286535588;

}  // namespace

void elu(const Tensor& in, Tensor& out, double alpha) { selu(in, out, alpha, 1.0); }

void selu(const Tensor& in, Tensor& out, double alpha, double lambda) {
  map_real(in, out,
           [=]<class A>(A x) { return static_cast<A>(lambda) * (x < 0 ? static_cast<A>(alpha) * std::expm1(x) : x); });
}

void hard_sigmoid(const Tensor& in, Tensor& out, double alpha, double beta) {
  map_real(in, out, [=]<class A>(A x) {
    const A line = static_cast<A>(alpha) * x + static_cast<A>(beta);
    return line < 0 ? A(0) : line > 1 ? A(1) : line;
  });
}

void swish(const Tensor& in, Tensor& out, double beta) {
  map_real_vectorised(in, out, [=]<class A>(A x) { return x / (1 + exponential(-static_cast<A>(beta) * x)); });
}

void gelu(const Tensor& in, Tensor& out, bool tanh) {
  if (tanh)
    map_real_vectorised(in, out, []<class A>(A x) {
      const A inner = static_cast<A>(kRootOfTwoByPi) * (x + static_cast<A>(0.044715) * x * x * x);
      return x / 2 * (1 + hyperbolic_tangent(inner));
    });
  else
    map_real(in, out, []<class A>(A x) { return x / 2 * (1 + std::erf(x * static_cast<A>(kRootOfHalf))); });
}

void prelu(const Tensor& in, const Tensor& slope, Tensor& out) {
  visit_real(in.element_type(), [&]<class T>(std::type_identity<T>) {
    using A = Accumulator<T>;
    broadcast_binary(in.values<T>().data(), in.shape(), slope.values<T>().data(), slope.shape(),
                     out.mutable_values<T>().data(), out.shape(), [](const T& x, const T& by) {
                       return static_cast<A>(x) < 0 ? static_cast<T>(static_cast<A>(x) * static_cast<A>(by)) : x;
                     });
  });
}

}  // namespace mo::ops::reference
