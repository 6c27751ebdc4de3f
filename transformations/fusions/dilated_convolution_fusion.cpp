#include <algorithm>

#include "core/graph/copying.hpp"
#include "core/graph/values.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/fusions/support/element_sources.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

/// What SpaceToBatch and BatchToSpace do along one dimension.
struct Block {
  std::int64_t size = 1;
  std::optional<std::int64_t> begin = 0;  ///< the pad of SpaceToBatch less the crop of BatchToSpace
  std::optional<std::int64_t> end = 0;
  bool is_cropped = false;  ///< perhaps

  bool is_nothing() const { return size == 1 && begin == 0 && end == 0 && !is_cropped; }
};

/// For each dimension of the data. Pads and crops may be computed: TensorFlow pads to a multiple of the block and crops
/// as much again.
std::optional<std::vector<Block>> blocks_of(const Node& to_batch, const Node& to_space) {
  const auto sizes = integers_of(to_batch.input(1));
  const auto begins = constant_differences(to_batch.input(2), to_space.input(2));
  const auto ends = constant_differences(to_batch.input(3), to_space.input(3));
  const auto crops_begin = known_elements(to_space.input(2));
  const auto crops_end = known_elements(to_space.input(3));
  const auto rank = to_batch.input_type(0).rank();
  if (!rank || !sizes || sizes != integers_of(to_space.input(1))) return std::nullopt;
  for (const std::size_t count : {sizes->size(), begins.size(), ends.size(), crops_begin.size(), crops_end.size()})
    if (static_cast<std::int64_t>(count) != *rank) return std::nullopt;
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    if ((*sizes)[i] < 1) return std::nullopt;
    blocks.push_back({(*sizes)[i], begins[i], ends[i], crops_begin[i] != 0 || crops_end[i] != 0});
  }
  return blocks;
}

/// SpaceToBatch -> [Unsqueeze] -> convolution -> [Squeeze] -> [Add of a
/// constant] -> BatchToSpace, seen from its end.
struct Chain {
  Node batch_to_space;
  Node add;  ///< may be empty
  Value bias;
  Node squeeze;  ///< may be empty, as `unsqueeze`
  Node convolution;
  Node unsqueeze;
  Node space_to_batch;
};

/// The producer of `value` when it has one reader.
Node only_for_this(const Value& value) { return value && value.has_one_destination() ? value.node() : Node(); }

std::optional<Chain> chain_before(const Node& batch_to_space) {
  Chain chain{.batch_to_space = batch_to_space};
  Node at = only_for_this(batch_to_space.input(0));
  if (at && at.is<ops::Add>()) {
    const auto operands = tensor_and_constant(at);
    if (!operands || at.as<ops::Add>()->auto_broadcast != ops::AutoBroadcast::numpy) return std::nullopt;
    chain.add = at;
    chain.bias = operands->constant;
    at = only_for_this(operands->tensor);
  }
  if (at && is_squeeze(at)) {
    chain.squeeze = at;
    at = only_for_this(at.input(0));
  }
  if (!at || !(at.is<ops::Convolution>() || at.is<ops::GroupConvolution>())) return std::nullopt;
  chain.convolution = at;
  at = only_for_this(at.input(0));
  if (at && at.is<ops::Unsqueeze>()) {
    chain.unsqueeze = at;
    at = only_for_this(at.input(0));
  }
  if (!at || !at.is<ops::SpaceToBatch>() || static_cast<bool>(chain.squeeze) != static_cast<bool>(chain.unsqueeze))
    return std::nullopt;
  chain.space_to_batch = at;
  return chain;
}

/// A bias may follow the new convolution when it is the same for all batches
/// and places.
bool is_channel_bias(const Value& bias, std::size_t rank, std::size_t channel) {
  const auto shape = bias.type().shape.to_shape();
  if (!shape || shape->size() > rank) return false;
  for (std::size_t i = 0; i < shape->size(); ++i)
    if (i + rank - shape->size() != channel && (*shape)[i] != 1) return false;
  return true;
}

/// The convolution with the blocks of both ends in its dilations and pads.
/// Every block of the data meets the kernel at distances of the block size; its
/// padding by p is one of p * block of the whole; cropping the result is less
/// padding. Nothing when it is not exactly that.
template <class T>
std::optional<T> dilate(const T& op, const Node& node, bool grouped, const std::vector<Block>& blocks) {
  const auto kernel = kernel_of(node.input(1), grouped);
  if (!kernel) return std::nullopt;
  const std::size_t count = kernel->size();
  const std::size_t rank = count + 2;
  const auto data = spatial_dimensions(node.input_type(0).shape, op.layout, count);
  const auto strides = per_axis(op.strides, count, 1);
  const auto dilations = per_axis(op.dilations, count, 1);
  if (!data || !strides || !dilations || blocks.size() != rank) return std::nullopt;
  const auto pads = pads_of({op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad}, *kernel, *data);
  const DataAxes axes = data_axes(op.layout, rank);
  for (const std::size_t axis : {std::size_t{0}, axes.channel})
    if (!blocks[axis].is_nothing()) return std::nullopt;
  if (!pads) return std::nullopt;
  T made = op;
  made.auto_pad = ops::AutoPad::explicit_pads;
  made.strides = *strides;
  made.dilations = *dilations;
  made.pads_begin = pads->begin;
  made.pads_end = pads->end;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  for (std::size_t i = 0; i < count; ++i) {
    const Block& block = blocks[axes.first + i];
    // Steps of a stride would be taken in each block separately; crops count elements of the result.
    if (!block.begin || !block.end || (made.strides[i] != 1 && (block.size != 1 || block.is_cropped)))
      return std::nullopt;
    for (const std::int64_t number : {block.size, made.dilations[i], made.pads_begin[i], made.pads_end[i]})
      if (number < 0 || number >= kMost) return std::nullopt;
    for (const std::int64_t number : {*block.begin, *block.end})
      if (number <= -kMost || number >= kMost) return std::nullopt;
    made.dilations[i] *= block.size;
    made.pads_begin[i] = made.pads_begin[i] * block.size + *block.begin;
    made.pads_end[i] = made.pads_end[i] * block.size + *block.end;
    for (const std::int64_t number : {made.dilations[i], made.pads_begin[i], made.pads_end[i]})
      if (number < 0 || number >= kMost) return std::nullopt;
  }
  return made;
}

Replacement fuse_dilated_convolution(const Node& root, Rewriter& rw) {
  const auto chain = chain_before(root);
  if (!chain) return declined("no convolution between the reshaping ops, or an intermediate result has another reader");
  auto blocks = blocks_of(chain->space_to_batch, chain->batch_to_space);
  const auto rank = chain->convolution.input_type(0).rank();
  if (!blocks || !rank) return declined("the block shape is not constant or not the same, or the rank is unknown");
  if (chain->unsqueeze) {
    // TensorFlow makes images of sequences: the dimension that comes and goes
    // takes no part.
    const auto inserted = known_axes(chain->unsqueeze.input(1), *rank);
    const auto removed = known_axes(chain->squeeze.input(1), *rank);
    if (!inserted || inserted->size() != 1 || inserted != removed)
      return declined("what is split off the space is not what is put back");
    const auto axis = static_cast<std::size_t>(inserted->front());
    if (blocks->size() + 1 != static_cast<std::size_t>(*rank)) return Replacement::declined();
    blocks->insert(blocks->begin() + static_cast<std::ptrdiff_t>(axis), Block{});
  }
  const Node& node = chain->convolution;
  std::optional<Op> made;
  DataLayout layout{};
  if (const auto* op = node.as<ops::Convolution>()) {
    layout = op->layout;
    if (auto dilated = dilate(*op, node, false, *blocks)) made.emplace(*std::move(dilated));
  } else if (const auto* grouped = node.as<ops::GroupConvolution>()) {
    layout = grouped->layout;
    if (auto dilated = dilate(*grouped, node, true, *blocks)) made.emplace(*std::move(dilated));
  }
  if (!made) return declined("pads less crops are computed, or do not fit the convolution");
  const auto out_rank = static_cast<std::size_t>(root.output_type().rank().value_or(0));
  if (chain->add && !is_channel_bias(chain->bias, out_rank, data_axes(layout, out_rank).channel))
    return declined("what is added does not vary along the channels alone");

  Value value = chain->space_to_batch.input(0);
  if (chain->unsqueeze) value = rw.create(copy_op(chain->unsqueeze), value, chain->unsqueeze.input(1));
  value = rw.create(*std::move(made), value, node.input(1));
  if (chain->squeeze) value = rw.create(copy_op(chain->squeeze), value, chain->squeeze.input(1));
  if (chain->add) value = rw.create(ops::Add{}, value, chain->bias);
  return value;
}

}  // namespace

/// SpaceToBatch(block) -> Convolution -> BatchToSpace(block) -> Convolution
/// {dilations=block}: how TensorFlow writes dilated convolutions. Also for
/// GroupConvolution, with a bias before BatchToSpace, and for sequences that
/// become images in between. Either layout.
void register_dilated_convolution_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("BatchToSpace")
                 .named("DilatedConvolutionFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LayoutChange"})
                 .replace_op(fuse_dilated_convolution));
}

}  // namespace mo::transformations
