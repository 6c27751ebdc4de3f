#include "cli/option_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/option_table.hpp"

namespace mo::cli {
namespace {

/// The texts are ours: only these two characters of them mean something in JSON.
std::string quoted(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

std::string quoted_words(std::string_view words) {
  std::string made;
  while (!words.empty()) {
    const std::size_t space = std::min(words.find(' '), words.size());
    made += (made.empty() ? "" : ", ") + quoted(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
  return "[" + made + "]";
}

std::string_view text_of(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "nothing";
    case Takes::perhaps: return "a value or nothing";
    case Takes::value: return "value";
    case Takes::list: return "list";
  }
  return "nothing";
}

}  // namespace

std::string option_list(bool as_json) {
  std::string text;
  for (const OptionRow* row : option_table()) {
    if (!as_json) {
      text += fmt::format("--{}\n", row->name);
      continue;
    }
    text += fmt::format(
        "{}  {{\"name\": {}, \"aliases\": {}, \"group\": {}, \"takes\": {}, \"value\": {}, \"is_path\": {}, "
        "\"affects_ir\": {}, \"help\": {}}}",
        text.empty() ? "" : ",\n", quoted(row->name), quoted_words(row->aliases), quoted(title(row->section)),
        quoted(text_of(row->takes)), quoted(row->metavar), row->is_path, row->acts == Acts::on_ir, quoted(row->help));
  }
  return as_json ? "[\n" + text + "\n]\n" : text;
}

}  // namespace mo::cli
