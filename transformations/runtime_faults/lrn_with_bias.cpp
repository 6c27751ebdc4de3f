#include <cmath>

#include "ops/lrn.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// data / (bias + alpha * s)^beta -> bias^-beta * data / (1 + alpha / bias * s)^beta.
Replacement without_bias(const Node& node, Rewriter& rw) {
  ops::LRN op = *node.as<ops::LRN>();
  if (op.bias == 1) return Replacement::declined();
  if (op.bias <= 0) return declined("the bias cannot be taken out of a sum that may be 0 or negative");
  const double factor = std::pow(op.bias, -op.beta);
  op.alpha /= op.bias;
  op.bias = 1;
  const Value normalised = rw.create(std::move(op), node.input(0), node.input(1));
  return rw.create(ops::Multiply{}, normalised, rw.scalar_like(normalised, factor));
}

}  // namespace

void register_lrn_with_bias(PassRegistry& passes) {
  passes.add(avoid_fault("LrnWithBias", {.form = "LRN with a bias other than 1",
                                         .symptom = "the bias is treated as 1",
                                         .first = "2021.4",
                                         .last = "latest",
                                         .replacement = "LRN with bias 1 and alpha / bias, multiplied by bias^-beta"})
                 .add(lowering<ops::LRN>("WithoutBias", without_bias)));
}

}  // namespace mo::transformations
