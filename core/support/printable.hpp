#pragma once

#include <string>
#include <string_view>

namespace mo {

/// Replaces control characters other than line ends and tabs by \x1b and the like, bytes that are not UTF-8 by \xff,
/// and characters that change the direction of writing or end a line by \u202e: names come from the model, and a
/// terminal obeys what they say. The result is UTF-8.
std::string printable(std::string_view text);

}  // namespace mo
