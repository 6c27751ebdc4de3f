#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Input `i`, which has one element whether its type says so or not, multiplies data without a change of its shape.
bool is_number_beside_data(const Node& node, std::size_t i) {
  const auto rank = node.input_type(i).rank();
  return rank == 0 || (rank && rank <= node.input_type(0).rank());
}

/// Input `i`; without dimensions where their size is unknown, so that the shape of the data stays known.
Value number(const Node& node, Rewriter& rw, std::size_t i) {
  if (has_one_element(node.input(i))) return node.input(i);
  return rw.create(ops::Reshape{.special_zero = false}, node.input(i), rw.integers({}));
}

/// One of the two numbers is computed, and arithmetic can take both.
bool has_computed_numbers(const Node& node) {
  return (!reals_of(node.input(1)) || !reals_of(node.input(2))) && is_number_beside_data(node, 1) &&
         is_number_beside_data(node, 2);
}

/// HardSigmoid(x, a, b) -> clamp(x * a + b, 0, 1)
Replacement clamped_line(const Node& node, Rewriter& rw) {
  if (!has_computed_numbers(node))
    return declined("the numbers are known, or their ranks may be above that of the data");
  const Value line =
      rw.create(ops::Add{}, rw.create(ops::Multiply{}, node.input(0), number(node, rw, 1)), number(node, rw, 2));
  return rw.create(ops::Clamp{.min = 0, .max = 1}, line);
}

/// Selu(x, a, b) -> (max(x, 0) + (exp(min(0, x)) - 1) * a) * b; min has its constant in front, which keeps NaN.
Replacement selu_in_parts(const Node& node, Rewriter& rw) {
  if (!has_computed_numbers(node))
    return declined("the numbers are known, or their ranks may be above that of the data");
  const Value& x = node.input(0);
  const Value power = rw.create(ops::Exp{}, rw.create(ops::Minimum{}, rw.scalar_like(x, 0), x));
  const Value below =
      rw.create(ops::Multiply{}, rw.create(ops::Subtract{}, power, rw.scalar_like(x, 1)), number(node, rw, 1));
  return rw.create(ops::Multiply{}, rw.create(ops::Add{}, rw.create(ops::ReLU{}, x), below), number(node, rw, 2));
}

}  // namespace

void register_activations_of_computed_numbers(PassRegistry& passes) {
  passes.add(
      avoid_fault("ActivationsOfComputedNumbers", {.form = "HardSigmoid and Selu whose parameters are computed",
                                                   .symptom = "not compiled",
                                                   .first = "2021.4",
                                                   .last = "latest",
                                                   .replacement = "Multiply, Add, Clamp; ReLU, Exp and arithmetic"})
          .add(lowering<ops::HardSigmoid>("ClampedLine", clamped_line))
          .add(lowering<ops::Selu>("SeluInParts", selu_in_parts)));
}

}  // namespace mo::transformations
