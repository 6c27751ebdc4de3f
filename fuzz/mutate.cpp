// mo_fuzz_mutate TARGET SECONDS FINDINGS_DIR SEED|DIRECTORY…: the mutations of mo_fuzz without its guide and its
// sanitizers, in any build. A run gets at most 10 seconds and 2 GB of address space; what ends its process is kept in
// FINDINGS_DIR, and the exit code is 1.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/support/log.hpp"
#include "fuzz/harness/inputs.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/structured_mutator.hpp"
#include "fuzz/harness/targets.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr unsigned kMostSeconds = 10;
constexpr unsigned kBatch = 200;  ///< runs of one process: what one leaves behind shows in the others
constexpr std::size_t kLongest = 65536;

std::mt19937 random_bytes;

/// Flips, overwrites, removes, doubles: libFuzzer's simplest mutations.
std::size_t change_bytes(std::uint8_t* data, std::size_t size, std::size_t most) {
  for (unsigned i = 0; i <= random_bytes() % 3 && size > 0; ++i) {
    const std::size_t at = random_bytes() % size;
    const std::size_t length = 1 + random_bytes() % std::min<std::size_t>(size - at, 16);
    switch (random_bytes() % 4) {
      case 0: data[at] ^= static_cast<std::uint8_t>(1U << random_bytes() % 8); break;
      case 1: data[at] = static_cast<std::uint8_t>(random_bytes()); break;
      case 2:
        std::memmove(data + at, data + at + length, size - at - length);
        size -= length;
        break;
      default:
        if (size + length > most) break;
        std::memmove(data + at + length, data + at, size - at);
        size += length;
    }
  }
  return size;
}

struct Batch {
  const mo::fuzz::Target& target;
  const std::vector<std::string>& seeds;
  Clock::time_point end;
  fs::path current;  ///< the input that is being run
  fs::path counter;
};

[[noreturn]] void run(const Batch& batch, unsigned seed) {
  const rlimit memory{kMostMemory, kMostMemory};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::mt19937 random(seed);
  random_bytes.seed(seed);
  std::string input;
  for (unsigned i = 0; i < kBatch && Clock::now() < batch.end; ++i) {
    if (i % 8 == 0) input = batch.seeds[random() % batch.seeds.size()];  // else one mutation on top of the other
    input = mo::fuzz::mutated(input, kLongest, static_cast<unsigned>(random()), change_bytes);
    std::ofstream(batch.current, std::ios::binary) << input;
    std::ofstream(batch.counter) << i + 1;
    alarm(kMostSeconds);
    batch.target.run(input);
  }
  _exit(0);  // the scratch folder belongs to the parent
}

int mutate(const mo::fuzz::Target& target, unsigned seconds, const fs::path& findings,
           const std::vector<std::string>& seeds) {
  fs::create_directories(findings);
  mo::fuzz::Scratch::instance();
  const Batch batch{target, seeds, Clock::now() + std::chrono::seconds(seconds), findings / "current",
                    findings / "count"};
  unsigned seed = std::random_device()();
  std::size_t runs = 0;
  std::size_t found = 0;
  for (; Clock::now() < batch.end; ++seed) {
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) run(batch, seed);
    int status = 0;
    waitpid(child, &status, 0);
    runs += std::strtoul(mo::fuzz::read_input(batch.counter.string()).c_str(), nullptr, 10);
    if (status == 0) continue;
    const fs::path kept =
        findings /
        fmt::format("{}_{:08x}", WIFSIGNALED(status) ? fmt::format("signal_{}", WTERMSIG(status)) : "exit", seed);
    fs::rename(batch.current, kept);
    fmt::print("finding: {}\n", kept.string());
    ++found;
  }
  fs::remove(batch.current);
  fs::remove(batch.counter);
  fmt::print("{}: {} runs, {} findings\n", target.name, runs, found);
  return found == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const mo::fuzz::Target* const target = argc > 4 ? mo::fuzz::find_target(argv[1]) : nullptr;
  if (!target) {
    fmt::print(stderr, "usage: mo_fuzz_mutate TARGET SECONDS FINDINGS_DIR SEED|DIRECTORY…\n");
    return 2;
  }
  mo::log::set_level("CRITICAL");
  std::vector<std::string> seeds;
  for (int i = 4; i < argc; ++i)
    for (const std::string& path : mo::fuzz::input_files(argv[i])) seeds.push_back(mo::fuzz::read_input(path));
  if (seeds.empty()) return 2;
  return mutate(*target, static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)), argv[3], seeds);
}
