#include "ops/broadcast.hpp"
#include "ops/random_uniform.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// RandomUniform(shape, …) * 0 -> broadcast(0, shape): the numbers are finite.
Replacement zeros(const Node& node, Rewriter& rw) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Node random = node.input(side).node();
    const Value factor = node.input(1 - side);
    if (!random.is<ops::RandomUniform>() || single_real_of(factor) != 0.0) continue;
    if (factor.type().rank() != 0) return declined("the factor may add dimensions");
    return rw.create(ops::Broadcast{}, factor, random.input(0));
  }
  return declined("no random numbers are multiplied by 0");
}

}  // namespace

void register_random_numbers_times_zero(PassRegistry& passes) {
  passes.add(
      avoid_fault("RandomNumbersTimesZero", {.form = "RandomUniform multiplied by 0",
                                             .symptom = "not compiled: both limits of the random numbers become 0",
                                             .first = "2022.1",
                                             .last = "latest",
                                             .replacement = "zeros of the same shape"})
          .add(lowering<ops::Multiply>("Zeros", zeros)));
}

}  // namespace mo::transformations
