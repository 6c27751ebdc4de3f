#pragma once

#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "core/files/file.hpp"

namespace mo::plugins {

/// Files that `--extensions` names: a file itself, of a directory all `*.so` in name order (no sub-directories).
/// Canonical absolute paths without links and "..", each once. What cannot be used goes to `problems`: MO-PLUGIN-0001
/// (missing or unreadable), MO-PLUGIN-0002 (no file), MO-PLUGIN-0003 (directory without plugins).
std::vector<std::string> plugin_files(const std::vector<std::string>& paths, std::vector<Diagnostic>& problems);

/// Opens a file, once and for all, if its code may run: it is a regular, readable file of this user or root, and so are
/// the directories above it, and no other user can write to any of them (groups with no member but the owner and sticky
/// directories aside). Then whether it is a shared library for this machine (see elf_file.hpp). Errors: MO-PLUGIN-0001,
/// 0002, 0004 to 0009.
Expected<FilePtr> open_plugin_file(const std::string& canonical_path);

}  // namespace mo::plugins
