#pragma once

#include <string>
#include <string_view>

namespace mo {

/// `text` as one word of a command line that a message prints: as it is when every shell takes it so, else in single
/// quotes.
std::string shell_word(std::string_view text);

}  // namespace mo
