#pragma once

#include <signal.h>

#include <string>

namespace mo {

/// What a signal removes: a folder with the files in it, or a folder only when it is empty.
enum class OnSignal { remove_with_files, remove_if_empty };

/// Puts a folder on the list of what a signal removes; the slot, or -1 when the list is full or the path too long (such
/// a folder is removed by its owner only).
int list_for_removal(const std::string& folder, OnSignal how);
/// Takes it off again; -1 is allowed.
void unlist(int slot);

/// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT remove what was not finished before they end the process as usual,
/// and a limit on the size of files (ulimit -f) makes writing fail instead of killing the process (SIGXFSZ is ignored).
/// For programs, not for libraries: replaces the handlers of these signals.
void remove_unfinished_output_on_signals();
/// Removes it now, for code that is about to end the process. May be called from a signal handler.
void remove_unfinished_output() noexcept;

/// While it lives, these signals wait: for the few renames between the old files and the new ones.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

}  // namespace mo
