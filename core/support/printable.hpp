#pragma once

#include <string>
#include <string_view>

namespace mo {

/// Replaces control characters other than line ends and tabs by \x1b and the like: names come from the model, and a terminal obeys escape sequences.
std::string printable(std::string_view text);

}  // namespace mo
