#include "plugins/loader/sudden_end.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "core/diagnostics/plugin_code.hpp"
#include "plugins/loader/loaded_libraries.hpp"

namespace mo::plugins {
namespace {

/// Written once, before any of the handlers below can run.
std::atomic<bool> explains{false};
pid_t process = 0;  ///< a copy of the process (trial.hpp) ends as it likes: the original tells
int code_of_exit = 1;
void (*clean_up)() = nullptr;
std::terminate_handler terminate_before = nullptr;

constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// A plugin that has used up the stack leaves no room for a handler on it.
alignas(16) std::array<char, 64 << 10> spare_stack;

/// A message that is put together without memory or locks of its own.
class Message {
 public:
  Message& operator<<(std::string_view text) {
    for (const char c : text)
      if (length_ < text_.size()) text_[length_++] = c;
    return *this;
  }
  Message& operator<<(int number) {
    std::array<char, 12> digits{};
    std::size_t count = 0;
    for (unsigned rest = number < 0 ? 0U - static_cast<unsigned>(number) : static_cast<unsigned>(number);
         count == 0 || rest != 0; rest /= 10)
      digits[count++] = static_cast<char>('0' + rest % 10);
    if (number < 0) *this << "-";
    while (count > 0) *this << std::string_view(&digits[--count], 1);
    return *this;
  }
  void print() const {
    for (std::size_t done = 0; done < length_;) {
      const ssize_t written = ::write(STDERR_FILENO, text_.data() + done, length_ - done);
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  std::array<char, 2048> text_{};
  std::size_t length_ = 0;
};

std::string_view name_of(int signal_number) {
  switch (signal_number) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGILL: return "illegal instruction";
    case SIGFPE: return "arithmetic error";
    default: return "aborted";
  }
}

constexpr std::string_view kHint = "\n  hint    tell the author of the plugin; without it the rest of mo works\n";

extern "C" void explain_crash(int signal_number) {
  std::array<char, 512> who{};
  if (const std::size_t length = getpid() == process ? running_plugin_code(who) : 0; length > 0) {
    (Message() << "[ ERROR ]  MO-PLUGIN-0033: " << std::string_view(who.data(), length) << " crashed: signal "
               << signal_number << ", " << name_of(signal_number) << kHint)
        .print();
    if (clean_up) clean_up();
  }
  // The default action is back (SA_RESETHAND): the caller and its debugger see what happened.
  ::raise(signal_number);
}

/// The innermost plugin on the stack of this thread: the stack of an uncaught exception is not unwound.
std::string plugin_on_stack() {
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i)
    if (std::string path = library_at(frames[static_cast<std::size_t>(i)]); !path.empty()) return path;
  return {};
}

std::string current_exception_text() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& thrown) { return fmt::format(": {}", thrown.what()); } catch (...) {  // NOLINT
  }
  return {};
}

/// The engine catches what plugins throw where it calls them. It cannot in a thread that a plugin started, nor where a
/// function of a plugin promises to throw nothing.
[[noreturn]] void explain_terminate() {
  if (const std::string plugin = getpid() == process ? plugin_on_stack() : std::string(); !plugin.empty()) {
    (Message() << "[ ERROR ]  MO-PLUGIN-0036: an exception left a thread or a noexcept function of the plugin "
               << plugin << current_exception_text()
               << "\n  hint    tell the author of the plugin: catch it there, and return an error\n")
        .print();
    if (clean_up) clean_up();
    ::signal(SIGABRT, SIG_DFL);  // all is said
  } else if (terminate_before) {
    terminate_before();
  }
  std::abort();
}

void explain_exit(std::string_view call) noexcept {
  std::array<char, 512> who{};
  const std::size_t length = explains && getpid() == process ? running_plugin_code(who) : 0;
  if (length == 0) return;
  (Message() << "[ ERROR ]  MO-PLUGIN-0034: " << std::string_view(who.data(), length) << " ended the process with "
             << call << kHint)
      .print();
  if (clean_up) clean_up();
  ::syscall(SYS_exit_group, code_of_exit);
}

extern "C" void explain_normal_exit() {
  std::fflush(stdout);
  explain_exit("exit");
}

extern "C" void explain_quick_exit() { explain_exit("quick_exit"); }

}  // namespace

void explain_sudden_ends(int exit_code, void (*before_end)()) {
  if (explains) return;
  process = getpid();
  code_of_exit = exit_code;
  clean_up = before_end;
  stack_t spare{};
  spare.ss_sp = spare_stack.data();
  spare.ss_size = spare_stack.size();
  ::sigaltstack(&spare, nullptr);
  struct sigaction action {};
  action.sa_handler = explain_crash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  ::sigemptyset(&action.sa_mask);
  for (const int signal_number : kCrashes) ::sigaction(signal_number, &action, nullptr);
  terminate_before = std::set_terminate(explain_terminate);
  std::atexit(explain_normal_exit);
  std::at_quick_exit(explain_quick_exit);
  explains = true;
}

void ended_by_plugin() noexcept { explain_exit("_exit"); }

}  // namespace mo::plugins
