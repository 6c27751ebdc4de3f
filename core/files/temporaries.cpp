#include "core/files/temporaries.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace mo {
namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// A signal handler may touch nothing but lock-free atomics and memory that does not move: hence a fixed list.
enum SlotState : int { vacant, filling, listed };

struct Slot {
  std::atomic<int> state{vacant};
  OnSignal how{};
  char path[4096] = {};
};

constexpr int kSlots = 64;
constinit Slot slots[kSlots];  // zeros, which cost no page until they are used
static_assert(std::atomic<int>::is_always_lock_free);

/// One entry as getdents64 gives it.
struct FolderEntry {
  std::uint64_t inode;
  std::int64_t next;
  unsigned short length;
  unsigned char type;
  char name[];
};

/// readdir allocates memory, which no signal handler may; the system call below it does not.
void remove_files_in(const char* folder) {
  const int descriptor = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return;
  alignas(FolderEntry) char entries[4096];
  for (long bytes = 0; (bytes = ::syscall(SYS_getdents64, descriptor, entries, sizeof(entries))) > 0;)
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const FolderEntry*>(entries + at);
      ::unlinkat(descriptor, entry->name, 0);  // fails for "." and ".."
      at += entry->length;
    }
  ::close(descriptor);
}

extern "C" void remove_and_end(int signal_number) {
  const int saved = errno;
  remove_unfinished_output();
  errno = saved;
  // End as the signal does by default, so that the caller sees why.
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

}  // namespace

void remove_unfinished_output() noexcept {
  // Backwards: a folder is listed before what is made in it.
  for (int i = kSlots; i-- > 0;) {
    if (slots[i].state.load() != listed) continue;
    if (slots[i].how == OnSignal::remove_with_files) remove_files_in(slots[i].path);
    ::rmdir(slots[i].path);
  }
}

int list_for_removal(const std::string& folder, OnSignal how) {
  if (folder.size() >= sizeof(Slot::path)) return -1;
  for (int i = 0; i < kSlots; ++i) {
    int expected = vacant;
    if (!slots[i].state.compare_exchange_strong(expected, filling)) continue;
    slots[i].how = how;
    std::memcpy(slots[i].path, folder.c_str(), folder.size() + 1);
    slots[i].state.store(listed);
    return i;
  }
  return -1;
}

void unlist(int slot) {
  if (slot >= 0) slots[slot].state.store(vacant);
}

void remove_unfinished_output_on_signals() {
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  ::sigemptyset(&action.sa_mask);
  for (const int signal_number : kEndingSignals) {
    struct sigaction previous {};
    // A signal that the caller's environment ignores (nohup) stays ignored.
    if (::sigaction(signal_number, nullptr, &previous) == 0 && previous.sa_handler == SIG_IGN) continue;
    ::sigaction(signal_number, &action, nullptr);
  }
  // write then reports EFBIG.
  ::signal(SIGXFSZ, SIG_IGN);
}

SignalsWait::SignalsWait() {
  sigset_t waiting;
  ::sigemptyset(&waiting);
  for (const int signal_number : kEndingSignals) ::sigaddset(&waiting, signal_number);
  ::pthread_sigmask(SIG_BLOCK, &waiting, &before_);
}

SignalsWait::~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace mo
