#include "cli/option_list.hpp"

#include <fmt/format.h>

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
  for (const std::string_view word : split_words(words)) made += (made.empty() ? "" : ", ") + quoted(word);
  return "[" + made + "]";
}

std::string_view text_of(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "nothing";
    case Takes::perhaps: return "a value or nothing";
    case Takes::value: return "value";
    case Takes::list: return "list";
    case Takes::pair: return "pair";
  }
  return "nothing";
}

std::string_view text_of(Standing standing) {
  switch (standing) {
    case Standing::current: return "current";
    case Standing::deprecated: return "deprecated";
    case Standing::ignored: return "ignored";
    case Standing::idle: return "without effect";
    case Standing::removed: return "removed";
    case Standing::foreign: return "of other programs";
  }
  return "current";
}

std::string manual_of(const OptionManual& manual) {
  return fmt::format("{{\"value\": {}, \"default\": {}, \"meaning\": {}}}", quoted(manual.value),
                     quoted(manual.otherwise), quoted(manual.meaning));
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
        "{}  {{\"name\": {}, \"aliases\": {}, \"group\": {}, \"topic\": {}, \"framework\": {}, \"takes\": {}, "
        "\"value\": "
        "{}, \"words\": {}, \"is_path\": {}, \"affects_ir\": {}, \"standing\": {}, \"example\": {}, \"help\": {}, "
        "\"manual\": {}}}",
        text.empty() ? "" : ",\n", quoted(row->name), quoted_words(row->letters), quoted(row->section->title),
        quoted(row->section->topic), quoted(row->section->framework), quoted(text_of(row->takes)), quoted(row->metavar),
        quoted_words(row->words), row->is_path, row->acts == Acts::on_ir, quoted(text_of(row->standing)),
        quoted(row->example), quoted(row->help), manual_of(row->manual));
  }
  return as_json ? "[\n" + text + "\n]\n" : text;
}

}  // namespace mo::cli
