#pragma once

#include <memory>
#include <string>

#include "core/files/input_files.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/conversion.hpp"
#include "tools/report/record.hpp"

namespace mo::tools {

/// Writes down what it hears, and passes it on.
class RecordingSink : public DiagnosticSink {
 public:
  /// `sink` outlives this one.
  explicit RecordingSink(DiagnosticSink& sink) : sink_(sink) {}
  void report(Diagnostic diagnostic) override;

  ReportRecord record;

 private:
  DiagnosticSink& sink_;
};

/// Writes down what happens in one conversion:
///
///     ConversionRecorder recorder(options, sink);
///     const auto report = convert(options, recorder, progress, &recorder.watch());
///     recorder.finish(report);
///     const std::string json = report_json(recorder.record);
///
/// It costs O(nodes) for each pass that changes something and about 300 bytes for each node while the
/// conversion runs. Stays where it is.
class ConversionRecorder final : public RecordingSink {
 public:
  ConversionRecorder(const Options& options, DiagnosticSink& sink);
  ConversionRecorder(const ConversionRecorder&) = delete;
  ConversionRecorder& operator=(const ConversionRecorder&) = delete;

  const ConversionWatch& watch() const { return watch_; }
  /// Adds to the record what came out, or why nothing did.
  void finish(const Expected<Report>& report);
  /// All files that were read: none of them may be replaced by a report.
  const InputFiles& inputs() const { return inputs_; }

 private:
  void is_read(Conversion& conversion);
  void before_phase(Phase phase, Conversion& conversion);
  void before_writing(Conversion& conversion);
  void written();
  /// The time since the last step.
  void end_step(const std::string& name, const std::string& phase);

  ConversionWatch watch_;
  PassHistory history_;
  std::vector<PlacedConstant> constants_;
  InputFiles inputs_;
  InputFiles::Recording recording_{inputs_};
  Stopwatch stopwatch_;
  double step_began_ = 0;
};

/// Adds the passes that made or changed each node to a table.
void add_passes(ReportRecord& record, GraphTable& table, const std::vector<Node>& nodes, const PassHistory& history);

}  // namespace mo::tools
