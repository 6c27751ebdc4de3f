#include "ops/concat.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Abs(Concat(a, b)) -> squeeze(Abs(unsqueeze(Concat(a, b)))), where something else reads the vector.
Replacement of_matrix(const Node& node, Rewriter& rw) {
  const Value joined = node.input(0);
  if (!joined.node().is<ops::Concat>() || joined.type().rank() != 1) return declined("no Concat of vectors");
  if (joined.has_one_destination()) return declined("nothing else reads the vector");
  const Value first = rw.integers({0});
  return rw.create(ops::Squeeze{}, rw.create(*node.as<ops::Abs>(), rw.create(ops::Unsqueeze{}, joined, first)), first);
}

}  // namespace

void register_abs_of_joined_vectors(PassRegistry& passes) {
  passes.add(avoid_fault("AbsOfJoinedVectors", {.form = "Abs of a Concat of vectors that another op reads, too",
                                                .symptom = "all readers of the Concat get the absolute values",
                                                .first = "2024.6",
                                                .last = "latest",
                                                .replacement = "Unsqueeze, Abs, Squeeze"})
                 .add(lowering<ops::Abs>("OfMatrix", of_matrix)));
}

}  // namespace mo::transformations
