#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {
namespace {

/// The order of the dimensions of y = [batches, K, N] in the product of a matrix and y, flattened: all but K. Nothing
/// when K is not the dimension that the product sums over.
std::optional<std::vector<std::size_t>> flattened(const std::vector<std::size_t>& order, bool transposed) {
  const std::size_t summed = order.size() - 2;
  if ((transposed ? order.back() : order.front()) != summed) return std::nullopt;
  return transposed ? std::vector(order.begin(), order.end() - 1) : std::vector(order.begin() + 1, order.end());
}

}  // namespace

void register_transpose_reshape_elimination_for_matmul(PassRegistry& passes) {
  using namespace pattern;
  const Pat a = any().rank(2);
  const Pat y = any().static_shape();
  const Pat order = constant();
  const Pat flat = op<ops::Reshape>(op<ops::Transpose>(y, order).one_use(), any()).one_use().rank(2);
  const Pat product = op<ops::MatMul>(a, flat).one_use();
  const Pat unfolded = op<ops::Reshape>(product, any()).one_use();
  const Pat back = constant();
  passes.offer(rewrite("TransposeReshapeEliminationForMatmul")
                   .described("Transpose(Reshape(MatMul(a, Reshape(Transpose(y)))))", "MatMul(a, y)",
                              "a is a matrix, y static; the Transposes and Reshapes only flatten the batches of y and "
                              "put them back (what is left of an Einsum)")
                   .match(op<ops::Transpose>(unfolded, back))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Shape shape = *m[y].type().shape.to_shape();
                     const auto places = constant_order(m[order]);
                     const auto last = constant_order(m[back]);
                     if (shape.size() < 3 || !places || !last || places->size() != shape.size() ||
                         last->size() != shape.size())
                       return declined("no batches, or orders of other ranks");
                     const ops::MatMul old = *m.node(product).as<ops::MatMul>();
                     const auto kept = flattened(*places, old.transpose_b);
                     if (!kept) return declined("the product sums over another dimension");
                     const auto rows = m[a].type().shape[old.transpose_a ? 1 : 0];
                     if (!rows.is_known()) return declined("the number of rows is unknown");
                     // Between the last Reshape and the last Transpose: the rows, then what was flattened.
                     Shape wanted = {rows.value()};
                     for (const std::size_t place : *kept) wanted.push_back(shape[place]);
                     if (m[unfolded].type().shape.to_shape() != wanted)
                       return declined("the product is unfolded differently");
                     const std::size_t summed = shape.size() - 2;
                     for (std::size_t i = 0; i < shape.size(); ++i) {
                       const std::size_t from = (*last)[i];
                       const std::size_t is = from == 0 ? summed : (*kept)[from - 1];
                       if (is != i) return declined("the batches do not return to the front");
                     }
                     return rw.create(ops::MatMul{.transpose_a = old.transpose_a, .transpose_b = false}, m[a], m[y]);
                   }));
}

}  // namespace mo::transformations
