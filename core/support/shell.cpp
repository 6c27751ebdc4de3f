#include "core/support/shell.hpp"

#include <algorithm>

namespace mo {

std::string shell_word(std::string_view text) {
  // What bash, zsh and fish leave alone wherever it stands; bytes from 0x80 are letters of some script.
  const bool plain = std::ranges::all_of(text, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
           std::string_view("_-./:,+@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !text.empty() && !text.starts_with('=')) return std::string(text);  // zsh expands =name
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace mo
