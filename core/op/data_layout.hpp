#pragma once

#include <array>
#include <string_view>

namespace mo {

/// Where the channels of an op's images are. An op with a member `layout` of this type (an internal attribute, never
/// emitted) says so of its data inputs (LayoutRule; input 0 by default) and its outputs, as far as they have the
/// largest rank among these inputs; all else is that of the channels-first op. `channels_last`: [N, spatial…, C], as
/// TensorFlow keeps images. The layout step makes every op channels_first; until then the engine gives `infer` and
/// `evaluate` a permuted view, so that no op implements channels-last itself.
enum class DataLayout { channels_first, channels_last };
inline constexpr std::array<std::string_view, 2> kDataLayoutNames{"channels_first", "channels_last"};
constexpr const auto& names_of(DataLayout) { return kDataLayoutNames; }

}  // namespace mo
