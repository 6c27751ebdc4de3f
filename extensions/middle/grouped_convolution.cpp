#include "core/rewrite.hpp"
#include "ops/build/convolution.hpp"
#include "ops/convolution.hpp"

namespace mo::middle {
namespace {

/// Channels of the data: dimension 1, or the last one of channels-last data.
Dimension channels_of(const PartialShape& data, DataLayout layout) { return layout == DataLayout::channels_last ? data[data.size() - 1] : data[1]; }

/// Convolution(x, w) {groups_from_channels} -> GroupConvolution(x, w as [G, O / G, C / G, spatial…]), G = channels of x / C of w;
/// the plain Convolution when G is 1. Where the shapes leave G open, the filters must fit the channels at run time.
Replacement with_known_groups(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Convolution>();
  const PartialShape& data = node.input_type(0).shape;
  const PartialShape& filters = node.input_type(1).shape;
  if (!op.groups_from_channels) return Replacement::declined();
  std::int64_t groups = 1;
  if (data.has_rank() && data.size() >= 3) {
    PartialShape channels_first = PartialShape::of_rank(data.size());
    channels_first[1] = channels_of(data, op.layout);
    groups = op.groups(channels_first, filters);
  }
  if (groups == 1) {
    ops::Convolution plain = op;
    plain.groups_from_channels = false;
    return rw.create(std::move(plain), node.input(0), node.input(1));
  }
  return rw.create(ops::GroupConvolution{.strides = op.strides,
                                         .pads_begin = op.pads_begin,
                                         .pads_end = op.pads_end,
                                         .dilations = op.dilations,
                                         .auto_pad = op.auto_pad,
                                         .layout = op.layout},
                   node.input(0), build::grouped_filters(rw, node.input(1), groups, filters.size() - 2));
}

}  // namespace

void register_grouped_convolution(PassRegistry& passes) {
  // Fusions into weights look at the filters' dimensions, so they come later.
  passes.add(front_replacement_op("Convolution")
                 .named("GroupedConvolution")
                 .phase(Phase::middle)
                 .run_before({"ConstantFolding", "LinearOperationFusion", "ReverseChannelsFusion"})
                 .replace_op(with_known_groups));
}

}  // namespace mo::middle
