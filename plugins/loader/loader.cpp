#include "plugins/loader/loader.hpp"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <sstream>

#include "core/diagnostics/plugin_code.hpp"
#include "core/support/static_program.hpp"
#include "plugins/loader/contributions.hpp"
#include "plugins/loader/loaded_libraries.hpp"
#include "plugins/loader/plugin_files.hpp"
#include "plugins/loader/trial.hpp"
#include "plugins/sdk/abi.hpp"

namespace mo::plugins {
namespace {

constexpr const char* kSymbol = "mo_plugin_describe";
constexpr std::size_t kLongestName = 64;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

Diagnostic incomplete(std::string_view what) {
  return error("MO-PLUGIN-0013", "its description is incomplete: {}", what)
      .hint("write it with MO_PLUGIN of <mo/plugin.hpp>");
}

/// In this order: a description of another layout tells only its version, and one of another build may not be called.
Expected<Plugin> read_description(const std::string& path, const mo_plugin_description* description) {
  if (!description) return incomplete("there is none");
  if (description->abi_version != MO_PLUGIN_ABI_VERSION)
    return error("MO-PLUGIN-0014", "it has plugin interface {}, and this mo has {}", description->abi_version,
                 MO_PLUGIN_ABI_VERSION)
        .hint("build the plugin against the SDK of this mo");
  if (!description->build_tag) return incomplete("it has no build tag");
  if (build_tag() != description->build_tag)
    return error("MO-PLUGIN-0015", "it was built for \"{}\", and this is \"{}\"",
                 std::string_view(description->build_tag).substr(0, 200), build_tag())
        .hint("build the plugin against the SDK of this mo");
  if (!description->name || !is_name(description->name))
    return incomplete("its name is missing, or has characters other than letters, digits, '-', '_' and '.'");
  if (description->name == std::string_view(kBuiltIn))
    return incomplete("its name is \"mo\", which is reserved for what is built in");
  if (!description->version || !is_name(description->version))
    return incomplete("its version is missing, or has characters other than letters, digits, '-' and '.'");
  Plugin plugin{path, description->name, description->version, (description->flags & MO_PLUGIN_OVERRIDES) != 0,
                description->register_everything};
  if (!plugin.register_everything)
    return error("MO-PLUGIN-0016", "plugin {} has no function that registers what it brings", plugin.name)
        .hint("give MO_PLUGIN a function that takes mo::Registry&");
  return plugin;
}

Expected<Plugin> load_plugin(const FilePtr& file) {
  MO_ASSIGN(void* const handle, load_library(file));
  const auto describe = reinterpret_cast<mo_plugin_describe_function>(dlsym(handle, kSymbol));
  if (!describe)
    return error("MO-PLUGIN-0012",
                 "it is a shared library, but no plugin of mo: it has no "
                 "symbol {}",
                 kSymbol)
        .hint("MO_PLUGIN of <mo/plugin.hpp> defines it");
  const std::string who = "the description of " + file->path();
  const PluginCode running(who);
  try {
    return read_description(file->path(), describe());
  } catch (const std::exception& thrown) {
    return error("MO-PLUGIN-0017", "it threw an exception while it described itself: {}", thrown.what())
        .hint("tell the author of the plugin");
  } catch (...) {
    return error("MO-PLUGIN-0017", "it threw an exception while it described itself")
        .hint("tell the author of the plugin");
  }
}

void append(std::vector<Diagnostic>& problems, Error&& error) {
  problems.insert(problems.end(), std::make_move_iterator(error.items().begin()),
                  std::make_move_iterator(error.items().end()));
}

Expected<void> register_one(const Plugin& plugin, Registry& registry) {
  registry.set_owner(plugin.name, plugin.overrides);
  const std::string who = "the registration of plugin " + plugin.name;
  const PluginCode running(who);
  std::string what;
  try {
    plugin.register_everything(registry);
    return {};
  } catch (const std::exception& thrown) { what = thrown.what(); } catch (...) {  // NOLINT: nothing is known of it
    what = "something that is not a std::exception";
  }
  return error("MO-PLUGIN-0017",
               "plugin {} threw an exception while it registered what it "
               "brings: {}",
               plugin.name, what)
      .hint("tell the author of the plugin");
}

/// Name, version and what the plugin registers, a line each.
std::string self_description(const Plugin& plugin, const Registry& registry) {
  return fmt::format("{} {}{}\n{}", plugin.name, plugin.version, plugin.overrides ? " (overrides)" : "",
                     fmt::join(contributions_of(registry, plugin.name), "\n"));
}

Expected<Plugin> load_file(const std::string& path) {
  MO_ASSIGN(const FilePtr file, open_plugin_file(path));
  MO_ASSIGN(const std::optional<std::string> tried, try_in_copy([&] {
              const auto plugin = load_plugin(file);
              Registry registry;
              return plugin && register_one(*plugin, registry) ? self_description(*plugin, registry) : std::string();
            }));
  MO_ASSIGN(Plugin plugin, load_plugin(file));
  plugin.tried = tried.value_or(std::string());
  return plugin;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  return lines;
}

/// The trial is worth nothing for a plugin that knows when it is watched.
Expected<void> check_same_as_tried(const Plugin& plugin, const Registry& registry) {
  const std::string now = self_description(plugin, registry);
  if (plugin.tried.empty() || plugin.tried == now) return {};
  const std::vector<std::string> before = lines_of(plugin.tried);
  const std::vector<std::string> after = lines_of(now);
  const auto first_without = [](const std::vector<std::string>& some, const std::vector<std::string>& others) {
    const auto found = std::find_if(some.begin(), some.end(), [&](const auto& line) {
      return std::find(others.begin(), others.end(), line) == others.end();
    });
    return found == some.end() ? std::string("nothing else") : *found;
  };
  return error("MO-PLUGIN-0032",
               "plugin {} does not do the same each time that it is loaded: in the trial there was \"{}\", now there "
               "is \"{}\"",
               plugin.name, first_without(before, after), first_without(after, before))
      .hint("tell the author of the plugin; what it registers must not depend on anything");
}

}  // namespace

std::string_view build_tag() { return MO_PLUGIN_BUILD_TAG; }

Expected<std::vector<Plugin>> load(const std::vector<std::string>& paths) {
  if (!paths.empty() && is_static_program())
    return error("MO-PLUGIN-0035", "this mo is one static file, which cannot load plugins")
        .hint("use the mo of the package model-optimizer, or of `make install`");
  std::vector<Diagnostic> problems;
  std::vector<Plugin> plugins;
  for (const std::string& path : plugin_files(paths, problems)) {
    Expected<Plugin> plugin = load_file(path);
    if (!plugin) {
      for (Diagnostic& problem : plugin.error().items())
        problem.message = fmt::format("plugin {} is refused: {}", path.substr(path.rfind('/') + 1), problem.message);
      append(problems, std::move(plugin).error().in_file(path));
      continue;
    }
    const auto same =
        std::find_if(plugins.begin(), plugins.end(), [&](const Plugin& other) { return other.name == plugin->name; });
    if (same != plugins.end()) {
      problems.push_back(error("MO-PLUGIN-0018", "there are two plugins of the name {}: version {} and version {}",
                               plugin->name, same->version, plugin->version)
                             .note("the other one: {}", same->path)
                             .hint("leave one of them out of --extensions")
                             .in_file(path));
      continue;
    }
    plugins.push_back(*std::move(plugin));
  }
  if (!problems.empty()) return Error(std::move(problems));
  return plugins;
}

Expected<void> register_all(const std::vector<Plugin>& plugins, Registry& registry) {
  std::vector<Diagnostic> problems;
  for (const Plugin& plugin : plugins) {
    auto done = register_one(plugin, registry);
    // What could not be added is explained already, by the registry.
    if (done && registry.problems().empty()) done = check_same_as_tried(plugin, registry);
    if (!done) append(problems, std::move(done).error().in_file(plugin.path));
  }
  registry.set_owner(kBuiltIn, false);
  if (!problems.empty()) return Error(std::move(problems));
  return {};
}

}  // namespace mo::plugins
