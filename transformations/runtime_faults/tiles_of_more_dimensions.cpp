#include <numeric>

#include "ops/tile.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Tile(x, [2, 1, 3]) -> Tile(unsqueeze(x, [0]), [2, 1, 3]), where x has two dimensions.
Replacement tile_of_as_many_dimensions(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  const PartialShape& repeats = node.input_type(1).shape;
  if (!rank || !repeats.has_rank() || repeats.size() != 1 || !repeats[0].is_known())
    return declined("the rank or the number of repeats is unknown");
  const std::int64_t missing = repeats[0].value() - static_cast<std::int64_t>(*rank);
  if (missing <= 0) return declined("the data has as many dimensions as there are repeats");
  std::vector<std::int64_t> axes(static_cast<std::size_t>(missing));
  std::iota(axes.begin(), axes.end(), 0);
  return rw.create(ops::Tile{}, rw.fold(ops::Unsqueeze{}, node.input(0), rw.integers(axes)), node.input(1));
}

}  // namespace

void register_tiles_of_more_dimensions(PassRegistry& passes) {
  passes.add(avoid_fault("TilesOfMoreDimensions", {.form = "Tile with more repeats than the data has dimensions",
                                                   .symptom = "an error during inference",
                                                   .first = "2021.4",
                                                   .last = "2021.4",
                                                   .replacement = "Unsqueeze, Tile"})
                 .add(lowering<ops::Tile>("TileOfAsManyDimensions", tile_of_as_many_dimensions)));
}

}  // namespace mo::transformations
