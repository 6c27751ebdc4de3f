#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/runtime_faults/support/readers.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Reshape(part) -> Reshape(copy of the part), before a reduction.
Replacement reshaped_copy(const Node& node, Rewriter& rw) {
  const Value part = node.input(0);
  if (part.node().out_port_count() == 1) return declined("of an op with one output");
  if (!part.type().shape.is_static() || is_computed(node.input(1))) return declined("a shape is unknown");
  if (!can_be_copied(part.type().element_type)) return declined("no numbers");
  const std::vector<InPort> readers = readers_of_elements(node.output());
  if (readers.size() != 1 || readers[0].index() != 0 || !readers[0].node().type().starts_with("Reduce"))
    return declined("not read by a reduction alone");
  return rw.create(*node.as<ops::Reshape>(), copied(rw, part), node.input(1));
}

}  // namespace

void register_reshaped_parts_in_reductions(PassRegistry& passes) {
  passes.add(
      avoid_fault("ReshapedPartsInReductions",
                  {.form = "Reshape of one of several outputs of an op, of known shapes, which a reduction reads",
                   .symptom = "not compiled: get_shape() must be called on a node with exactly one output",
                   .first = "2022.3",
                   .last = "2022.3",
                   .replacement = "Maximum(x, x) or LogicalOr(x, x) as a copy before it"})
          .run_after({"ViewsOfSharedViews"})  // it may leave the Reshape to one reader
          .add(lowering<ops::Reshape>("ReshapedCopy", reshaped_copy)));
}

}  // namespace mo::transformations
