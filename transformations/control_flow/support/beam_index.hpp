#pragma once

#include <string_view>

namespace mo::transformations {

/// The input of a stateful decoder that has, for each row of the batch, the row whose caches it continues.
inline constexpr std::string_view kBeamIndex = "beam_idx";

}  // namespace mo::transformations
