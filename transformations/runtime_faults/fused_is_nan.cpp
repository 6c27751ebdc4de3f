#include <algorithm>

#include "ops/classification.hpp"
#include "ops/comparison.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement differs_from_itself(const Node& node, Rewriter& rw) {
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(),
                   [](const InPort& reader) { return reader.node().op_type().traits.elementwise; }))
    return declined("no elementwise op reads it");
  return rw.create(ops::NotEqual{}, node.input(0), node.input(0));
}

}  // namespace

void register_fused_is_nan(PassRegistry& passes) {
  passes.add(avoid_fault("FusedIsNaN", {.form = "IsNaN that a logical or comparing op reads",
                                        .symptom = "the model is not compiled",
                                        .first = "2022.3",
                                        .last = "2022.3",
                                        .replacement = "NotEqual(x, x)"})
                 .add(lowering<ops::IsNaN>("DiffersFromItself", differs_from_itself)));
}

}  // namespace mo::transformations
