#include <algorithm>
#include <array>

#include "ops/depth_to_space.hpp"
#include "ops/space_to_depth.hpp"
#include "transformations/fusions/support/rearrangement.hpp"

namespace mo::transformations {
namespace {

using ops::DepthMode;

/// One way to move blocks of an image: where the batch, the channels, the image
/// and the block are among the six parts.
struct Form {
  bool to_space;
  DataLayout layout;
  DepthMode mode;
  std::array<std::size_t, 6> order;
  std::size_t channels;
  std::size_t height;
  std::size_t width;
  std::size_t block_height;
  std::size_t block_width;
};

constexpr auto kFirst = DataLayout::channels_first;
constexpr auto kLast = DataLayout::channels_last;
constexpr std::array kForms{
    Form{true, kFirst, DepthMode::blocks_first, {0, 3, 4, 1, 5, 2}, 3, 4, 5, 1, 2},
    Form{true, kFirst, DepthMode::depth_first, {0, 1, 4, 2, 5, 3}, 1, 4, 5, 2, 3},
    Form{true, kLast, DepthMode::blocks_first, {0, 1, 3, 2, 4, 5}, 5, 1, 2, 3, 4},
    Form{true, kLast, DepthMode::depth_first, {0, 1, 4, 2, 5, 3}, 3, 1, 2, 4, 5},
    Form{false, kFirst, DepthMode::blocks_first, {0, 3, 5, 1, 2, 4}, 1, 2, 4, 3, 5},
    Form{false, kFirst, DepthMode::depth_first, {0, 1, 3, 5, 2, 4}, 1, 2, 4, 3, 5},
    Form{false, kLast, DepthMode::blocks_first, {0, 1, 3, 2, 4, 5}, 5, 1, 3, 2, 4},
    Form{false, kLast, DepthMode::depth_first, {0, 1, 3, 5, 2, 4}, 5, 1, 3, 2, 4},
};

/// The block size when `r` is of that form; 0 otherwise.
std::int64_t block_of(const Form& form, const Rearrangement& r) {
  if (r.in.size() != 4 || r.out.size() != 4 ||
      !std::equal(form.order.begin(), form.order.end(), r.order.begin(), r.order.end()))
    return 0;
  const std::int64_t block = r.parts[form.block_height];
  const std::int64_t channels = r.parts[form.channels];
  const std::int64_t height = r.parts[form.height];
  const std::int64_t width = r.parts[form.width];
  if (block < 2 || r.parts[form.block_width] != block) return 0;
  const auto image = [&](std::int64_t c, std::int64_t h, std::int64_t w) {
    return form.layout == kFirst ? std::vector{r.in[0], c, h, w} : std::vector{r.in[0], h, w, c};
  };
  const auto deep = image(channels * block * block, height, width);
  const auto wide = image(channels, height * block, width * block);
  return (form.to_space ? r.in == deep && r.out == wide : r.in == wide && r.out == deep) ? block : 0;
}

/// Images with channels last: some op says so. The layout step, which only such
/// graphs need, brings the new op into order.
bool has_channels_last(const Graph& graph, const PassContext&) {
  if (!graph.has_op_type([](const OpType& type) { return type.data_layout != nullptr; })) return false;
  for (const Node node : graph.nodes())
    if (node.op_type().is_channels_last(node.payload())) return true;
  return false;
}

Replacement fuse_depth_to_space(const Node& node, Rewriter& rw, DataLayout layout) {
  const auto r = rearrangement_before(node);
  if (!r)
    return declined(
        "no Reshape, Transpose and Reshape; a shape besides the batch is unknown, or an intermediate result has "
        "another reader");
  for (const Form& form : kForms) {
    if (form.layout != layout) continue;
    const std::int64_t block = block_of(form, *r);
    if (block == 0) continue;
    if (form.to_space)
      return rw.create(ops::DepthToSpace{.mode = form.mode, .block_size = block, .layout = layout}, r->x);
    return rw.create(ops::SpaceToDepth{.mode = form.mode, .block_size = block, .layout = layout}, r->x);
  }
  return declined("the parts are not those of blocks");
}

Pass fusion(std::string name, DataLayout layout) {
  return front_replacement_op("Reshape")
      .named(std::move(name))
      .described("Reshape(Transpose(Reshape(x)))", "DepthToSpace(x), SpaceToDepth(x)",
                 "rank 4, only the batch is unknown, or the first Reshape tells it; blocks before the channels or "
                 "after them; intermediate results have no other readers")
      .phase(Phase::middle)
      .run_after({"CommonSubexpressions"})
      .run_before({"LayoutChange"})
      .replace_op([layout](const Node& node, Rewriter& rw) { return fuse_depth_to_space(node, rw, layout); });
}

}  // namespace

/// Reshape to six dimensions -> Transpose -> Reshape to four -> DepthToSpace or
/// SpaceToDepth.
void register_depth_to_space_fusion(PassRegistry& passes) {
  passes.add(fusion("DepthToSpaceFusion", kFirst));
  Pass channels_last = fusion("DepthToSpaceOfChannelsLastFusion", kLast);
  channels_last.condition = has_channels_last;
  passes.add(std::move(channels_last));
}

}  // namespace mo::transformations
