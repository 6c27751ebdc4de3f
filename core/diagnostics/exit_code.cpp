#include "core/diagnostics/exit_code.hpp"

#include <algorithm>

#include "core/diagnostics/exit_code_table.hpp"

namespace mo {
namespace {

const DeclaredExitCode* find(std::string_view prefix) {
  const auto rows = declared_exit_codes();
  const auto row = std::ranges::lower_bound(rows, prefix, {}, &DeclaredExitCode::prefix);
  return row != rows.end() && row->prefix == prefix ? &*row : nullptr;
}

}  // namespace

ExitCode exit_code_of(std::string_view diagnostic_code) {
  constexpr std::size_t kDigits = 4;
  const std::size_t dash = diagnostic_code.rfind('-');
  if (dash == std::string_view::npos || diagnostic_code.size() != dash + 1 + kDigits)
    return ExitCode::conversion_failed;
  const DeclaredExitCode* row = find(diagnostic_code);
  if (!row) row = find(diagnostic_code.substr(0, dash + 1));
  return row ? ExitCode{row->exit_code} : ExitCode::conversion_failed;
}

ExitCode exit_code_of(const Error& error) {
  return error.first().plugin_code.empty() ? exit_code_of(error.first().code) : ExitCode::extension_failed;
}

}  // namespace mo
