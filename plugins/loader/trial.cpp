#include "plugins/loader/trial.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace mo::plugins {
namespace {

/// How the copy ends when `fn` has returned; no code that a plugin would choose
/// for itself.
constexpr int kReturned = 113;
constexpr unsigned kMostSeconds = 30;

bool has_one_thread() {
  std::error_code failed;
  std::size_t threads = 0;
  for (std::filesystem::directory_iterator it("/proc/self/task", failed), end; !failed && it != end; it.increment(failed)) ++threads;
  return !failed && threads == 1;
}

[[noreturn]] void run_copy(const std::function<void()>& fn) {
  // No core file, no message, no handler of ours, no end: the parent tells what
  // happened.
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  alarm(kMostSeconds);
  if (const int null = open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  fn();
  _exit(kReturned);
}

}  // namespace

Expected<void> try_in_copy(const std::function<void()>& fn) {
  if (!has_one_thread()) return {};
  const pid_t copy = fork();
  if (copy < 0) return {};
  if (copy == 0) run_copy(fn);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    if (errno != EINTR) return {};  // somebody else has waited for it
  if (WIFEXITED(status) && WEXITSTATUS(status) == kReturned) return {};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return error("MO-PLUGIN-0017",
                 "it did not come back from being loaded and registered within "
                 "{} seconds",
                 kMostSeconds)
        .hint("tell the author of the plugin");
  const std::string how = WIFSIGNALED(status) ? fmt::format("by signal {}, {}", WTERMSIG(status), strsignal(WTERMSIG(status)))
                                              : fmt::format("with exit code {}", WEXITSTATUS(status));
  return error("MO-PLUGIN-0017", "it ends the process when it is loaded and registered, {}", how)
      .hint(
          "tell the author of the plugin; an exception that leaves an "
          "initialiser of a library does this");
}

}  // namespace mo::plugins
