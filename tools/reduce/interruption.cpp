#include "tools/reduce/interruption.hpp"

#include <array>

namespace mo::tools {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

// What the handler may touch.
volatile std::sig_atomic_t interrupted = 0;
std::array<struct sigaction, kSignals.size()> before;

void put_back() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
}

void remember(int) {
  interrupted = 1;
  put_back();
}

}  // namespace

Interruption::Interruption() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
}

Interruption::~Interruption() {
  if (!came()) put_back();
}

bool Interruption::came() const { return interrupted != 0; }

}  // namespace mo::tools
