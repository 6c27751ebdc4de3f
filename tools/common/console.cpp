#include "tools/common/console.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/support/printable.hpp"

namespace mo::tools {

void print(const Diagnostic& diagnostic) {
  const char* label = diagnostic.severity == Severity::error     ? "ERROR"
                      : diagnostic.severity == Severity::warning ? "WARNING"
                                                                 : "INFO";
  const std::string text = printable(fmt::format("[ {} ]  {}\n", label, diagnostic.format()));
  // A failure to write to stderr is ignored; the exit code still reports the problem.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print(const Error& error) {
  for (const Diagnostic& diagnostic : error.items()) print(diagnostic);
}

}  // namespace mo::tools
