#include "extensions/middle/support/rearrangement.hpp"
#include "ops/shuffle_channels.hpp"

namespace mo::middle {
namespace {

/// The place where `order` exchanges two neighbours and nothing else.
std::optional<std::size_t> exchanged_pair(const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (order[i] == i) continue;
    if (order[i] != i + 1 || order[i + 1] != i) return std::nullopt;
    for (std::size_t k = i + 2; k < order.size(); ++k)
      if (order[k] != k) return std::nullopt;
    return i;
  }
  return std::nullopt;
}

}  // namespace

/// [N, C, H, W] -> Reshape [N, g, C / g, H, W] -> Transpose (0, 2, 1, 3, 4) ->
/// Reshape [N, C, H, W] -> ShuffleChannels {group=g}; along any axis, and with
/// the dimensions behind it taken together in between.
void register_shuffle_channels_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("Reshape")
                 .named("ShuffleChannelsFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LayoutChange"})
                 .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
                   const auto r = rearrangement_before(node);
                   const auto axis = r ? exchanged_pair(r->order) : std::nullopt;
                   if (!axis || r->in != r->out || *axis >= r->in.size() || *axis == 0) return Replacement::declined();
                   for (std::size_t i = 0; i < *axis; ++i)
                     if (r->parts[i] != r->in[i]) return Replacement::declined();
                   const std::int64_t groups = r->parts[*axis];
                   if (groups * r->parts[*axis + 1] != r->in[*axis] || groups < 2 || groups == r->in[*axis]) return Replacement::declined();
                   return rw.create(ops::ShuffleChannels{.axis = static_cast<std::int64_t>(*axis), .group = groups}, r->x);
                 }));
}

}  // namespace mo::middle
