#include "cli/reporter.hpp"

#if MO_HAS_REPORTS
#include "tools/report/recorder.hpp"
#include "tools/report/report.hpp"
#endif

namespace mo::cli {

#if MO_HAS_REPORTS

struct Reporter::State {
  State(const Options& given, DiagnosticSink& console) : options(given), recorder(given, console) {}
  const Options& options;
  tools::ConversionRecorder recorder;
};

Expected<Reporter> Reporter::create(const Options& options, DiagnosticSink& console) {
  Reporter reporter(console);
  if (options.report.empty() || !options.converts()) return reporter;
  MO_TRY(tools::check_report_path(options.report));
  reporter.state_ = std::make_unique<State>(options, console);
  return reporter;
}

DiagnosticSink& Reporter::sink() const { return state_ ? state_->recorder : *console_; }
const ConversionWatch* Reporter::watch() const { return state_ ? &state_->recorder.watch() : nullptr; }

Expected<void> Reporter::write(const Expected<Report>& report, const tools::Findings& findings) const {
  if (!state_) return {};
  tools::ConversionRecorder& recorder = state_->recorder;
  recorder.finish(report);
  recorder.record.verification = findings.verification;
  recorder.record.messages.insert(recorder.record.messages.end(), findings.problems.begin(), findings.problems.end());
  return tools::write_report(recorder.record, state_->options.report, &recorder.inputs());
}

#else

struct Reporter::State {};

Expected<Reporter> Reporter::create(const Options& options, DiagnosticSink& console) {
  if (options.report.empty()) return Reporter(console);
  return error("MO-CLI-0096", "this mo was built without --report")
      .hint("convert without it, or with a full mo (MO_SELECTIVE leaves reports out)");
}

DiagnosticSink& Reporter::sink() const { return *console_; }
const ConversionWatch* Reporter::watch() const { return nullptr; }
Expected<void> Reporter::write(const Expected<Report>&, const tools::Findings&) const { return {}; }

#endif

Reporter::Reporter(DiagnosticSink& console) : console_(&console) {}
Reporter::Reporter(Reporter&&) noexcept = default;
Reporter::~Reporter() = default;

}  // namespace mo::cli
