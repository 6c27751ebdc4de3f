#include <numeric>

#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pattern.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// At most two dimensions are not 1.
bool has_two_dimensions(const Value& value) {
  const auto shape = value.type().shape.to_shape();
  return shape && shape->size() >= 2 &&
         std::count_if(shape->begin(), shape->end(), [](std::int64_t d) { return d != 1; }) <= 2;
}

}  // namespace

void register_mat_mul_const_transposes_extraction(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat weights =
      any_of(constant(), op<ops::FakeQuantize>(optional<ops::Convert>(constant()), any(), any(), any(), any()))
          .where(has_two_dimensions, "a matrix");
  const Pat product = op<ops::MatMul>(x, weights);
  passes.offer(rewrite("MatMulConstTransposesExtraction")
                   .described("MatMul(x, w)", "MatMul(x, transposed w) {transpose_b}",
                              "w is a constant or the FakeQuantize of one, of rank 2 or more with at most two "
                              "dimensions above 1; not transposed already")
                   .match(product)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     ops::MatMul made = *m.node(product).as<ops::MatMul>();
                     if (made.transpose_b) return declined("the weights are transposed already");
                     std::vector<std::int32_t> order(m[weights].type().shape.size());
                     std::iota(order.begin(), order.end(), 0);
                     std::swap(order[order.size() - 1], order[order.size() - 2]);
                     made.transpose_b = true;
                     return rw.create(made, m[x],
                                      rw.fold(ops::Transpose{}, m[weights], rw.constant(Tensor::vector(order))));
                   }));
}

}  // namespace mo::transformations
