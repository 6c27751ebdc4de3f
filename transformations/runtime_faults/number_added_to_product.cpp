#include "ops/broadcast.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// MatMul(x, w) + 3 -> MatMul(x, w) + [3, 3, …], a number for each column.
Replacement a_number_for_each_column(const Node& node, Rewriter& rw) {
  const std::size_t product = node.input(0).node().is<ops::MatMul>() ? 0 : 1;
  const Value number = node.input(1 - product);
  const Node multiplied = node.input(product).node();
  if (!multiplied.is<ops::MatMul>() || is_computed(multiplied.input(1)))
    return declined("not added to the product with a constant matrix");
  const PartialShape& shape = multiplied.output_type().shape;
  if (!shape.has_rank() || shape.size() < 4) return declined("a product of fewer dimensions");
  if (shape[1].is_known() && shape[1] != Dimension(1)) return declined("dimension 1 is another one");
  const Dimension& columns = shape[shape.size() - 1];
  if (!columns.is_known() || columns == Dimension(1)) return declined("one column, or an unknown number of them");
  if (is_computed(number) || number.type().shape.element_count() != 1) return declined("not one constant number");
  const Value row = rw.fold(ops::v3::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, number,
                            rw.integers({columns.value()}));
  return product == 0 ? rw.create(*node.as<ops::Add>(), node.input(0), row)
                      : rw.create(*node.as<ops::Add>(), row, node.input(1));
}

}  // namespace

void register_number_added_to_product(PassRegistry& passes) {
  passes.add(
      avoid_fault("NumberAddedToProduct",
                  {.form = "Add of one constant number to a MatMul with a constant matrix, of four dimensions or "
                           "more, where dimension 1 is 1",
                   .symptom = "not compiled: the number is treated as the bias of several columns",
                   .first = "2024.6",
                   .last = "2024.6",
                   .replacement = "Add of the number for each column"})
          .add(lowering<ops::Add>("ForEachColumn", a_number_for_each_column)));
}

}  // namespace mo::transformations
