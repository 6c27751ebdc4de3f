#include "fuzz/harness/check.hpp"

#include <fmt/format.h>

#include <cstdlib>

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
    require(item.message.find("bug in mo") == std::string::npos, fmt::format("{}: {}", item.code, item.message));
  }
}

}  // namespace mo::fuzz
