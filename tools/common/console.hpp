#pragma once

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// Prints to stderr, in the form that `mo` itself uses: `[ ERROR ]  CODE: text` and indented lines.
void print(const Diagnostic& diagnostic);
void print(const Error& error);

/// A sink that prints at once.
class ConsoleSink final : public DiagnosticSink {
 public:
  void report(Diagnostic diagnostic) override { print(diagnostic); }
};

/// A sink for diagnostics that need not be repeated.
class SilentSink final : public DiagnosticSink {
 public:
  void report(Diagnostic) override {}
};

}  // namespace mo::tools
