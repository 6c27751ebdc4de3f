#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/tile.hpp"

namespace mo::back {
namespace {

/// Tile(x, [1, a, b, 1]) -> Tile(Tile(x, [1, a, 1, 1]), [1, 1, b, 1]).
Replacement one_axis_each(const Node& node, Rewriter& rw) {
  const auto repeats = integers_of(node.input(1));
  if (!repeats || node.input_type(0).shape.is_static()) return declined("the sizes are known, or the repeats are not");
  const auto repeated = std::count_if(repeats->begin(), repeats->end(), [](std::int64_t count) { return count != 1; });
  if (repeated < 2) return declined("one dimension is repeated");
  Value result = node.input(0);
  for (std::size_t axis = 0; axis < repeats->size(); ++axis) {
    if ((*repeats)[axis] == 1) continue;
    std::vector<std::int64_t> single(repeats->size(), 1);
    single[axis] = (*repeats)[axis];
    result = rw.create(ops::Tile{}, result, rw.integers(single));
  }
  return result;
}

}  // namespace

void register_tile_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("TileOfUnknownSizes", {.form = "Tile of data of unknown sizes along two neighbouring dimensions, but not the first and the last",
                                                .symptom = "other elements are repeated",
                                                .first = "2026.4",
                                                .last = "latest",
                                                .replacement = "a Tile for each dimension"})
                 .add(lowering<ops::Tile>("OneAxisEach", one_axis_each)));
}

}  // namespace mo::back
