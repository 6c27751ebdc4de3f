#include "transformations/fusions/support/swapping.hpp"

#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

bool swaps_by_reshape(const Node& reshape) {
  const PartialShape& from = reshape.input_type(0).shape;
  const PartialShape& to = reshape.output_type().shape;
  if (from.rank() != 4 || to.rank() != 4) return false;
  if (from[0] != Dimension(1) && from[1] != Dimension(1)) return false;  // elements would have to move
  return from[0].same_value(to[1]) && from[1].same_value(to[0]) && from[2].same_value(to[2]) &&
         from[3].same_value(to[3]);
}

bool swaps_first_two(const Value& value) {
  const Node node = value.node();
  if (node.is<ops::Reshape>()) return swaps_by_reshape(node);
  return known_order(node, 4) == std::vector<std::size_t>{1, 0, 2, 3} && node.input_type(0).rank() == 4;
}

}  // namespace

Pat swapped(const Pat& x) {
  return pattern::any_op<ops::Transpose, ops::Reshape>(x, pattern::constant())
      .where(swaps_first_two, "dimensions 0 and 1 swapped");
}

}  // namespace mo::transformations
