#include "transformations/decompositions/support/division.hpp"

#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// 1 / b has the shape of b.
bool is_inverse(const Node& divide) {
  const auto numerator_rank = divide.input_type(0).rank();
  const auto rank = divide.input_type(1).rank();
  return number_of(divide.input(0)) == 1.0 &&
         (numerator_rank == 0 || (rank && numerator_rank && *numerator_rank <= *rank));
}

}  // namespace

Replacement by_reciprocal(const Node& node, const ops::Divide& op, Rewriter& rw) {
  const ElementType type = node.output_type().element_type;
  if (!is_real(type)) return declined("no real type");
  const AttributeMap* const marks = node.rt_info();
  if (marks && marks->find("nonconvertable_divide")) return declined("the quotient is sensitive to precision");
  const Value reciprocal = rw.fold(ops::Power{}, node.input(1), rw.scalar_like(node.input(1), -1));
  if (is_inverse(node)) return reciprocal;
  return rw.create(ops::Multiply{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
                   node.input(0), reciprocal);
}

}  // namespace mo::transformations
