#include "core/rewrite.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// Whether x @ w keeps its shape when w takes a factor of `shape`, which is [..., 1, Z] (dimensions as in x @ w), and w
/// does not become larger for nothing: neither both operands nor a w that is computed.
bool factor_fits(const Value& x, const Value& weights, const Value& product, const Shape& shape, Dimension columns) {
  const PartialShape& w = weights.type().shape;
  const std::size_t rank = std::max<std::size_t>(shape.size(), w.size());
  const auto out_rank = product.type().rank();
  if (out_rank ? shape.size() > static_cast<std::size_t>(*out_rank) : shape.size() > w.size()) return false;
  if (element_count(shape) == 1) return true;
  if (shape.back() != 1 && columns != Dimension(shape.back())) return false;
  if (shape.size() >= 2 && shape[shape.size() - 2] != 1) return false;
  const bool is_constant = weights.node().is<Const>();
  if (shape.size() > w.size() && !is_constant) return false;
  const PartialShape& data = x.type().shape;
  const auto from_the_back = [](const PartialShape& dims, std::size_t i) {
    return i < dims.size() ? dims[dims.size() - 1 - i] : Dimension(1);
  };
  for (std::size_t i = 2; i < rank; ++i) {
    const std::int64_t factor = i < shape.size() ? shape[shape.size() - 1 - i] : 1;
    if (factor == 1 || from_the_back(w, i) == Dimension(factor)) continue;
    if (from_the_back(w, i) != Dimension(1) || !is_constant) return false;
    if (!data.has_rank() || from_the_back(data, i) != Dimension(factor)) return false;
  }
  return true;
}

}  // namespace

void register_mat_mul_multiply_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat weights = any();
  const Pat factor = constant();
  const Pat product = op<ops::MatMul>(x, weights).one_use();
  passes.offer(rewrite("MatMulMultiplyFusion")
                   .described("MatMul(x, w) * c", "MatMul(x, w * c)",
                              "c is a constant [..., 1, Z]; the result keeps its shape; w is not stretched together "
                              "with x, nor when it is computed")
                   .match(product * factor)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto& mat_mul = *m.node(product).as<ops::MatMul>();
                     const PartialShape& w = m[weights].type().shape;
                     const auto rank = m[x].type().rank();
                     if (!w.has_rank() || w.size() < 2 || (rank && *rank < 2))
                       return declined("an operand is not a matrix, or the rank of w is unknown");
                     Shape shape = shape_of_constant(m[factor]);
                     const Dimension columns = w[w.size() - (mat_mul.transpose_b ? 2 : 1)];
                     if (!factor_fits(m[x], m[weights], m[product], shape, columns))
                       return declined("the constant does not fit the weights");
                     Value aligned = m[factor];
                     if (mat_mul.transpose_b && !shape.empty()) {
                       if (shape.size() == 1) shape.insert(shape.begin(), 1);
                       // one of them is 1: the elements stay in their order
                       std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
                       if (element_count(shape) != 1) aligned = reshaped(rw, aligned, shape);
                     }
                     return rw.create(ops::MatMul{mat_mul}, m[x], rw.fold(ops::Multiply{}, m[weights], aligned));
                   }));
}

}  // namespace mo::transformations
