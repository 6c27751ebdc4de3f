#include "fuzz/harness/check.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "core/diagnostics/exit_code.hpp"

namespace mo::fuzz {

void finding(std::string_view what) {
  fmt::print(stderr, "FINDING: {}\n", what);
  std::abort();
}

void require_explained(const Error& error) {
  require(!error.items().empty(), "an error without a diagnostic");
  for (const Diagnostic& item : error.items()) {
    require(item.code.starts_with("MO-"), fmt::format("an error without a code: {}", item.message));
    require(!item.message.empty(), fmt::format("{} has no text", item.code));
    // By the code: a text may repeat the input, and fuzzers soon learn what a harness looks for.
    require(exit_code_of(item.code) != ExitCode::conversion_failed,
            fmt::format("{} blames mo: {}", item.code, item.message));
  }
}

}  // namespace mo::fuzz
