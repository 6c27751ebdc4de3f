#include <algorithm>

#include "ops/concat.hpp"
#include "ops/tile.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// More copies along a dimension are not written out one by one.
constexpr std::int64_t kMostCopies = 64;

/// Tile(x, [1, 2, 3, 1]) -> concat(x, x) along dimension 1, then concat(y, y, y) along dimension 2.
Replacement copies(const Node& node, Rewriter& rw) {
  const PartialShape& data = node.input_type(0).shape;
  const auto repeats = integers_of(node.input(1));
  if (!repeats || data.is_static() || !data.has_rank() || data.size() != repeats->size())
    return declined("the sizes are known, or the repeats or the rank are not");
  if (std::count_if(repeats->begin(), repeats->end(), [](std::int64_t count) { return count != 1; }) < 2)
    return declined("one dimension is repeated");
  if (std::any_of(repeats->begin(), repeats->end(),
                  [](std::int64_t count) { return count < 1 || count > kMostCopies; }))
    return declined("too many copies, or none");
  Value result = node.input(0);
  for (std::size_t axis = 0; axis < repeats->size(); ++axis)
    if (const auto count = static_cast<std::size_t>((*repeats)[axis]); count > 1)
      result = rw.create_node(ops::Concat{.axis = static_cast<std::int64_t>(axis)}, std::vector<Value>(count, result))
                   .output();
  return result;
}

}  // namespace

void register_tile_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("TileOfUnknownSizes",
                         {.form = "Tile of data of unknown sizes along several dimensions, one of which has the size 1",
                          .symptom = "other elements are repeated, also by a Tile for each dimension",
                          .first = "2026.4",
                          .last = "latest",
                          .replacement = "a Concat of copies along each dimension"})
                 .add(lowering<ops::Tile>("Copies", copies)));
}

}  // namespace mo::transformations
