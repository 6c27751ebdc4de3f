#include "ops/tile.hpp"

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/roll.hpp"

namespace mo::tensorflow {

/// Tensors that go round: repeated, or shifted with what leaves coming back.
void register_tile(OperatorTable& table) {
  table.extract("Tile", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexTile");
    return ops::Tile{};
  });
  table.extract("Roll", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_real(node));
    return ops::Roll{};
  });
}

}  // namespace mo::tensorflow
