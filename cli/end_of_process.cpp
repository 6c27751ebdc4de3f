#include <sys/syscall.h>
#include <unistd.h>

#include "driver/plugin_ends.hpp"

// The dynamic linker gives these to plugins in place of those of the C library, which runs no function at its end that
// could tell who called it. A plugin that ends the process by other means (system calls of its own) wants to.

extern "C" void _exit(int code) {
  mo::ended_by_plugin();
  for (;;) syscall(SYS_exit_group, code);
}

extern "C" void _Exit(int code) noexcept { _exit(code); }
