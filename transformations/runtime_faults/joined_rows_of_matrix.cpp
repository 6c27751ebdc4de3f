#include <algorithm>

#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A Concat reads the vector next to another one that a Gather takes from the same matrix, or twice.
bool is_beside_another(const InPort& reader, const Value& matrix) {
  const Node concat = reader.node();
  if (!concat.is<ops::Concat>()) return false;
  const auto is_taken = [&](std::size_t i) {
    return i < concat.in_port_count() && concat.input(i).node().is("Gather") &&
           concat.input(i).node().input(0) == matrix;
  };
  return is_taken(reader.index() + 1) || (reader.index() > 0 && is_taken(reader.index() - 1));
}

/// Gather(matrix, index) -> Squeeze(Gather(matrix, [index]))
template <OpLike T>
Replacement squeezed_row(const Node& node, Rewriter& rw) {
  if (node.output_type().rank() != 1 || node.input_type(1).rank() != 0) return declined("no vector from a matrix");
  const auto number = single_integer_of(node.input(2));
  const auto axis = number ? normalize_axis(*number, 2) : std::nullopt;
  if (!axis) return declined("the axis is computed");
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(),
                   [&](const InPort& reader) { return is_beside_another(reader, node.input(0)); }))
    return declined("not joined with a vector from the same matrix");
  const Value index = rw.fold(ops::Unsqueeze{}, node.input(1), rw.integers({0}));
  return rw.create(ops::Squeeze{}, rw.create(*node.as<T>(), node.input(0), index, node.input(2)), rw.integers({*axis}));
}

}  // namespace

void register_joined_rows_of_matrix(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "JoinedRowsOfMatrix",
          {.form = "Concat of vectors, two neighbours of which a Gather with a scalar index takes from the same matrix",
           .symptom = "not compiled: the indices are joined, which have no dimensions",
           .first = "2022.1",
           .last = "2022.1",
           .replacement = "Gather with one index, Squeeze"})
          .add(lowering<ops::v1::Gather>("RowOfGather1", squeezed_row<ops::v1::Gather>))
          .add(lowering<ops::v7::Gather>("RowOfGather7", squeezed_row<ops::v7::Gather>))
          .add(lowering<ops::v8::Gather>("RowOfGather8", squeezed_row<ops::v8::Gather>)));
}

}  // namespace mo::transformations
