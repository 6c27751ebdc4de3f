#include "ops/reference/inverse.hpp"

#include <Eigen/LU>

namespace mo::ops::reference {

void invert(const Tensor& matrices, Tensor& inverses, bool transposes) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::int64_t n = matrices.shape().back();
  const auto size = static_cast<std::size_t>(n * n);
  const auto from = matrices.values<double>();
  const auto to = inverses.mutable_values<double>();
  for (std::size_t at = 0; size != 0 && at < from.size(); at += size) {
    const Eigen::Map<const Matrix> matrix(from.data() + at, n, n);
    Eigen::Map<Matrix> inverse(to.data() + at, n, n);
    inverse = Eigen::PartialPivLU<Matrix>(matrix).inverse();
    if (transposes) inverse.transposeInPlace();
  }
}

}  // namespace mo::ops::reference
