#include "api/c/request.hpp"

#include <algorithm>

namespace {

/// Whether a path that ends at `end` is all of a path: "/proc/self/fd/1" is none in "/proc/self/fd/12".
bool ends_path(const std::string& text, std::size_t end) {
  return end >= text.size() || text[end] < '0' || text[end] > '9';
}

}  // namespace

void mo_request::set(const std::string& option, std::optional<std::string> value) {
  std::erase_if(bytes, [&](const Bytes& each) { return each.option == option; });
  const auto known =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& each) { return each.option == option; });
  if (known == settings.end())
    settings.push_back({option, std::move(value)});
  else
    known->value = std::move(value);
}

mo::Expected<void> mo_request::set_bytes(const std::string& option, const std::string& name,
                                         std::span<const std::byte> data) {
  MO_ASSIGN(std::shared_ptr<const mo::MemoryFile> file, mo::MemoryFile::copy_of(data));
  set(option, file->path());
  bytes.push_back({option, name, std::move(file)});
  return {};
}

const mo_request::Bytes* mo_request::bytes_of(std::string_view option) const {
  const auto found = std::find_if(bytes.begin(), bytes.end(), [&](const Bytes& each) { return each.option == option; });
  return found == bytes.end() ? nullptr : &*found;
}

const mo_request::Setting* mo_request::setting(std::string_view option) const {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& each) { return each.option == option; });
  return found == settings.end() ? nullptr : &*found;
}

std::vector<std::string> mo_request::words_without(std::initializer_list<std::string_view> options) const {
  std::vector<std::string> words = given_words;
  for (const Setting& each : settings)
    if (std::find(options.begin(), options.end(), each.option) == options.end())
      words.push_back("--" + each.option + (each.value ? "=" + *each.value : ""));
  return words;
}

std::string mo_request::with_names(std::string text) const {
  for (const Bytes& each : bytes) {
    const std::string path = each.file->path();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + 1))
      if (ends_path(text, at + path.size())) text.replace(at, path.size(), each.name);
  }
  return text;
}
