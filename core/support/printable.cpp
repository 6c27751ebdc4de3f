#include "core/support/printable.hpp"

#include <fmt/core.h>

namespace mo {

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    // U+0080 to U+009F, two bytes in UTF-8, are control characters as well.
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xc2 && next >= 0x80 && next <= 0x9f)
      shown += fmt::format("\\x{:02x}", text[++i] & 0xff);
    else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return shown;
}

}  // namespace mo
