#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "tools/conformance/outcome.hpp"

namespace mo::conformance {

/// In the place of a code: the IR gives other numbers than the test wants. No specification says them, since an
/// operator draws them; or IR version 10 does not hold the inputs exactly.
inline constexpr std::string_view kOtherNumbers = "other_numbers";

/// Which tests are to be refused, and with which code; and which ones give other numbers. Everything else is to pass.
using Expectations = std::map<std::string, std::string>;

/// Lines of `<test name> <code>` or `<test name> other_numbers`; empty lines and lines that start with '#' don't count.
/// Errors: MO-IO-000x, MO-RUN-0023 (a line is malformed or a test is listed twice).
Expected<Expectations> read_expectations(const std::string& path);
Expected<Expectations> parse_expectations(const std::string& text, const std::string& path);

/// A list that expects exactly the refusals of this run.
std::string print_expectations(const std::vector<std::string>& names, const std::vector<Outcome>& outcomes);

/// Everything that came out otherwise, one sentence each. A listed test that was not run counts when `complete` and its
/// folder was run: it was renamed or is gone.
std::vector<std::string> surprises(const Expectations& expected, const std::vector<std::string>& names,
                                   const std::vector<Outcome>& outcomes, bool complete);

}  // namespace mo::conformance
