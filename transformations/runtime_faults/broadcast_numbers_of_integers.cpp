#include <algorithm>

#include "ops/convert.hpp"
#include "ops/shuffle_channels.hpp"
#include "transformations/runtime_faults/support/elementwise_chain.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool gives_elements(const Node& node) { return node.op_type().traits.elementwise && node.out_port_count() == 1; }

/// Makes real numbers of integers.
bool reads_integers(const Node& node) {
  return node.is<ops::Convert>() && is_integral(node.input_type(0).element_type);
}

/// s -> ShuffleChannels(s) in one group: a copy that no release takes into a kernel.
Replacement copied_numbers(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  if (!gives_elements(node) || node.is<ops::Convert>() || !is_real(node.output_type().element_type))
    return declined("no elementwise op of real numbers");
  const PartialShape& shape = node.output_type().shape;
  if (!shape.is_static() || shape.size() == 0) return declined("a scalar, or a size is unknown");
  const std::vector<InPort> readers = node.output().get_destinations();
  if (readers.size() < 2 ||
      !std::all_of(readers.begin(), readers.end(), [](const InPort& r) { return gives_elements(r.node()); }))
    return declined("not read by several elementwise ops alone");
  const auto broadcasts = [&](const InPort& reader) {
    const PartialShape& larger = reader.node().output_type().shape;
    return larger.has_rank() && larger.size() == shape.size() && larger != shape;
  };
  if (std::none_of(readers.begin(), readers.end(), broadcasts)) return declined("no reader broadcasts it");
  if (!is_computed(node.output()) || !comes_through_elementwise(node.output(), ChainReaders::any, reads_integers))
    return declined("not computed from integers");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return rw.create(ops::ShuffleChannels{.axis = 0, .group = 1}, rw.copy_with_new_inputs(node, inputs).output());
}

}  // namespace

void register_broadcast_numbers_of_integers(PassRegistry& passes) {
  passes.add(avoid_fault("BroadcastNumbersOfIntegers",
                         {.form = "elementwise op of a Convert of integers, of known sizes, that elementwise ops read, "
                                  "one of which broadcasts it along a dimension",
                          .symptom = "not compiled: no reorder of its layout",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "the op, ShuffleChannels of one group"})
                 .add(RewriteRule("CopyOfNumbers", {}, std::nullopt, copied_numbers)));
}

}  // namespace mo::transformations
