#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>

namespace mo::cli {
namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kMostWidth = 160;  // longer lines are hard to read

bool is_usable(std::size_t width) { return width >= kLeastWidth; }

struct Label {
  std::string_view text;    ///< at the beginning of a line
  std::string_view colour;  ///< parameters of the escape sequence "select graphic rendition"
  std::size_t indent = 0;   ///< blanks before it
};

constexpr std::array kLabels{Label{"[ ERROR ]", "1;31"}, Label{"[ WARNING ]", "1;33"}, Label{"[ SUCCESS ]", "1;32"},
                             Label{"[ INFO ]", "1;36"}, Label{"hint", "1", 2}};

}  // namespace

std::size_t terminal_width() {
  std::size_t width = 0;
  if (const char* columns = std::getenv("COLUMNS")) {
    const std::string_view text = columns;
    if (std::from_chars(text.data(), text.data() + text.size(), width).ec == std::errc() && is_usable(width))
      return std::min(width, kMostWidth);
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && is_usable(size.ws_col))
    return std::min<std::size_t>(size.ws_col, kMostWidth);
  return kDefaultWidth;
}

bool has_colours(std::FILE* stream) {
  const char* forbidden = std::getenv("NO_COLOR");
  if (forbidden && *forbidden != '\0') return false;
  const char* kind = std::getenv("TERM");
  return kind && std::string_view(kind) != "dumb" && isatty(fileno(stream)) != 0;
}

std::string highlighted(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    for (const auto& [label, colour, indent] : kLabels) {
      if (line.find_first_not_of(' ') != indent || !line.substr(indent).starts_with(label)) continue;
      result.append(line.substr(0, indent)).append("\x1b[").append(colour).append("m").append(label).append("\x1b[0m");
      line.remove_prefix(indent + label.size());
      break;
    }
    result += line;
  }
  return result;
}

}  // namespace mo::cli
