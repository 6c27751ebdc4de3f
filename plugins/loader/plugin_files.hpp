#pragma once

#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo::plugins {

/// Files that `--extensions` names: a file itself, of a directory all `*.so` in name order (no sub-directories). Canonical absolute paths without
/// links and "..", each once. What cannot be used goes to `problems`: MO-PLUGIN-0001 (missing or unreadable), MO-PLUGIN-0002 (no file),
/// MO-PLUGIN-0003 (directory without plugins).
std::vector<std::string> plugin_files(const std::vector<std::string>& paths, std::vector<Diagnostic>& problems);

/// Whether code from this file may run: it is a regular, readable file that nobody but its owner's group can change, owned by this user or
/// root, in directories that not everybody can write to. Then whether it is a shared library for this machine (see elf_file.hpp).
/// Errors: MO-PLUGIN-0001, 0002, 0004 to 0009.
Expected<void> check_plugin_file(const std::string& canonical_path);

}  // namespace mo::plugins
