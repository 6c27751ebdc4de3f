#include "tools/reduce/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "tools/common/spawn.hpp"

namespace mo::tools {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostOutput = 1 << 20;

/// Reads until the other end is closed; false when the time is over before.
bool read_all(int descriptor, Clock::time_point until, std::string& text) {
  std::array<char, 16384> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, 1'000'000)));
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(),
                std::min(static_cast<std::size_t>(count), kMostOutput - std::min(kMostOutput, text.size())));
  }
}

}  // namespace

Expected<CommandResult> run_command(const std::vector<std::string>& words, double seconds) {
  const auto cannot = [&](int problem) {
    return error("MO-REDUCE-0004", "cannot run \"{}\": {}", words.front(), std::strerror(problem))
        .hint("give a program with its arguments after --");
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int problem = spawn_in_own_group(words, actions, child);
  ::close(ends[1]);
  if (problem != 0) {
    ::close(ends[0]);
    return cannot(problem);
  }
  CommandResult result;
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  result.timed_out = !read_all(ends[0], until, result.output);
  if (result.timed_out) ::kill(-child, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace mo::tools
