#include "extensions/config/name_pattern.hpp"

#include <re2/re2.h>

#include <utility>

namespace mo::config {
namespace {

/// What to do about the things that Python's `re` has and RE2 has not.
std::string_view advice(std::string_view pattern) {
  constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
      {"(?=", "look-ahead is not supported: list the names, or write several instances"},
      {"(?!", "negative look-ahead is not supported: list the names that are meant, or write several instances"},
      {"(?<=", "look-behind is not supported: write the text that comes before as part of the pattern"},
      {"(?<!", "negative look-behind is not supported: list the names that are meant, or write several instances"},
      {"(?P=", "back-references are not supported: write one instance for each string"},
      {"(?(", "conditional groups are not supported: write the alternatives with |"},
      {"(?>", "atomic groups are not supported: an ordinary group (?:…) matches the same names"},
      {"\\Z", "write \\z instead of \\Z"},
  };
  for (const auto& [part, hint] : kForeign)
    if (pattern.find(part) != std::string_view::npos) return hint;
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    ++i;
    if (pattern[i] >= '1' && pattern[i] <= '9')
      return "back-references are not supported: write one instance for each string";
  }
  return "write a regular expression in RE2 syntax";
}

}  // namespace

Expected<NamePattern> NamePattern::compile(const std::string& pattern) {
  auto compiled = std::make_shared<const RE2>(pattern, RE2::Quiet);
  if (!compiled->ok())
    return error("MO-CONFIG-0011", "\"{}\" is not a valid regular expression: {}", pattern, compiled->error())
        .hint("{}", advice(pattern));
  NamePattern made;
  made.pattern_ = std::move(compiled);
  return made;
}

bool NamePattern::matches(std::string_view name) const {
  return pattern_->Match(re2::StringPiece(name.data(), name.size()), 0, name.size(), RE2::ANCHOR_START, nullptr, 0);
}

std::string NamePattern::quoted(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

}  // namespace mo::config
