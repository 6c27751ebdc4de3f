#include "tools/common/environment.hpp"

#include <cerrno>
#include <cstdlib>

namespace mo::tools {
namespace {

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The one that is set, for messages.
const char* set_one(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return name;
  return *names.begin();
}

}  // namespace

std::optional<std::string> environment(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return std::string(value);
  return std::nullopt;
}

Expected<bool> environment_flag(std::initializer_list<const char*> names, bool otherwise) {
  const std::optional<std::string> value = environment(names);
  if (!value) return otherwise;
  const std::string word = lower(*value);
  if (word == "1" || word == "true" || word == "on") return true;
  if (word == "0" || word == "false" || word == "off") return false;
  return error("MO-OPT-0004", "the environment variable {} is '{}'", set_one(names), *value)
      .hint("say 1, true or on, or 0, false or off");
}

Expected<std::int64_t> environment_number(std::initializer_list<const char*> names, std::int64_t otherwise) {
  const std::optional<std::string> value = environment(names);
  if (!value) return otherwise;
  char* end = nullptr;
  errno = 0;
  const long long number = std::strtoll(value->c_str(), &end, 0);
  if (errno == 0 && *end == '\0') return std::int64_t{number};
  return error("MO-OPT-0004", "the environment variable {} is '{}'", set_one(names), *value)
      .hint("give a whole number");
}

}  // namespace mo::tools
