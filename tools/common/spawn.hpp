#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace mo::tools {

/// Starts a program, looked up in PATH, with its arguments, in a process group of its own, and destroys `actions`.
/// Returns 0, or the error number.
int spawn_in_own_group(const std::vector<std::string>& words, posix_spawn_file_actions_t& actions, pid_t& process);

}  // namespace mo::tools
