#pragma once

#include <string_view>

namespace mo {

/// An attribute of an op of an IR that is known by name only and carried through: the `version` of its layer.
inline constexpr std::string_view kCarriedVersion = "@version";

}  // namespace mo
