// mo_fuzz_replay TARGET FILE|DIRECTORY…: each input once, without a fuzzer and with any compiler.
#include <fmt/format.h>

#include <cstdio>

#include "core/support/log.hpp"
#include "fuzz/harness/inputs.hpp"
#include "fuzz/harness/targets.hpp"

int main(int argc, char** argv) {
  const mo::fuzz::Target* const target = argc > 2 ? mo::fuzz::find_target(argv[1]) : nullptr;
  if (!target) {
    fmt::print(stderr, "usage: mo_fuzz_replay TARGET FILE|DIRECTORY…; the targets:\n");
    for (const mo::fuzz::Target& known : mo::fuzz::targets()) fmt::print(stderr, "  {}\n", known.name);
    return 2;
  }
  mo::log::set_level("CRITICAL");
  std::size_t count = 0;
  for (int i = 2; i < argc; ++i)
    for (const std::string& path : mo::fuzz::input_files(argv[i])) {
      fmt::print("{}\n", path);  // the last line tells which one ended the process
      std::fflush(stdout);
      target->run(mo::fuzz::read_input(path));
      ++count;
    }
  fmt::print("{} inputs\n", count);
  return 0;
}
