#include "fuzz/harness/inputs.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace mo::fuzz {

namespace fs = std::filesystem;

namespace {

/// "0a 05 # the graph" -> two bytes.
std::string bytes_of_hex(std::string_view text) {
  std::string bytes;
  int high = -1;
  bool comment = false;
  for (const char c : text) {
    comment = c == '#' || (comment && c != '\n');
    if (comment || !std::isxdigit(static_cast<unsigned char>(c))) continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (high >= 0) bytes += static_cast<char>(high * 16 + digit);
    high = high >= 0 ? -1 : digit;
  }
  return bytes;
}

}  // namespace

std::vector<std::string> input_files(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_input(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  return path.ends_with(".hex") ? bytes_of_hex(content) : content;
}

}  // namespace mo::fuzz
