#include "ir_emitter/temporaries.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "ir_emitter/emitter.hpp"

namespace mo::ir_emitter {
namespace {

// A signal handler may touch nothing but lock-free atomics and memory that does not move: hence a fixed list.
enum SlotState : int { vacant, filling, listed };

struct Slot {
  std::atomic<int> state{vacant};
  char path[4096];
};

constexpr int kSlots = 16;
Slot slots[kSlots];
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void remove_and_end(int signal_number) {
  const int saved = errno;
  remove_temporaries();
  errno = saved;
  // End as the signal does by default, so that the caller sees why.
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

}  // namespace

void remove_temporaries() noexcept {
  for (const Slot& slot : slots)
    if (slot.state.load() == listed) ::unlink(slot.path);
}

int add_temporary(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) return -1;
  for (int i = 0; i < kSlots; ++i) {
    int expected = vacant;
    if (!slots[i].state.compare_exchange_strong(expected, filling)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state.store(listed);
    return i;
  }
  return -1;
}

void drop_temporary(int slot) {
  if (slot >= 0) slots[slot].state.store(vacant);
}

void remove_temporaries_on_signal() {
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  ::sigemptyset(&action.sa_mask);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction previous {};
    // A signal that the caller's environment ignores (nohup) stays ignored.
    if (::sigaction(signal_number, nullptr, &previous) == 0 && previous.sa_handler == SIG_IGN) continue;
    ::sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace mo::ir_emitter
