#pragma once

namespace mo::plugins {

/// From now on the process does not end without a word when code of a plugin ends it:
///   - a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) is MO-PLUGIN-0033 on stderr, then the signal does what it
///   does by default;
///   - an exception that leaves a thread of its own or a noexcept function is MO-PLUGIN-0036, then SIGABRT;
///   - `exit`, `quick_exit` and, where `ended_by_plugin` is asked, `_exit` are MO-PLUGIN-0034, and the exit code
///   becomes `exit_code`.
/// `before_end` runs after the message; it may do only what a signal handler may. Crashes of our own code end as they
/// did before.
///
/// For programs, not for libraries: replaces handlers of signals and registers functions that run at exit. Calls after
/// the first change nothing.
void explain_sudden_ends(int exit_code, void (*before_end)());

/// For a program's own `_exit`, which plugins find before that of the C library: does not come back when code of a
/// plugin called it.
void ended_by_plugin() noexcept;

}  // namespace mo::plugins
