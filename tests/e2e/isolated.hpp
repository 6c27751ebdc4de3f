#pragma once

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "driver/convert.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define MO_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MO_TEST_SANITIZED 1
#endif
#endif
#ifndef MO_TEST_SANITIZED
#define MO_TEST_SANITIZED 0
#endif

namespace mo::test {

/// What a task may need. Sanitizers need more of everything: with them only crashes count.
struct Bounds {
  unsigned seconds = 10;                    ///< of its processor, so that a busy machine fails nothing
  std::uint64_t peak_bytes = 256ULL << 20;  ///< largest resident memory
};

/// What came of a task that ran in a process of its own.
struct Outcome {
  std::string failure;                ///< it crashed, or exceeded its bounds; with what it printed
  std::string code;                   ///< of the first error; empty: there was none
  std::string text;                   ///< all errors, as users see them
  std::vector<std::string> warnings;  ///< codes
};

using Task = std::function<Expected<Report>(DiagnosticSink& sink)>;

/// Runs a task in a child process. Call it while no other thread runs.
inline Outcome run_isolated(const Task& task, const Bounds& bounds = {}) {
  constexpr char kMark = '\x1E';  // between the parts of the answer; what the child prints itself comes first
  constexpr unsigned kPatience = MO_TEST_SANITIZED ? 20 : 1;
  constexpr unsigned kHang = 900;  // by the clock: for one that waits and uses no processor
  Outcome outcome;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return outcome.failure = "no pipe", outcome;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::alarm(kHang);
    const rlimit processor{bounds.seconds * kPatience, bounds.seconds * kPatience + 1};
    ::setrlimit(RLIMIT_CPU, &processor);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (!MO_TEST_SANITIZED) {
      // So that what would allocate without bound fails at once, and does not take the machine with it.
      const rlimit memory{bounds.peak_bytes + (1ULL << 30), bounds.peak_bytes + (1ULL << 30)};
      ::setrlimit(RLIMIT_AS, &memory);
    }
    DiagnosticList sink;
    const auto report = task(sink);
    std::string answer(1, kMark);
    if (!report) answer += report.error().first().code;
    answer += kMark;
    if (!report)
      for (const Diagnostic& d : report.error().items()) answer += d.format() + "\n";
    for (const Diagnostic& d : sink.items) answer += kMark + d.code;
    for (std::size_t done = 0; done < answer.size();) {
      const ssize_t n = ::write(STDERR_FILENO, answer.data() + done, answer.size() - done);
      if (n <= 0) ::_exit(2);
      done += static_cast<std::size_t>(n);
    }
    // Not exit(): what the parent has set up is not the child's to tidy.
    ::_exit(0);
  }
  ::close(ends[1]);
  std::vector<std::string> parts(1);
  std::array<char, 4096> block{};
  for (ssize_t n = 0; (n = ::read(ends[0], block.data(), block.size())) > 0;)
    for (const char c : std::string_view(block.data(), static_cast<std::size_t>(n))) {
      if (c == kMark)
        parts.emplace_back();
      else
        parts.back() += c;
    }
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const std::uint64_t peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    outcome.failure =
        fmt::format("not done after {} s of processor time; it printed: {}", bounds.seconds * kPatience, parts[0]);
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    outcome.failure = fmt::format("hangs; it printed: {}", parts[0]);
  else if (WIFSIGNALED(status))
    outcome.failure = fmt::format("ended by signal {} ({}); it printed: {}", WTERMSIG(status),
                                  ::strsignal(WTERMSIG(status)), parts[0]);
  else if (WEXITSTATUS(status) != 0 || parts.size() < 3)
    outcome.failure = fmt::format("ended with exit code {}; it printed: {}", WEXITSTATUS(status), parts[0]);
  else if (!MO_TEST_SANITIZED && peak > bounds.peak_bytes)
    outcome.failure = fmt::format("took {} MB of memory, {} MB are allowed", peak >> 20U, bounds.peak_bytes >> 20U);
  if (parts.size() < 3) return outcome;
  outcome.code = parts[1];
  outcome.text = parts[2];
  outcome.warnings.assign(parts.begin() + 3, parts.end());
  return outcome;
}

}  // namespace mo::test
