#include "ops/activations.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/elementwise_chain.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_product_with_constant(const Node& node) { return node.is<ops::MatMul>() && !is_computed(node.input(1)); }

/// Whether there is a slope for each column: of the last dimension, and of that alone.
bool has_slope_for_each_column(const PartialShape& data, const PartialShape& slopes) {
  if (!data.has_rank() || data.size() < 2 || data.size() > 3 || !slopes.is_static() || slopes.size() == 0) return false;
  for (std::size_t i = 0; i + 1 < slopes.size(); ++i)
    if (slopes[i] != Dimension(1)) return false;
  if (slopes[slopes.size() - 1] == Dimension(1)) return false;
  // Slopes in one dimension belong to dimension 1 when they are as many.
  return data.size() == 2 || slopes.size() > 1 || (data[1].is_known() && data[1] != slopes[0]);
}

/// PReLU(x, slopes) -> Maximum(x, 0) + Minimum(x, 0) * slopes
Replacement of_two_halves(const Node& node, Rewriter& rw) {
  const Value data = node.input(0);
  const Value slopes = node.input(1);
  if (is_computed(slopes) || !has_slope_for_each_column(data.type().shape, slopes.type().shape))
    return declined("no constant slope for each column, or more than three dimensions");
  if (!comes_through_elementwise(data, ChainReaders::one, is_product_with_constant))
    return declined("its data does not come from a product with a constant matrix");
  const Value zero = rw.scalar_like(data, 0);
  const Value positive = rw.create(ops::Maximum{}, data, zero);
  const Value negative = rw.create(ops::Minimum{}, data, zero);
  return rw.create(ops::Add{}, positive, rw.create(ops::Multiply{}, negative, slopes));
}

}  // namespace

void register_slopes_of_products(PassRegistry& passes) {
  passes.add(avoid_fault("SlopesOfProducts",
                         {.form = "PReLU with a constant slope for each column of a MatMul with a constant matrix, in "
                                  "two or three dimensions, elementwise ops in between or not",
                          .symptom = "NaN for negative numbers",
                          .first = "2023.3",
                          .last = "2023.3",
                          .replacement = "Maximum and Minimum with zero, Multiply, Add"})
                 .add(lowering<ops::PReLU>("OfTwoHalves", of_two_halves)));
}

}  // namespace mo::transformations
