#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tests/e2e/isolated.hpp"

namespace mo::test {

/// Errors that say that a pass is wrong, not the model. (MO-PASS-0002 and MO-EXEC-0003 may be both: a model can read an
/// output that its op does not have.)
inline bool is_our_fault(std::string_view code) {
  constexpr std::array<std::string_view, 4> kOurs = {"MO-PASS-0003", "MO-PASS-0004", "MO-PASS-0020", "MO-PASS-0021"};
  return std::find(kOurs.begin(), kOurs.end(), code) != kOurs.end() || code.empty();
}

/// Runs many small tasks in one child process. `next(i)` gives the text of the i-th model, `check` converts it. Returns
/// what went wrong, with the model; "" when nothing did.
template <class Next, class Check>
std::string run_many(std::size_t count, Next next, const Check& check, const Bounds& bounds) {
  const auto all = [&](bool says_what_it_does) {
    return run_isolated(
        [&](DiagnosticSink&) -> Expected<Report> {
          for (std::size_t i = 0; i < count; ++i) {
            const auto model = next(i);
            // Only the last one is of interest: what the process printed before it died.
            if (says_what_it_does) {
              const std::string text = "\n=== " + std::string(model) + "\n";
              if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(3);
            }
            if (const auto done = check(model); !done && is_our_fault(done.error().first().code))
              return error("MO-TEST-0001", "{}\n=== {}", done.error().first().format(), model);
          }
          return Report{};
        },
        bounds);
  };
  Outcome outcome = all(false);
  if (outcome.failure.empty()) return outcome.text;
  outcome = all(true);
  return outcome.failure.substr(0, 200) + " … " +
         outcome.failure.substr(std::min(outcome.failure.size(), outcome.failure.rfind("\n=== ")));
}

}  // namespace mo::test
