#pragma once

#include <memory>

#include "driver/convert.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::cli {

/// What --report asks for, along with one conversion. Without the option it does nothing.
class Reporter {
 public:
  /// Errors: MO-REPORT-0001 (the name of the file), MO-CLI-0096 (built without reports). `options` and `console`
  /// outlive it.
  static Expected<Reporter> create(const Options& options, DiagnosticSink& console);
  Reporter(Reporter&&) noexcept;
  ~Reporter();

  /// What the conversion is to tell its messages: they reach the console all the same.
  DiagnosticSink& sink() const;
  /// Null without a report.
  const ConversionWatch* watch() const;
  /// Writes the report, also of a conversion that failed. Errors: those of write_report.
  Expected<void> write(const Expected<Report>& report, const tools::Findings& findings) const;

 private:
  struct State;
  explicit Reporter(DiagnosticSink& console);
  DiagnosticSink* console_;
  std::unique_ptr<State> state_;  ///< none without a report
};

}  // namespace mo::cli
