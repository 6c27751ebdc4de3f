#include "ops/build/tensors.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// SliceScatter(data, updates, bounds …) -> ScatterElementsUpdate of the flat data at the places that a Slice with
/// these bounds takes from their numbers.
Replacement scatter_at_sliced_places(const Node& node, Rewriter& rw) {
  bool is_computed = false;
  for (std::size_t i = 2; i < node.in_port_count(); ++i)
    is_computed = is_computed || (node.input(i) && !integers_of(node.input(i)));
  if (!is_computed) return declined("the bounds are constants");
  const Value& data = node.input(0);
  const Value shape = build::shape_of(rw, data);
  const Value count = rw.create(ops::ReduceProd{.keep_dims = false}, shape, rw.integers({0}));
  const Value numbers = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), count,
                                  rw.scalar<std::int64_t>(1));
  const Value grid = rw.create(ops::Reshape{.special_zero = false}, numbers, shape);
  std::vector<Value> slice = {grid};
  for (std::size_t i = 2; i < node.in_port_count(); ++i)
    if (node.input(i)) slice.push_back(node.input(i));
  const Value places = build::flattened(rw, rw.create(ops::Slice{}, slice));
  const Value scattered = rw.create(ops::v3::ScatterElementsUpdate{}, build::flattened(rw, data), places,
                                    build::flattened(rw, node.input(1)), rw.scalar<std::int64_t>(0));
  return rw.create(ops::Reshape{.special_zero = false}, scattered, shape);
}

}  // namespace

void register_slice_scatter_of_computed_bounds(PassRegistry& passes) {
  passes.add(avoid_fault("SliceScatterOfComputedBounds",
                         {.form = "SliceScatter with computed start, stop, step or axes",
                          .symptom = "other elements are replaced, or a crash",
                          .first = "2024.6",
                          .last = "latest",
                          .replacement = "Slice of the numbers of the elements, ScatterElementsUpdate there"})
                 .add(lowering<ops::SliceScatter>("ScatterAtSlicedPlaces", scatter_at_sliced_places)));
}

}  // namespace mo::transformations
