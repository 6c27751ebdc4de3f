#include <algorithm>

#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/split_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The Split along the channels that a convolution reads a part of; an empty node otherwise.
Node split_of(const Node& convolution) {
  const Node split = convolution.input(0).node();
  return is_split(split) && split_axis(split) == 1 ? split : Node();
}

/// Returns true if the runtime makes one GroupConvolution of the inputs of `concat`, which are convolutions of parts of
/// the same tensor, although they are not all parts in their order, joined along the channels.
bool is_taken_for_groups(const Node& concat) {
  const auto rank = concat.output_type().rank();
  bool has_all_in_order = rank && normalize_axis(concat.as<ops::Concat>()->axis, *rank) == 1;
  Node split;
  for (std::size_t i = 0; i < concat.in_port_count(); ++i) {
    const Node convolution = concat.input(i).node();
    if (!convolution.is<ops::Convolution>()) return false;
    const Node parts = split_of(convolution);
    if (!parts || (split && parts != split)) return false;
    split = parts;
    has_all_in_order &= convolution.input(0).index() == i;
  }
  return concat.in_port_count() > 1 && (!has_all_in_order || concat.in_port_count() != split.out_port_count());
}

/// Convolution -> GroupConvolution of one group, where it is the first input of such a Concat: the runtime looks for
/// convolutions only.
Replacement one_group(const Node& node, Rewriter& rw) {
  const auto is_faulty = [](const InPort& reader) {
    return reader.index() == 0 && reader.node().is<ops::Concat>() && is_taken_for_groups(reader.node());
  };
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(), is_faulty))
    return declined("not joined with convolutions of other parts, or all parts in order");
  const auto& op = *node.as<ops::Convolution>();
  return rw.create(ops::GroupConvolution{.strides = op.strides,
                                         .pads_begin = op.pads_begin,
                                         .pads_end = op.pads_end,
                                         .dilations = op.dilations,
                                         .auto_pad = op.auto_pad},
                   node.input(0), rw.fold(ops::Unsqueeze{}, node.input(1), rw.integers({0})));
}

}  // namespace

void register_convolutions_of_split_parts(PassRegistry& passes) {
  passes.add(
      avoid_fault("ConvolutionsOfSplitParts",
                  {.form = "Concat of convolutions of parts of one Split, unless it joins all parts in their order "
                           "along the channels",
                   .symptom = "wrong values or not compiled: treated as one GroupConvolution of the whole tensor",
                   .first = "2023.3",
                   .last = "latest",
                   .replacement = "GroupConvolution of one group as the first of them"})
          .add(lowering<ops::Convolution>("OneGroup", one_group)));
}

}  // namespace mo::transformations
