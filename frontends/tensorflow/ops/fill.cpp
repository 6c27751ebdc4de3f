#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/select.hpp"

namespace mo::tensorflow {
namespace {

/// Fill(shape, value) -> Broadcast(value, shape)
Replacement fill(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"index_type"}, "the type of the shape");
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Broadcast{}, node.input(1), with_hidden(rw, node, node.input(0), 2));
}

/// Empty(shape) -> Broadcast(0, shape): zeros with `init`, and any numbers without.
Replacement empty(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"init"}, "zeros are right with and without it");
  const auto type = node.required<ElementType>("dtype");
  MO_TRY(expect_real(node, "dtype"));
  if (node.failure()) return *node.failure();
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(Tensor zero, from_integers(type, {}, {0}));
  return rw.create(ops::Broadcast{}, rw.constant(std::move(zero)), node.input(0));
}

/// ZerosLike(x), OnesLike(x) -> Broadcast(number, ShapeOf(x)); a complex number has no imaginary part then.
Translator numbers_like(double number) {
  return [number](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(expect_tensor(node));
    MO_TRY(node.expect_inputs(1));
    const Value x = node.input(0);
    Value value = number_like(rw, x, number);
    if (is_complex(node) && number != 0) value = join(rw, {as_length(rw, value), as_length(rw, number_like(rw, x, 0))});
    return rw.create(ops::Broadcast{}, value, shape_of(rw, x));
  };
}

Replacement broadcast_to(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Broadcast{}, node.input(0), with_hidden(rw, node, node.input(1), 2));
}

/// The shape that two shapes broadcast to: ones before the shorter one, then of each pair the one that is not 1.
Replacement broadcast_args(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  const Value shapes[] = {node.input(0), node.input(1)};
  const Value one = number_like(rw, shapes[0], 1);
  const Value lengths[] = {shape_of(rw, shapes[0]), shape_of(rw, shapes[1])};
  const Value longest = rw.create(ops::Maximum{}, lengths[0], lengths[1]);
  Value filled[2];
  for (std::size_t i = 0; i < 2; ++i)
    filled[i] = join(rw, {repeat(rw, one, rw.create(ops::Subtract{}, longest, lengths[i])), shapes[i]});
  return rw.create(ops::Select{}, rw.create(ops::Equal{}, filled[0], one), filled[1], filled[0]);
}

}  // namespace

/// Tensors of one number, and tensors stretched to a shape.
void register_fill(OperatorTable& table) {
  table.translate("Fill", fill);
  table.translate("Empty", empty);
  table.translate("ZerosLike", numbers_like(0));
  table.translate("OnesLike", numbers_like(1));
  table.translate("BroadcastTo", broadcast_to);
  table.translate("BroadcastArgs", broadcast_args);
}

}  // namespace mo::tensorflow
