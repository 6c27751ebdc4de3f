#include "core/support/printable.hpp"

#include <fmt/core.h>

namespace mo {
namespace {

constexpr char32_t kInvalid = 0xffffffff;

/// The character that `text` begins with and its bytes. Whatever is not UTF-8 (stray bytes, overlong forms, surrogates,
/// beyond U+10FFFF) is `kInvalid`, one byte at a time.
std::pair<char32_t, std::size_t> next_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return {kInvalid, 1};
  char32_t code = byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {kInvalid, 1};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[size] || code > 0x10ffff || surrogate) return {kInvalid, 1};
  return {code, size};
}

/// Characters that a terminal obeys instead of showing.
bool is_control(char32_t c) { return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f); }

/// Unicode Bidi_Control, line and paragraph separators, byte order mark: a name that holds one rearranges, or splits,
/// the line it stands in.
bool rearranges(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto [code, size] = next_character(text);
    if (code == kInvalid)
      shown += fmt::format("\\x{:02x}", text.front() & 0xff);
    else if (is_control(code))
      shown += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code));
    else if (rearranges(code))
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    else
      shown += text.substr(0, size);
    text.remove_prefix(size);
  }
  return shown;
}

}  // namespace mo
