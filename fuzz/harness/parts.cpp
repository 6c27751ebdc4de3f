#include "fuzz/harness/parts.hpp"

namespace mo::fuzz {

std::vector<std::string_view> parts_of(std::string_view input, std::size_t count) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < count) {
    const std::size_t end = input.find(kPartEnd);
    parts.push_back(input.substr(0, end));
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + kPartEnd.size());
  }
  parts.push_back(input);
  return parts;
}

std::vector<std::string> all_parts_of(std::string_view input) {
  std::vector<std::string> parts;
  for (std::size_t end = input.find(kPartEnd); end != std::string_view::npos; end = input.find(kPartEnd)) {
    parts.emplace_back(input.substr(0, end));
    input.remove_prefix(end + kPartEnd.size());
  }
  parts.emplace_back(input);
  return parts;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string input;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) input += kPartEnd;
    input += parts[i];
  }
  return input;
}

}  // namespace mo::fuzz
