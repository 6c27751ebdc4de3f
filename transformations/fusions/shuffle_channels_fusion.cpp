#include "core/graph/values.hpp"
#include "ops/shuffle_channels.hpp"
#include "transformations/fusions/support/rearrangement.hpp"

namespace mo::transformations {
namespace {

struct ShuffleChannelsSettings {
  bool reshape_constants_check = false;  ///< whether a -1 in the shapes of the Reshapes forbids the fusion
  static constexpr auto attributes =
      Attributes{attr("reshape_constants_check", &ShuffleChannelsSettings::reshape_constants_check)};
};

bool has_minus_one(const Node& reshape) { return !none_negative(constant_integers_of(reshape.input(1))); }

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

/// [N, C, H, W] -> Reshape [N, g, C / g, H, W] -> Transpose (0, 2, 1, 3, 4) -> Reshape [N, C, H, W] -> ShuffleChannels
/// {group=g}; along any axis, and with the dimensions after it merged in between.
void register_shuffle_channels_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("Reshape")
                 .named("ShuffleChannelsFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LayoutChange"})
                 .described("Reshape(Transpose(Reshape(x)))", "ShuffleChannels(x)",
                            "only the batch may be unknown, or the first Reshape tells it; two neighbours that an axis "
                            "was split into change places; intermediate results have no other readers; "
                            "reshape_constants_check: no -1 in the shapes of the Reshapes")
                 .settings<ShuffleChannelsSettings>()
                 .replace_op([](const Node& node, Rewriter& rw, PassContext& context) -> Replacement {
                   const auto r = rearrangement_before(node);
                   const auto axis = r ? exchanged_pair(r->order) : std::nullopt;
                   if (!axis || *axis >= r->in.size() || *axis == 0)
                     return declined("no two neighbours of a split axis change places");
                   if (std::vector<std::int64_t>(r->in.begin() + 1, r->in.end()) !=
                       std::vector<std::int64_t>(r->out.begin() + 1, r->out.end()))
                     return declined("the shape after differs");
                   for (std::size_t i = 1; i < *axis; ++i)
                     if (r->parts[i] != r->in[i]) return declined("dimensions before the split axis change");
                   const bool checks = context.settings.get<ShuffleChannelsSettings>().reshape_constants_check;
                   if (checks && (has_minus_one(node) || has_minus_one(node.input(0).node().input(0).node())))
                     return declined("a shape has a -1");
                   const std::int64_t groups = r->parts[*axis];
                   if (groups * r->parts[*axis + 1] != r->in[*axis] || groups < 2 || groups == r->in[*axis])
                     return declined("there is nothing to shuffle");
                   return rw.create(ops::ShuffleChannels{.axis = static_cast<std::int64_t>(*axis), .group = groups},
                                    r->x);
                 }));
}

}  // namespace mo::transformations
