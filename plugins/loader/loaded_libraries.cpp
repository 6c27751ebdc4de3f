#include "plugins/loader/loaded_libraries.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "core/diagnostics/plugin_code.hpp"

namespace mo::plugins {
namespace {

struct Loaded {
  /// keeps the name below /proc/self/fd, by which the dynamic linker knows the library, and the inode from being used
  /// again
  FilePtr file;
  void* handle = nullptr;
};

std::mutex loading;
std::vector<Loaded>& loaded_libraries() {
  static auto* const all = new std::vector<Loaded>();  // never destroyed: code of plugins may run until the very end
  return *all;
}

/// By this name the dynamic linker knows it.
std::string opened_name(const FilePtr& file) { return fmt::format("/proc/self/fd/{}", file->descriptor()); }

/// What the dynamic linker says about the last failure, with the file's own name; a library without error text gets a
/// general one.
std::string linker_error(const std::string& opened_as, const std::string& path) {
  const char* const said = dlerror();
  std::string text = said ? said : "unknown reason";
  for (std::size_t at = text.find(opened_as); at != std::string::npos; at = text.find(opened_as, at + path.size()))
    text.replace(at, opened_as.size(), path);
  return text;
}

/// A symbol of namespace mo, as the compiler spells it, is missing: `undefined
/// symbol: _ZN2mo…`.
bool misses_symbol_of_mo(std::string_view text) {
  const std::size_t at = text.find("undefined symbol: _Z");
  return at != std::string_view::npos && text.substr(at, 40).find("2mo") != std::string_view::npos;
}

}  // namespace

Expected<void*> load_library(const FilePtr& file) {
  const std::lock_guard lock(loading);
  std::vector<Loaded>& all = loaded_libraries();
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Loaded& other) { return other.file->same_file(*file); });
  if (known != all.end()) return known->handle;
  const std::string opened_as = opened_name(file);
  const std::string who = "the initialiser of " + file->path();
  const PluginCode running(who);
  void* const handle = dlopen(opened_as.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle) {
    all.push_back({file, handle});
    return handle;
  }
  const std::string text = linker_error(opened_as, file->path());
  if (misses_symbol_of_mo(text))
    return error("MO-PLUGIN-0011", "it needs a function that this program does not have: {}", text)
        .hint(
            "build the plugin against the SDK of this mo; a program that "
            "embeds mo must link mo::host, see docs/plugins.md");
  return error("MO-PLUGIN-0010", "the dynamic linker refuses it: {}", text)
      .hint("install or build the libraries that it needs");
}

std::string library_at(const void* address) {
  Dl_info found{};
  const std::unique_lock lock(loading, std::try_to_lock);  // the caller may have ended in the middle of a load
  if (!lock || ::dladdr(address, &found) == 0 || !found.dli_fname) return {};
  for (const Loaded& library : loaded_libraries())
    if (opened_name(library.file) == found.dli_fname) return library.file->path();
  return {};
}

}  // namespace mo::plugins
