#include "core/graph/values.hpp"
#include "extensions/library/support/fusing.hpp"
#include "ops/reshape.hpp"
#include "ops/shuffle_channels.hpp"
#include "ops/transpose.hpp"

namespace mo::library::fusions {
namespace {

struct ShuffleChannelsSettings {
  bool reshape_constants_check = false;  ///< whether a -1 in the shapes of the Reshapes forbids the fusion
  static constexpr auto attributes = std::tuple{attr("reshape_constants_check", &ShuffleChannelsSettings::reshape_constants_check)};
};

std::optional<std::int64_t> length_of(const Dimension& d) { return d.is_known() ? std::optional(d.value()) : std::nullopt; }

/// The number of groups when images x are split into [N, groups, C / groups, H, W] (or with H * W), and come back as [N, C, H, W] with both
/// parts of the channels swapped.
std::optional<std::int64_t> groups_of(const PartialShape& x, const PartialShape& split, const PartialShape& out) {
  if (x.rank() != 4 || out.rank() != 4 || (split.rank() != 4 && split.rank() != 5)) return std::nullopt;
  for (const std::size_t axis : {std::size_t{1}, std::size_t{2}, std::size_t{3}})
    if (!x[axis].is_known() || x[axis] != out[axis]) return std::nullopt;
  const auto groups = length_of(split[1]);
  const auto members = length_of(split[2]);
  if (!groups || !members || *groups * *members != x[1].value()) return std::nullopt;
  const bool is_flat = split.size() == 4;
  if (is_flat ? split[3] != Dimension(x[2].value() * x[3].value()) : split[3] != x[2] || split[4] != x[3]) return std::nullopt;
  // With all other dimensions equal, the batch is the same everywhere.
  if (!x[0].compatible(split[0]) || !x[0].compatible(out[0])) return std::nullopt;
  return groups;
}

bool has_negative(const Value& shape) { return !none_negative(constant_integers_of(shape)); }

}  // namespace

void register_shuffle_channels_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any().rank(4);
  const Pat split = op<ops::Reshape>(x, constant()).one_use();
  const Pat moved = op<ops::Transpose>(split, constant()).one_use();
  const Pat root = op<ops::Reshape>(moved, constant());
  library.add(
      rewrite("ShuffleChannelsFusion")
          .described("Reshape(Transpose(Reshape(x)))", "ShuffleChannels(x) {axis=1}",
                     "rank 4, only the batch may be unknown; [N, g, C / g, H, W] with the middle dimensions swapped; nobody reads what lies between. "
                     "reshape_constants_check: no -1 in the shapes of the Reshapes")
          .settings<ShuffleChannelsSettings>()
          .match(root)
          .replace([=](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
            const auto groups = groups_of(m[x].type().shape, m[split].type().shape, m.root().type().shape);
            if (!groups) return declined("the shapes are not those of a shuffle");
            const std::size_t rank = m[split].type().shape.size();
            const auto order = middle::known_order(m.node(moved), rank);
            std::vector<std::size_t> wanted = {0, 2, 1, 3, 4};
            wanted.resize(rank);
            if (order != wanted) return declined("the order is not that of a shuffle");
            const bool checks = context.settings.get<ShuffleChannelsSettings>().reshape_constants_check;
            if (checks && (has_negative(m.node(split).input(1)) || has_negative(m.root().node().input(1)))) return declined("a shape has a -1");
            return rw.create(ops::ShuffleChannels{.axis = 1, .group = *groups}, m[x]);
          }));
}

}  // namespace mo::library::fusions
