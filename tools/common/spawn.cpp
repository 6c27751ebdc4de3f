#include "tools/common/spawn.hpp"

#include <unistd.h>

namespace mo::tools {

int spawn_in_own_group(const std::vector<std::string>& words, posix_spawn_file_actions_t& actions, pid_t& process) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int problem = ::posix_spawnp(&process, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return problem;
}

}  // namespace mo::tools
