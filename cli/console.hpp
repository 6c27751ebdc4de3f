#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"
#include "driver/convert.hpp"

/// What `mo` prints. Failures to print (a closed pipe) are ignored: the exit code tells how the conversion went.
namespace mo::cli {

void print(std::string_view text);        ///< stdout
void print_error(std::string_view text);  ///< stderr

/// `[ ERROR ]` lines, at most 20 of them and a count of the rest.
void print_errors(const Error& error);

/// The list of arguments that the original prints before it converts.
std::string banner(const Options& options);

/// The `[ SUCCESS ]` lines.
std::string success_lines(const Report& report, double seconds, std::size_t megabytes);
/// The same for an ONNX model.
std::string onnx_success_lines(const Report& report, double seconds, std::size_t megabytes);

/// The line after them: the command that runs what was written.
std::string next_step_line(const Report& report);

/// Highest resident memory of this process so far.
std::size_t peak_megabytes();

/// Prints warnings and notes as they come, unless `silent`. At most 20 of each code; `finish` tells how many more there
/// were.
class ConsoleSink final : public DiagnosticSink {
 public:
  explicit ConsoleSink(std::string_view log_level, bool silent = false);

  void report(Diagnostic diagnostic) override;
  void finish();

 private:
  bool show_warnings_;
  bool show_notes_;
  std::map<std::string, std::size_t> counts_;
};

/// `\rProgress: [....      ]  23.00% done  PartialInference, 12 s left`, in one line or (stream) one line per step.
class ProgressBar final : public ProgressSink {
 public:
  explicit ProgressBar(bool stream) : stream_(stream) {}

  void step(double share, std::string_view step) override;
  /// Ends the line, so that whatever follows begins on a new one.
  void finish();

  /// The text for `share` of the work after `seconds`, without a line end. The beginning is the original's. The time
  /// left is told when it can be known: after a second, and a twentieth of the work.
  static std::string line(double share, std::string_view step, double seconds);

 private:
  bool stream_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool line_open_ = false;
  std::string last_;
};

}  // namespace mo::cli
