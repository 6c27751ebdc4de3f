#include "tools/conformance/isolation.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "tools/common/temporary_folder.hpp"

namespace mo::conformance {
namespace {

using Clock = std::chrono::steady_clock;
/// Below the capacity of a pipe, so that the child never waits for the parent to read.
constexpr std::size_t kMaxMessage = 16 * 1024;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

struct Child {
  std::size_t index = 0;
  pid_t process = -1;
  int answer = -1;  ///< read end of the pipe
  int output = -1;  ///< what it printed
  Clock::time_point start;
  std::string folder;
};

void write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int descriptor, std::size_t limit) {
  std::string text;
  std::array<char, 4096> block{};
  while (text.size() < limit) {
    const ssize_t n = ::read(descriptor, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  return text;
}

/// Category, microseconds of conversion, code and detail, each on its line; the detail may have several.
std::string encode(const Outcome& outcome) {
  std::string text = fmt::format("{}\n{}\n{}\n{}", static_cast<int>(outcome.category),
                                 std::llround(outcome.convert_seconds * 1e6), outcome.code, outcome.detail);
  if (text.size() > kMaxMessage) text.resize(kMaxMessage);
  return text;
}

std::optional<Outcome> decode(const std::string& text) {
  const std::size_t first = text.find('\n');
  if (first != 1 || text[0] < '0' || text[0] > '3') return std::nullopt;
  const std::size_t second = text.find('\n', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const std::size_t third = text.find('\n', second + 1);
  if (third == std::string::npos) return std::nullopt;
  long long microseconds = 0;
  if (std::from_chars(text.data() + first + 1, text.data() + second, microseconds).ptr != text.data() + second)
    return std::nullopt;
  Outcome outcome;
  outcome.category = static_cast<Category>(text[0] - '0');
  outcome.convert_seconds = static_cast<double>(microseconds) / 1e6;
  outcome.code = text.substr(second + 1, third - second - 1);
  outcome.detail = text.substr(third + 1);
  return outcome;
}

[[noreturn]] void be_child(const Task& task, const Child& child, int answer, const Limits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (child.output >= 0) {
    ::dup2(child.output, STDOUT_FILENO);
    ::dup2(child.output, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (!kSanitized && limits.memory_bytes > 0) {
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  write_all(answer, encode(task(child.index, child.folder)));
  // Not exit(): what the parent has set up (open streams, its folders) is not the child's to tidy.
  ::_exit(0);
}

std::string last_line(int descriptor) {
  if (descriptor < 0) return {};
  constexpr off_t kTail = 2048;
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  ::lseek(descriptor, std::max<off_t>(0, size - kTail), SEEK_SET);
  std::string text = read_all(descriptor, static_cast<std::size_t>(kTail));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t start = text.rfind('\n');
  return start == std::string::npos ? text : text.substr(start + 1);
}

Outcome crash(std::string what, const Child& child) {
  Outcome outcome;
  outcome.crashed = true;
  outcome.detail = std::move(what);
  if (const std::string said = last_line(child.output); !said.empty()) outcome.detail += "; it said: " + said;
  return outcome;
}

std::optional<Child> start(std::size_t index, const std::string& base, const Task& task, const Limits& limits) {
  Child child;
  child.index = index;
  child.folder = fmt::format("{}/{}", base, index);
  std::error_code problem;
  std::filesystem::create_directory(child.folder, problem);
  int ends[2];
  if (problem || ::pipe(ends) != 0) return std::nullopt;
  child.output = ::memfd_create("output", MFD_CLOEXEC);
  child.start = Clock::now();
  child.process = ::fork();
  if (child.process == 0) {
    ::close(ends[0]);
    be_child(task, child, ends[1], limits);
  }
  ::close(ends[1]);
  child.answer = ends[0];
  if (child.process > 0) return child;
  ::close(child.answer);
  if (child.output >= 0) ::close(child.output);
  return std::nullopt;
}

Outcome finish(const Child& child, int status, bool too_slow, const Limits& limits) {
  Outcome outcome;
  const auto answer = decode(read_all(child.answer, kMaxMessage + 1));
  if (too_slow) {
    outcome = crash(fmt::format("no answer within {} s", limits.seconds), child);
  } else if (WIFSIGNALED(status)) {
    const char* name = ::strsignal(WTERMSIG(status));
    outcome =
        crash(fmt::format("ended by signal {} ({})", WTERMSIG(status), name != nullptr ? name : "unknown"), child);
  } else if (WEXITSTATUS(status) != 0 || !answer) {
    outcome = crash(fmt::format("ended with exit code {}", WEXITSTATUS(status)), child);
  } else {
    outcome = *answer;
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - child.start).count();
  ::close(child.answer);
  if (child.output >= 0) ::close(child.output);
  std::error_code ignored;
  std::filesystem::remove_all(child.folder, ignored);
  return outcome;
}

/// Sleeps until a child ends or `until` has come.
void wait_for_child(const sigset_t& child_signal, Clock::time_point until) {
  const auto left =
      std::max(std::chrono::nanoseconds(0), std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()));
  timespec wait{};
  wait.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000);
  wait.tv_nsec = static_cast<long>(left.count() % 1'000'000'000);
  ::sigtimedwait(&child_signal, nullptr, &wait);
}

}  // namespace

Expected<std::vector<Outcome>> run_in_process(std::size_t count, const Task& task) {
  MO_ASSIGN(const std::unique_ptr<tools::TemporaryFolder> folder_of_all,
            tools::TemporaryFolder::create("mo_conformance"));
  const std::string& base = folder_of_all->path();
  std::error_code ignored;
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string folder = fmt::format("{}/{}", base, i);
    std::filesystem::create_directory(folder, ignored);
    const Clock::time_point start = Clock::now();
    outcomes.push_back(task(i, folder));
    outcomes.back().seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::filesystem::remove_all(folder, ignored);
  }
  return outcomes;
}

Expected<std::vector<Outcome>> run_isolated(std::size_t count, const Task& task, const Limits& limits) {
  MO_ASSIGN(const std::unique_ptr<tools::TemporaryFolder> folder_of_all,
            tools::TemporaryFolder::create("mo_conformance"));
  const std::string& base = folder_of_all->path();

  sigset_t child_signal;
  sigset_t before;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  // Blocked, it stays pending, so that sigtimedwait misses none that comes between two looks.
  ::sigprocmask(SIG_BLOCK, &child_signal, &before);

  const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  std::vector<Outcome> outcomes(count);
  std::vector<Child> running;
  std::size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < std::max<std::size_t>(1, limits.jobs)) {
      if (auto child = start(next, base, task, limits))
        running.push_back(*std::move(child));
      else
        outcomes[next].detail = "cannot start a process for it";
      ++next;
    }
    if (running.empty()) continue;
    const auto oldest = std::min_element(running.begin(), running.end(),
                                         [](const Child& a, const Child& b) { return a.start < b.start; });
    wait_for_child(child_signal, oldest->start + allowed);
    for (std::size_t i = 0; i < running.size();) {
      int status = 0;
      bool ended = ::waitpid(running[i].process, &status, WNOHANG) == running[i].process;
      const bool too_slow = !ended && Clock::now() >= running[i].start + allowed;
      if (too_slow) {
        ::kill(running[i].process, SIGKILL);
        ended = ::waitpid(running[i].process, &status, 0) == running[i].process;
      }
      if (!ended) {
        ++i;
        continue;
      }
      outcomes[running[i].index] = finish(running[i], status, too_slow, limits);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return outcomes;
}

}  // namespace mo::conformance
