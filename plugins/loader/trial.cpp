#include "plugins/loader/trial.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace mo::plugins {
namespace {

constexpr unsigned kMostSeconds = 30;
constexpr std::size_t kMostText = 16 << 20;

/// The proof that `fn` has returned: bytes that only our own code in the copy writes, and that differ each time. An
/// exit code proves nothing, a plugin can choose any.
using Nonce = std::array<char, 16>;

bool has_one_thread() {
  std::error_code failed;
  std::size_t threads = 0;
  for (std::filesystem::directory_iterator it("/proc/self/task", failed), end; !failed && it != end;
       it.increment(failed))
    ++threads;
  return !failed && threads == 1;
}

/// What the copy says, in memory without a name: unlike a pipe it never blocks, neither for room nor for a process that
/// the plugin left running.
class Answer {
 public:
  Answer() : descriptor_(memfd_create("mo_trial", MFD_CLOEXEC)) {
    if (descriptor_ >= 0 && getrandom(nonce_.data(), nonce_.size(), 0) != static_cast<ssize_t>(nonce_.size()))
      nonce_.fill('\0');
  }
  ~Answer() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }

  /// In the copy. The nonce comes last: what is cut off proves nothing.
  void give(std::string text) const {
    text.resize(std::min(text.size(), kMostText));
    text.append(nonce_.data(), nonce_.size());
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t written = pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

  /// In the original, when the copy has ended.
  std::optional<std::string> take() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || status.st_size < static_cast<off_t>(nonce_.size())) return std::nullopt;
    std::string text(std::min(static_cast<std::size_t>(status.st_size), kMostText + nonce_.size()), '\0');
    if (pread(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return std::nullopt;
    if (!std::string_view(text).ends_with(std::string_view(nonce_.data(), nonce_.size()))) return std::nullopt;
    text.resize(text.size() - nonce_.size());
    return text;
  }

 private:
  int descriptor_;
  Nonce nonce_{};
};

[[noreturn]] void run_copy(const std::function<std::string()>& fn, const Answer& answer) {
  // No core file, no message, no handler of ours, no end: the parent tells what
  // happened.
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_DFL);
  alarm(kMostSeconds);
  if (const int null = open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  answer.give(fn());
  _exit(0);
}

}  // namespace

Expected<std::optional<std::string>> try_in_copy(const std::function<std::string()>& fn) {
  const Answer answer;
  if (!answer || !has_one_thread()) return std::optional<std::string>();
  const pid_t copy = fork();
  if (copy < 0) return std::optional<std::string>();
  if (copy == 0) run_copy(fn, answer);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    if (errno != EINTR) return answer.take();  // it was reaped elsewhere
  if (auto text = answer.take()) return text;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return error("MO-PLUGIN-0017", "loading and registering it took more than {} seconds", kMostSeconds)
        .hint("tell the author of the plugin");
  const std::string how = WIFSIGNALED(status)
                              ? fmt::format("by signal {}, {}", WTERMSIG(status), strsignal(WTERMSIG(status)))
                              : fmt::format("with exit code {}", WEXITSTATUS(status));
  return error("MO-PLUGIN-0017", "it ends the process when it is loaded and registered, {}", how)
      .hint(
          "tell the author of the plugin; an exception that leaves an "
          "initialiser of a library does this");
}

}  // namespace mo::plugins
