#include "tools/common/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include "core/support/budget.hpp"
#include "tools/common/spawn.hpp"

namespace mo::tools {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kLongestLine = 64 << 20;
constexpr int kLook = 200;               // milliseconds between two looks at the process
constexpr double kNothing = 0.02;        // processor seconds that a sleeping process may use between two looks
constexpr off_t kLastWords = 600;        // bytes
constexpr std::size_t kTimeFields = 11;  // of /proc/PID/stat, after the name of the program, up to utime

/// The fields of /proc/PID/…/stat after the name of the program, which may hold spaces and brackets.
std::optional<std::istringstream> state_of(const std::string& folder) {
  const int file = ::open((folder + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 4096> text{};
  const ssize_t count = ::read(file, text.data(), text.size());
  ::close(file);
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (line.rfind(')') == std::string_view::npos) return std::nullopt;
  return std::istringstream(std::string(line.substr(line.rfind(')') + 1)));
}

/// Seconds that all threads of the process have used.
double processor_seconds(pid_t process) {
  auto fields = state_of(fmt::format("/proc/{}", process));
  if (!fields) return 0;
  std::string skipped;
  for (std::size_t i = 0; i < kTimeFields; ++i) *fields >> skipped;
  double user = 0;
  double system = 0;
  *fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// True when no thread of the process runs, could run, or waits for the disk.
bool is_asleep(pid_t process) {
  std::error_code problem;
  for (std::filesystem::directory_iterator it(fmt::format("/proc/{}/task", process), problem), end;
       !problem && it != end; it.increment(problem)) {
    auto fields = state_of(it->path().string());
    char state = 0;
    if (!fields || !(*fields >> state) || state == 'R' || state == 'D') return false;
  }
  return !problem;
}

std::string how_it_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  const char* const name = ::strsignal(WTERMSIG(status));
  return fmt::format("signal {}, {}", WTERMSIG(status), name != nullptr ? name : "unknown");
}

}  // namespace

Expected<std::unique_ptr<Worker>> Worker::start(const std::vector<std::string>& words, const WorkerLimits& limits,
                                                std::string_view code) {
  const auto cannot = [&](int problem) {
    return error(code, "cannot run \"{}\": {}", words.front(), std::strerror(problem));
  };
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return cannot(errno);
  const int errors = ::memfd_create("stderr", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  pid_t process = 0;
  const int problem = spawn_in_own_group(words, actions, process);
  ::close(ends[1]);
  if (problem != 0) {
    ::close(ends[0]);
    if (errors >= 0) ::close(errors);
    return cannot(problem);
  }
  return std::unique_ptr<Worker>(new Worker(process, ends[0], errors, limits));
}

Worker::Worker(pid_t process, int channel, int errors, const WorkerLimits& limits)
    : process_(process), channel_(channel), errors_(errors), limits_(limits) {}

Worker::~Worker() {
  kill();
  ::close(channel_);
  if (errors_ >= 0) ::close(errors_);
}

void Worker::kill() {
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
  process_ = 0;
}

void Worker::send(std::string_view line) {
  unsent_ += line;
  unsent_ += '\n';
}

Expected<WorkerReply> Worker::read() {
  if (process_ <= 0) return over(WorkerReply::State::ended);
  const double begin = processor_seconds(process_);
  double used = 0;
  Clock::time_point awake = Clock::now();
  std::array<char, 1 << 16> buffer{};
  std::size_t searched = 0;
  while (true) {
    if (const std::size_t end = unread_.find('\n', searched); end != std::string::npos) {
      WorkerReply reply{.line = unread_.substr(0, end)};
      unread_.erase(0, end + 1);
      return reply;
    }
    searched = unread_.size();
    if (unread_.size() > kLongestLine) return over(WorkerReply::State::too_long);
    pollfd waiting{channel_, static_cast<short>(POLLIN | (unsent_.empty() ? 0 : POLLOUT)), 0};
    if (::poll(&waiting, 1, kLook) > 0) {
      if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        const ssize_t count = ::read(channel_, buffer.data(), buffer.size());
        if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return over(WorkerReply::State::ended);
        if (count > 0) unread_.append(buffer.data(), static_cast<std::size_t>(count));
      } else if ((waiting.revents & POLLOUT) != 0) {
        const ssize_t count = ::send(channel_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) unsent_.erase(0, static_cast<std::size_t>(count));
      }
      continue;
    }
    if (Budget* const budget = Budget::current()) MO_TRY(budget->spend(0));
    const double now = processor_seconds(process_) - begin;
    if (now > limits_.processor_seconds) return over(WorkerReply::State::out_of_time);
    if (now > used + kNothing || !is_asleep(process_)) {
      used = now;
      awake = Clock::now();
    } else if (std::chrono::duration<double>(Clock::now() - awake).count() > limits_.asleep_seconds) {
      return over(WorkerReply::State::asleep);
    }
  }
}

WorkerReply Worker::over(WorkerReply::State state) {
  WorkerReply reply{.state = state};
  if (state == WorkerReply::State::ended && process_ > 0) {
    // Its channel is closed: it has ended, or does so at once. One that only closed its streams is killed.
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 20 && (ended = ::waitpid(process_, &status, WNOHANG)) == 0; ++i) ::poll(nullptr, 0, 50);
    if (ended == process_) {
      ::kill(-process_, SIGKILL);  // what it has started
      process_ = 0;
      reply.end = how_it_ended(status);
    }
  }
  kill();
  if (reply.end.empty()) reply.end = "its output was closed";
  reply.last_words = last_words();
  return reply;
}

std::string Worker::last_words() const {
  const off_t size = errors_ < 0 ? 0 : ::lseek(errors_, 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(std::min(size, kLastWords)), '\0');
  const ssize_t count = ::pread(errors_, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  std::string words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty()) words += (words.empty() ? "" : " | ") + line;
  }
  return words;
}

}  // namespace mo::tools
