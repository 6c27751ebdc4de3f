#include "ops/elementwise_unary.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Another op reads the tensor, or the elements that it has with other dimensions.
bool is_shared(Value x) {
  while (x.has_one_destination() && (is_view(x.node()) || x.node().is<ops::Transpose>())) x = x.node().input(0);
  return !x.has_one_destination();
}

/// Erf(x) -> -Erf(-x), where something else reads x: what the kernel overwrites is its own copy then.
Replacement of_own_copy(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!is_shared(x)) return declined("nothing else reads the data");
  return rw.create(ops::Negative{}, rw.create(*node.as<ops::Erf>(), rw.create(ops::Negative{}, x)));
}

}  // namespace

void register_erf_of_shared_numbers(PassRegistry& passes) {
  passes.add(
      avoid_fault("ErfOfSharedNumbers",
                  {.form = "Erf of data that another op reads, too, maybe before they get other dimensions",
                   .symptom = "the other op gets values that Erf has overwritten, where one kernel computes both",
                   .first = "2022.1",
                   .last = "2023.3",
                   .replacement = "Negative, Erf, Negative"})
          .add(lowering<ops::Erf>("OfOwnCopy", of_own_copy)));
}

}  // namespace mo::transformations
