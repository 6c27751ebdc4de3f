#include "ops/transpose.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/scatter.hpp"

namespace mo::tensorflow {
namespace {

/// The order with all axes counted from the front; TensorFlow also takes those that count from the back.
Value from_the_front(const FrameworkNode& node, Rewriter& rw, const Value& order) {
  auto numbers = constant_integers_of(order);
  if (!numbers || none_negative(numbers)) return order;
  for (std::int64_t& axis : *numbers) axis += axis < 0 ? static_cast<std::int64_t>(numbers->size()) : 0;
  return typed_vector(rw, node.input_type(1).element_type, *numbers);
}

/// The hidden dimension of complex numbers stays where it is.
Replacement transpose(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  Value order = from_the_front(node, rw, node.input(1));
  if (is_complex(node)) order = join(rw, {as_i64(rw, order), as_length(rw, list_length(rw, order))});
  return rw.create(ops::Transpose{}, node.input(0), order);
}

/// The conjugate has the imaginary part negated; that of a real number is the number.
Replacement conjugate_transpose(const FrameworkNode& node, Rewriter& rw) {
  Replacement transposed = transpose(node, rw);
  if (transposed.error() || !is_complex(node)) return transposed;
  return rw.create(ops::Multiply{}, transposed.outputs().front(),
                   typed_vector(rw, node.input_type(0).element_type, {1, -1}));
}

/// result[p[i]] = i
Replacement invert_permutation(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  const Value order = node.input(0);
  const Value places = as_type_of(rw, index_range(rw, as_scalar(rw, shape_of(rw, order))), order);
  return rw.create(ops::ScatterUpdate{}, order, order, places, rw.scalar<std::int64_t>(0));
}

}  // namespace

void register_transpose(OperatorTable& table) {
  table.translate("Transpose", transpose);
  table.translate("ConjugateTranspose", conjugate_transpose);
  table.translate("InvertPermutation", invert_permutation);
}

}  // namespace mo::tensorflow
