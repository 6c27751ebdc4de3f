#include <algorithm>
#include <utility>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/reorg_yolo.hpp"
#include "ops/shuffle_channels.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/space_to_depth.hpp"

namespace mo::onnx_emitter {
namespace {

/// The operators take images of real numbers; the rest is reshaped and transposed.
bool has_block_operator(const Translation& t, std::int64_t rank) {
  const ElementType type = t.node.output_type().element_type;
  return rank == 4 && is_real(type) && type != ElementType::bf16;
}

std::int64_t power_of(std::int64_t base, std::int64_t exponent) {
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < exponent; ++i) power *= base;
  return power;
}

/// [N, C, D1, …] -> [N, b, …, C / b^k, D1, …] (or the blocks after the channels) -> each block after its dimension.
Expected<Outputs> depth_to_space(Translation& t) {
  const auto& op = *t.node.as<ops::DepthToSpace>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const bool blocks_first = op.mode == ops::DepthMode::blocks_first;
  const std::int64_t block = op.block_size;
  if (has_block_operator(t, rank))
    return Outputs{t.op("DepthToSpace", {t.input(0)}, {{"blocksize", block}, {"mode", blocks_first ? "DCR" : "CRD"}})};
  const std::int64_t spatial = rank - 2;
  const sizes::Size channels = sizes::along(t, 1, 1, power_of(block, spatial));
  std::vector<sizes::Size> cut{sizes::along(t, 0)};
  if (!blocks_first) cut.push_back(channels);
  for (std::int64_t i = 0; i < spatial; ++i) cut.push_back(sizes::number(block));
  if (blocks_first) cut.push_back(channels);
  std::vector<std::int64_t> order{0, blocks_first ? spatial + 1 : 1};
  std::vector<sizes::Size> wide{sizes::along(t, 0), channels};
  for (std::int64_t i = 0; i < spatial; ++i) {
    cut.push_back(sizes::along(t, 2 + i));
    order.push_back(2 + spatial + i);
    order.push_back(blocks_first ? 1 + i : 2 + i);
    wide.push_back(sizes::along(t, 2 + i, block));
  }
  return Outputs{sizes::reshaped(t, t.transposed(sizes::reshaped(t, t.input(0), cut), order), wide)};
}

/// [N, C, D1, …] -> [N, C, D1 / b, b, …] -> all blocks before the channels, or after them. The operator has the first
/// order only.
Expected<Outputs> space_to_depth(Translation& t) {
  const auto& op = *t.node.as<ops::SpaceToDepth>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const bool blocks_first = op.mode == ops::DepthMode::blocks_first;
  const std::int64_t block = op.block_size;
  if (blocks_first && has_block_operator(t, rank))
    return Outputs{t.op("SpaceToDepth", {t.input(0)}, {{"blocksize", block}})};
  const std::int64_t spatial = rank - 2;
  std::vector<sizes::Size> cut{sizes::along(t, 0), sizes::along(t, 1)};
  std::vector<sizes::Size> deep{sizes::along(t, 0), sizes::along(t, 1, power_of(block, spatial))};
  std::vector<std::int64_t> order{0};
  if (!blocks_first) order.push_back(1);
  for (std::int64_t i = 0; i < spatial; ++i) {
    const sizes::Size count = sizes::along(t, 2 + i, 1, block);
    cut.push_back(count);
    cut.push_back(sizes::number(block));
    deep.push_back(count);
    order.push_back(3 + 2 * i);
  }
  if (blocks_first) order.push_back(1);
  for (std::int64_t i = 0; i < spatial; ++i) order.push_back(2 + 2 * i);
  return Outputs{sizes::reshaped(t, t.transposed(sizes::reshaped(t, t.input(0), cut), order), deep)};
}

/// Inputs 1 to 3 of SpaceToBatch and BatchToSpace: one number for each dimension.
struct BatchCuts {
  std::int64_t rank = 0;
  std::int64_t volume = 1;  ///< of a block
  std::vector<std::int64_t> blocks;
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;

  bool is_cut(std::int64_t axis) const { return blocks[static_cast<std::size_t>(axis)] != 1; }
  std::int64_t block(std::int64_t axis) const { return blocks[static_cast<std::size_t>(axis)]; }
  /// Begin and end together.
  std::int64_t margin(std::int64_t axis) const {
    return begins[static_cast<std::size_t>(axis)] + ends[static_cast<std::size_t>(axis)];
  }
};

Expected<BatchCuts> batch_cuts(const Translation& t) {
  BatchCuts cuts;
  MO_ASSIGN(cuts.rank, t.rank());
  std::vector<std::int64_t>* const lists[] = {&cuts.blocks, &cuts.begins, &cuts.ends};
  for (std::size_t i = 0; i < 3; ++i) {
    auto known = integers_of(t.node.input(1 + i));
    if (!known || known->size() != static_cast<std::size_t>(cuts.rank))
      return t.refused("its blocks or margins are computed");
    *lists[i] = *std::move(known);
  }
  for (const std::int64_t block : cuts.blocks) cuts.volume *= block;
  return cuts;
}

/// [b1, b2, …, N, D1, D2, …] -> [N, D1, b1, D2, b2, …], and without the crops.
Expected<Outputs> batch_to_space(Translation& t) {
  MO_ASSIGN(const BatchCuts cuts, batch_cuts(t));
  const sizes::Size batch = sizes::along(t, 0, 1, cuts.volume);
  std::vector<sizes::Size> cut;
  for (std::int64_t axis = 1; axis < cuts.rank; ++axis)
    if (cuts.is_cut(axis)) cut.push_back(sizes::number(cuts.block(axis)));
  const auto blocks = static_cast<std::int64_t>(cut.size());
  cut.push_back(batch);
  std::vector<sizes::Size> wide{batch};
  std::vector<std::int64_t> order{blocks};
  std::int64_t next = 0;
  for (std::int64_t axis = 1; axis < cuts.rank; ++axis) {
    cut.push_back(sizes::along(t, axis));
    order.push_back(blocks + axis);
    if (cuts.is_cut(axis)) order.push_back(next++);
    wide.push_back(sizes::along(t, axis, cuts.block(axis)));
  }
  Value value = t.input(0);
  if (blocks > 0) value = sizes::reshaped(t, t.transposed(sizes::reshaped(t, value, cut), order), wide);
  std::vector<std::int64_t> from, to, axes;
  for (std::int64_t axis = 1; axis < cuts.rank; ++axis) {
    if (cuts.margin(axis) == 0) continue;
    const std::int64_t end = cuts.ends[static_cast<std::size_t>(axis)];
    from.push_back(cuts.begins[static_cast<std::size_t>(axis)]);
    to.push_back(end == 0 ? sizes::kAfterLast : -end);
    axes.push_back(axis);
  }
  if (!axes.empty()) value = t.op("Slice", {value, t.integers(from), t.integers(to), t.integers(axes)});
  return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
}

/// Padded with zeros, [N, D1 / b1, b1, D2 / b2, b2, …] -> [b1, b2, …, N, D1 / b1, D2 / b2, …]. Pad takes booleans since
/// op set 13.
Expected<Outputs> space_to_batch(Translation& t) {
  MO_ASSIGN(const BatchCuts cuts, batch_cuts(t));
  Value value = t.input(0);
  std::vector<std::int64_t> pads = cuts.begins;
  pads.insert(pads.end(), cuts.ends.begin(), cuts.ends.end());
  if (std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; })) {
    if (t.node.output_type().element_type == ElementType::boolean && t.opset < 13) return t.needs_opset(13);
    value = t.op("Pad", {value, t.integers(pads)});
  }
  std::vector<sizes::Size> cut{sizes::along(t, 0)};
  std::vector<sizes::Size> deep{sizes::along(t, 0, cuts.volume)};
  std::vector<std::int64_t> order;
  std::vector<std::int64_t> rest{0};
  for (std::int64_t axis = 1; axis < cuts.rank; ++axis) {
    const sizes::Size count = sizes::along(t, axis, 1, cuts.block(axis), cuts.margin(axis));
    rest.push_back(static_cast<std::int64_t>(cut.size()));
    cut.push_back(count);
    deep.push_back(count);
    if (!cuts.is_cut(axis)) continue;
    order.push_back(static_cast<std::int64_t>(cut.size()));
    cut.push_back(sizes::number(cuts.block(axis)));
  }
  if (!order.empty()) {
    order.insert(order.end(), rest.begin(), rest.end());
    value = sizes::reshaped(t, t.transposed(sizes::reshaped(t, value, cut), order), deep);
  }
  return Outputs{value == t.input(0) ? t.op("Identity", {value}) : value};
}

/// [group, C / group] -> [C / group, group]
Expected<Outputs> shuffle_channels(Translation& t) {
  const auto& op = *t.node.as<ops::ShuffleChannels>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const std::int64_t place = op.axis < 0 ? op.axis + rank : op.axis;
  std::vector<sizes::Size> cut;
  std::vector<sizes::Size> all;
  std::vector<std::int64_t> order;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    all.push_back(sizes::along(t, axis));
    if (axis == place) cut.push_back(sizes::number(op.group));
    cut.push_back(axis == place ? sizes::along(t, axis, 1, op.group) : all.back());
  }
  for (std::int64_t axis = 0; axis <= rank; ++axis) order.push_back(axis);
  std::swap(order[static_cast<std::size_t>(place)], order[static_cast<std::size_t>(place) + 1]);
  return Outputs{sizes::reshaped(t, t.transposed(sizes::reshaped(t, t.input(0), cut), order), all)};
}

/// Darknet reads the data as [N, C / s^2, H * s, W * s] and cuts that into blocks: [N, groups, H, s, W, s] -> [N, s, s,
/// groups, H, W], which is read as [N, C * s^2, H / s, W / s].
Expected<Outputs> reorg_yolo(Translation& t) {
  const std::int64_t s = t.node.as<ops::ReorgYolo>()->stride.front();
  MO_TRY(t.rank());
  const sizes::Size batch = sizes::along(t, 0);
  const std::vector<sizes::Size> cut{
      batch, sizes::along(t, 1, 1, s * s), sizes::along(t, 2), sizes::number(s), sizes::along(t, 3), sizes::number(s)};
  const std::vector<sizes::Size> deep{batch, sizes::along(t, 1, s * s), sizes::along(t, 2, 1, s),
                                      sizes::along(t, 3, 1, s)};
  const Value blocks = t.transposed(sizes::reshaped(t, t.input(0), cut), {0, 3, 5, 1, 2, 4});
  return Outputs{sizes::reshaped(t, blocks, deep)};
}

}  // namespace

void register_blocks(OnnxForms& table) {
  table.add<ops::DepthToSpace>(depth_to_space);
  table.add<ops::SpaceToDepth>(space_to_depth);
  table.add<ops::BatchToSpace>(batch_to_space);
  table.add<ops::SpaceToBatch>(space_to_batch);
  table.add<ops::ShuffleChannels>(shuffle_channels);
  table.add<ops::ReorgYolo>(reorg_yolo);
}

}  // namespace mo::onnx_emitter
