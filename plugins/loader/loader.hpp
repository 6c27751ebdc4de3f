#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/registry/registry.hpp"

namespace mo::plugins {

/// A shared library that was loaded and has said who it is. It stays loaded
/// until the process ends: graphs hold its ops.
struct Plugin {
  std::string path;  ///< canonical, absolute
  std::string name;
  std::string version;
  bool overrides = false;  ///< may take the place of what is built in
  void (*register_everything)(Registry& registry) = nullptr;
  std::string tried = {};  ///< what it registered in the trial; empty when there was none
};

/// Loads the plugins that `paths` names (files and directories), in the order
/// given. Nothing of a file runs before it has been checked (plugin_files.hpp),
/// and here not before it has come back from being loaded and registered in a
/// copy of the process (trial.hpp). The error lists every plugin that is
/// refused, each with its file: MO-PLUGIN-0001 to 0018; a static program loads none
/// (MO-PLUGIN-0032).
///
/// The program must export mo's symbols (mo::host in CMake), or the plugin
/// cannot find them.
Expected<std::vector<Plugin>> load(const std::vector<std::string>& paths);

/// Lets each plugin add what it brings, under its own name. Errors:
/// MO-PLUGIN-0017 when one throws, MO-PLUGIN-0032 when it brings something else
/// than in its trial. Duplicates are in `registry.problems()`.
Expected<void> register_all(const std::vector<Plugin>& plugins, Registry& registry);

/// What a plugin must have been built with, for messages and
/// `--list-extensions`.
std::string_view build_tag();

}  // namespace mo::plugins
