#include "tools/transform/flags.hpp"

#include <fmt/format.h>
#include <pwd.h>

#include <algorithm>
#include <cstdlib>

#include "core/support/nearest.hpp"

namespace mo::tools {
namespace {

/// Old documents write these; they say where messages go, which is stderr anyway.
constexpr std::string_view kOfLogging[] = {"logtostderr", "alsologtostderr", "v", "stderrthreshold"};

Diagnostic unknown(const std::string& argument, const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) names.push_back("--" + flag.name);
  const std::string close = nearest(argument.substr(0, argument.find('=')), names);
  Diagnostic failed = error("MO-GTT-0030", "Unknown argument {}", argument);
  if (close.empty()) return std::move(failed).hint("flags are written --name=value; --help lists them");
  return std::move(failed).hint("did you mean {}? Flags are written --name=value", close);
}

Expected<void> set(const Flag& flag, const std::optional<std::string>& value) {
  if (flag.is_on) {
    if (value && *value != "true" && *value != "false")
      return error("MO-GTT-0031", "--{} takes true or false, not \"{}\"", flag.name, *value)
          .hint("write --{0} or --{0}=false", flag.name);
    *flag.is_on = !value || *value == "true";
    return {};
  }
  if (!value)
    return error("MO-GTT-0031", "--{} has no value", flag.name)
        .hint("write --{}=…, with = and without blanks", flag.name);
  *flag.text = *value;
  return {};
}

}  // namespace

Expected<std::vector<std::string>> parse_flags(const std::vector<std::string>& arguments,
                                               const std::vector<Flag>& flags) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      others.insert(others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (!argument.starts_with("--")) {
      if (argument.starts_with('-') && argument.size() > 1) return unknown(argument, flags);
      others.push_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (std::find(std::begin(kOfLogging), std::end(kOfLogging), name) != std::end(kOfLogging)) continue;
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) { return f.name == name; });
    if (flag == flags.end()) return unknown(argument, flags);
    MO_TRY(set(*flag, equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1))));
  }
  return others;
}

std::string usage_of(std::string_view program, const std::vector<Flag>& flags) {
  std::string text = fmt::format("usage: {}\nFlags:\n", program);
  for (const Flag& flag : flags) {
    const std::string shown =
        flag.is_on ? fmt::format("--{}={}", flag.name, *flag.is_on) : fmt::format("--{}=\"{}\"", flag.name, *flag.text);
    text += fmt::format("\t{:<34}\t{}\t{}\n", shown, flag.is_on ? "bool" : "string", flag.help);
  }
  return text;
}

std::string expand_home(const std::string& path) {
  if (!path.starts_with('~')) return path;
  const std::size_t slash = std::min(path.find('/'), path.size());
  const std::string user = path.substr(1, slash - 1);
  const char* home = nullptr;
  if (user.empty()) home = std::getenv("HOME");
  if (!home) {
    // The program has one thread only here.
    const passwd* const entry = user.empty() ? nullptr : getpwnam(user.c_str());
    if (entry) home = entry->pw_dir;
  }
  return home ? home + path.substr(slash) : path;
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
    if (text.empty()) names.emplace_back();
  }
  return names;
}

}  // namespace mo::tools
