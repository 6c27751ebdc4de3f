#include "ops/reference/blocks.hpp"

#include "ops/reference/axis.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

/// One index space, seen in the deep tensor (channels or batches hold the blocks) and in the wide one (space holds
/// them).
struct Pairing {
  Shape shape;
  StridedView deep;
  StridedView wide;

  void add(std::int64_t size, std::int64_t deep_step, std::int64_t wide_step) {
    shape.push_back(size);
    deep.strides.push_back(deep_step);
    wide.strides.push_back(wide_step);
  }
};

Pairing pair_depth(const Shape& deep, const Shape& wide, std::int64_t block, bool blocks_first) {
  const std::vector<std::int64_t> d = row_major_strides(deep);
  const std::vector<std::int64_t> w = row_major_strides(wide);
  const std::int64_t channels = wide[1];
  std::int64_t volume = 1;
  for (std::size_t i = 2; i < deep.size(); ++i) volume *= block;
  Pairing pairing;
  pairing.add(wide[0], d[0], w[0]);
  pairing.add(channels, blocks_first ? d[1] : d[1] * volume, w[1]);
  std::int64_t place = volume;
  for (std::size_t i = 2; i < deep.size(); ++i) {
    place /= block;
    pairing.add(deep[i], d[i], w[i] * block);
    pairing.add(block, (blocks_first ? d[1] * channels : d[1]) * place, w[i]);
  }
  return pairing;
}

Pairing pair_batch(const Shape& deep, const Shape& wide, const std::vector<std::int64_t>& blocks) {
  const std::vector<std::int64_t> d = row_major_strides(deep);
  const std::vector<std::int64_t> w = row_major_strides(wide);
  std::int64_t place = deep[0];
  Pairing pairing;
  pairing.add(wide[0], d[0], w[0]);
  for (std::size_t i = 1; i < deep.size(); ++i) {
    place /= blocks[i];
    pairing.add(deep[i], d[i], w[i] * blocks[i]);
    pairing.add(blocks[i], d[0] * place, w[i]);
  }
  return pairing;
}

}  // namespace

void depth_to_space(const Tensor& data, std::int64_t block, bool blocks_first, Tensor& out) {
  if (out.element_count() == 0) return;
  Pairing p = pair_depth(data.shape(), out.shape(), block, blocks_first);
  strided_copy(data, std::move(p.deep), out, std::move(p.wide), std::move(p.shape));
}

void space_to_depth(const Tensor& data, std::int64_t block, bool blocks_first, Tensor& out) {
  if (out.element_count() == 0) return;
  Pairing p = pair_depth(out.shape(), data.shape(), block, blocks_first);
  strided_copy(data, std::move(p.wide), out, std::move(p.deep), std::move(p.shape));
}

void batch_to_space(const Tensor& data, const std::vector<std::int64_t>& blocks, Tensor& out) {
  if (out.element_count() == 0) return;
  Pairing p = pair_batch(data.shape(), out.shape(), blocks);
  strided_copy(data, std::move(p.deep), out, std::move(p.wide), std::move(p.shape));
}

void space_to_batch(const Tensor& data, const std::vector<std::int64_t>& blocks, Tensor& out) {
  if (out.element_count() == 0) return;
  Pairing p = pair_batch(out.shape(), data.shape(), blocks);
  strided_copy(data, std::move(p.wide), out, std::move(p.deep), std::move(p.shape));
}

void shuffle_channels(const Tensor& data, std::int64_t axis, std::int64_t groups, Tensor& out) {
  if (out.element_count() == 0) return;
  const AxisView view = view_axis(data.shape(), axis);
  const std::int64_t channels = view.size / groups;
  Shape shape{view.outer, channels, groups, view.inner};
  StridedView from{0, {view.size * view.inner, view.inner, channels * view.inner, 1}};
  strided_copy(data, std::move(from), out, whole(shape), shape);
}

}  // namespace mo::ops::reference
