#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

// All for real element types; `out` is allocated with the type of `in`.

/// x for x >= 0, else alpha * (e^x - 1).
void elu(const Tensor& in, Tensor& out, double alpha);
/// lambda * elu(x, alpha).
void selu(const Tensor& in, Tensor& out, double alpha, double lambda);
/// alpha * x + beta, limited to [0, 1].
void hard_sigmoid(const Tensor& in, Tensor& out, double alpha, double beta);
/// x / (1 + e^(-beta * x)).
void swish(const Tensor& in, Tensor& out, double beta);
/// x * Phi(x), Phi by erf or by its approximation with tanh.
void gelu(const Tensor& in, Tensor& out, bool tanh);
/// x for x >= 0, else slope * x; `slope` broadcasts (numpy) to the shape of `in`.
void prelu(const Tensor& in, const Tensor& slope, Tensor& out);

}  // namespace mo::ops::reference
