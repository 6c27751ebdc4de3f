#include "ops/tile.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/roll.hpp"

namespace mo::tensorflow {
namespace {

Replacement tile(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Tile{}, node.input(0), with_hidden(rw, node, node.input(1), 1));
}

/// Roll(x, shift, axis)
Replacement roll(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  Value axes = node.input(2);
  if (is_complex(node)) {
    MO_ASSIGN(Integers list, known_list(node, 2, "the list of axes"));
    for (std::int64_t& axis : list) axis = with_hidden_axis(node, axis);
    axes = rw.integers(list);
  }
  return rw.create(ops::Roll{}, node.input(0), node.input(1), axes);
}

}  // namespace

/// Tensors that go round: repeated, or shifted with what leaves coming back.
void register_tile(OperatorTable& table) {
  table.translate("Tile", tile);
  table.translate("Roll", roll);
}

}  // namespace mo::tensorflow
