#include <algorithm>

#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_sliced_again(const Node& slice) {
  const std::vector<InPort> readers = slice.output().get_destinations();
  return std::any_of(readers.begin(), readers.end(),
                     [](const InPort& reader) { return reader.node().is<ops::Slice>() && reader.index() == 0; });
}

/// The runtime makes one slice of two when their axes differ, and takes 2 and -1 for different ones.
Replacement counted_from_the_front(const Node& node, Rewriter& rw) {
  constexpr std::size_t kAxes = 4;
  if (node.in_port_count() <= kAxes || !node.input(kAxes)) return declined("the axes are the first ones");
  const auto axes = integers_of(node.input(kAxes));
  if (!axes || none_negative(axes) || !node.input_type(0).rank())
    return declined("no axis is known to be negative, or the rank is unknown");
  if (!node.input(0).node().is<ops::Slice>() && !is_sliced_again(node)) return declined("one slice only");
  const Value in_front = axes_from_the_front(rw, node.input(kAxes), node.input(0));
  return rw.create(ops::Slice{}, node.input(0), node.input(1), node.input(2), node.input(3), in_front);
}

}  // namespace

void register_axes_of_slices_in_sequence(PassRegistry& passes) {
  passes.add(avoid_fault("AxesOfSlicesInSequence",
                         {.form = "Slice-8 with negative axes, before or after another Slice-8",
                          .symptom = "not compiled: axes must be unique, or are more than dimensions",
                          .first = "2024.6",
                          .last = "2024.6",
                          .replacement = "axes that count from the front"})
                 .add(lowering<ops::Slice>("CountedFromTheFront", counted_from_the_front)));
}

}  // namespace mo::transformations
