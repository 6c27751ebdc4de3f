#include "ops/tile.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/roll.hpp"

namespace mo::tensorflow {
namespace {

Replacement tile(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Tile{}, node.input(0), with_hidden(rw, node, node.input(1), 1));
}

}  // namespace

/// Tensors that go round: repeated, or shifted with what leaves coming back.
void register_tile(OperatorTable& table) {
  table.translate("Tile", tile);
  table.extract("Roll", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_real(node));
    return ops::Roll{};
  });
}

}  // namespace mo::tensorflow
