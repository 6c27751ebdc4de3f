#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/split.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

/// One branch between Split and Concat: a convolution with constant weights,
/// perhaps with a constant added.
struct Branch {
  Node convolution;
  Value weights;
  Value bias;  ///< may be empty
};

std::optional<Branch> branch_before(const Value& value) {
  Branch branch;
  if (!value || !value.has_one_destination()) return std::nullopt;
  Node at = value.node();
  if (at.is<ops::Add>()) {
    const auto operands = tensor_and_constant(at);
    if (!operands || !operands->tensor.has_one_destination()) return std::nullopt;
    branch.bias = operands->constant;
    at = operands->tensor.node();
  }
  if (!at.is<ops::Convolution>() || !at.input(0) || !at.input(1) || !at.input(1).node().is<Const>())
    return std::nullopt;
  branch.convolution = at;
  branch.weights = at.input(1);
  return branch;
}

/// The axis that a Split into equal parts works on, and the tensor; nothing for
/// other producers.
std::optional<std::int64_t> even_split_axis(const Node& split, std::size_t parts) {
  const auto rank = split.input_type(0).rank();
  const bool even = split.is<ops::Split>();
  if ((!even && !split.is<ops::VariadicSplit>()) || !rank || split.out_port_count() != parts) return std::nullopt;
  if (const auto lengths = even ? std::nullopt : integers_of(split.input(2)); !even) {
    if (!lengths) return std::nullopt;
    for (const std::int64_t length : *lengths)
      if (length != lengths->front() || length < 1) return std::nullopt;
  }
  const auto axes = known_axes(split.input(1), *rank);
  return axes && axes->size() == 1 ? std::optional(axes->front()) : std::nullopt;
}

/// The constants of all branches, one after the other along `axis`.
Value joined(Rewriter& rw, const std::vector<Branch>& branches, Value Branch::*member, std::int64_t axis) {
  std::vector<Value> parts;
  for (const Branch& branch : branches) parts.push_back(branch.*member);
  Value made = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) made = rw.fold(ops::Concat{.axis = axis}, made, parts[i]);
  return made;
}

Replacement fuse_group_convolution(const Node& concat, Rewriter& rw) {
  const std::size_t count = concat.in_port_count();
  if (count < 2) return declined("there is one input only");
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < count; ++i) {
    auto branch = branch_before(concat.input(i));
    if (!branch) return declined("a branch is not a convolution of a part of one split");
    branches.push_back(*std::move(branch));
  }
  const Node& first = branches.front().convolution;
  const auto& op = *first.as<ops::Convolution>();
  const Node split = first.input(0).node();
  const auto axis = even_split_axis(split, count);
  const auto rank = concat.output_type().rank();
  const auto shape = branches.front().weights.type().shape.to_shape();
  if (!axis || !rank || !shape || *rank != split.input_type(0).rank() ||
      shape->size() != static_cast<std::size_t>(*rank))
    return Replacement::declined();
  const auto channel = data_axes(op.layout, static_cast<std::size_t>(*rank)).channel;
  if (*axis != static_cast<std::int64_t>(channel) || normalize_axis(concat.as<ops::Concat>()->axis, *rank) != *axis)
    return declined("split and concatenation are not along the channels");
  const Value bias = branches.front().bias;
  const auto bias_shape = bias ? bias.type().shape.to_shape() : std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const Branch& b = branches[i];
    const bool in_turn = b.convolution.input(0) == split.output(i) && split.output(i).has_one_destination();
    if (!in_turn || !same_attributes(first.op_type(), first.payload(), b.convolution.payload()))
      return declined("the branches are not in the order of the split, or their attributes differ");
    if (b.weights.type() != branches.front().weights.type() || static_cast<bool>(b.bias) != static_cast<bool>(bias))
      return declined("weights or biases of the branches differ in type");
    if (bias && b.bias.type() != bias.type()) return declined("the biases differ in type");
  }
  std::int64_t bias_axis = 0;
  if (bias) {
    // One number for each output channel, in the place of the channels: [C, 1,
    // 1] or [1, C, 1, 1]; [C] for channels that are last.
    if (!bias_shape || bias_shape->size() > static_cast<std::size_t>(*rank))
      return declined("the shape of a bias is unknown");
    const std::int64_t shift = *rank - static_cast<std::int64_t>(bias_shape->size());
    bias_axis = *axis - shift;
    if (bias_axis < 0) return declined("a bias does not vary along the channels");
    for (std::size_t i = 0; i < bias_shape->size(); ++i)
      if ((*bias_shape)[i] != (static_cast<std::int64_t>(i) == bias_axis ? shape->front() : 1))
        return declined("a bias does not vary along the channels alone");
  }

  const Value stacked = joined(rw, branches, &Branch::weights, 0);
  std::vector<std::int64_t> grouped = *shape;
  grouped.insert(grouped.begin(), static_cast<std::int64_t>(count));
  const Value made = rw.create(ops::GroupConvolution{.strides = op.strides,
                                                     .pads_begin = op.pads_begin,
                                                     .pads_end = op.pads_end,
                                                     .dilations = op.dilations,
                                                     .auto_pad = op.auto_pad,
                                                     .layout = op.layout},
                               split.input(0), reshaped(rw, stacked, grouped));
  return bias ? rw.create(ops::Add{}, made, joined(rw, branches, &Branch::bias, bias_axis)) : made;
}

}  // namespace

/// Split -> a Convolution for each part -> Concat -> GroupConvolution: how
/// grouped convolutions are written where there is no op for them.
void register_group_convolution_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("Concat")
                 .named("GroupConvolutionFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .replace_op(fuse_group_convolution));
}

}  // namespace mo::transformations
