// mo_fuzz --target=NAME [libFuzzer's options and corpora]: one program for all targets, as each is 99 % mo.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "core/support/log.hpp"
#include "fuzz/harness/structured_mutator.hpp"
#include "fuzz/harness/targets.hpp"

namespace {

const mo::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kOption = "--target=";  // libFuzzer leaves options with two dashes to the program
  for (int i = 1; i < *count; ++i)
    if (const std::string_view argument = (*arguments)[i]; argument.starts_with(kOption))
      chosen = mo::fuzz::find_target(argument.substr(kOption.size()));
  if (!chosen) {
    fmt::print(stderr, "--target=NAME is missing or unknown; there are:\n");
    for (const mo::fuzz::Target& target : mo::fuzz::targets()) fmt::print(stderr, "  {}\n", target.name);
    std::exit(2);
  }
  mo::log::set_level("CRITICAL");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const std::string changed =
      mo::fuzz::mutated({reinterpret_cast<const char*>(data), size}, most, seed, LLVMFuzzerMutate);
  changed.copy(reinterpret_cast<char*>(data), changed.size());
  return changed.size();
}
