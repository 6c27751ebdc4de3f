#include "tools/inspect/command_words.hpp"

#include <algorithm>

#include "core/support/shell.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kSet = "True";

}  // namespace

CommandWords::CommandWords(const Options& options) {
  for (const GivenOption& given : options.given) options_.emplace_back(given.name, given.text);
}

void CommandWords::set(std::string_view option, std::string value) {
  const auto it =
      std::find_if(options_.begin(), options_.end(), [&](const auto& each) { return each.first == option; });
  if (it == options_.end())
    options_.emplace_back(option, std::move(value));
  else
    it->second = std::move(value);
}

void CommandWords::erase(std::string_view option) {
  std::erase_if(options_, [&](const auto& each) { return each.first == option; });
}

std::string CommandWords::value(std::string_view option) const {
  const auto it =
      std::find_if(options_.begin(), options_.end(), [&](const auto& each) { return each.first == option; });
  return it == options_.end() ? std::string() : it->second;
}

std::vector<std::string> CommandWords::words() const {
  std::vector<std::string> words;
  for (const auto& [option, value] : options_) {
    words.push_back("--" + option);
    if (value == "False") words.back() += "=false";
    if (value != kSet && value != "False") words.push_back(value);
  }
  return words;
}

std::string CommandWords::text(std::string_view command) const {
  std::string text(command);
  for (const std::string& word : words()) text += " " + shell_word(word);
  return text;
}

}  // namespace mo::tools
