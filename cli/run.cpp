#include "cli/run.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>

#include "cli/application.hpp"
#include "cli/command_line.hpp"
#include "cli/commit.hpp"
#include "cli/console.hpp"
#include "cli/explain.hpp"
#include "cli/help.hpp"
#include "cli/option_list.hpp"
#include "cli/terminal.hpp"
#include "core/log.hpp"
#include "core/op/runtimes.hpp"
#include "driver/convert.hpp"
#include "driver/given_model.hpp"
#include "driver/option_grammar.hpp"
#include "driver/plugin_ends.hpp"
#include "driver/version.hpp"
#include "tools/report/recorder.hpp"
#include "tools/report/report.hpp"

namespace mo::cli {
namespace {

ExitCode fail(const Error& error) {
  print_errors(error);
  return exit_code_of(error);
}

/// Names of passes in an environment variable. The original also takes names with their module in front: "extensions.front.Name".
void add_passes_of(const char* variable, std::vector<std::string>& passes) {
  const char* value = std::getenv(variable);
  if (!value) return;
  for (const std::string& name : parse_words(value)) passes.push_back(name.substr(name.rfind('.') + 1));
}

/// Writes what --report asks for, of a conversion that failed as well.
ExitCode write_report(const Options& options, tools::ConversionRecorder& recorder, const Expected<Report>& report, const tools::Findings& findings) {
  recorder.finish(report);
  recorder.record.verification = findings.verification;
  const auto written = tools::write_report(recorder.record, options.report, &recorder.inputs());
  return written ? ExitCode::ok : fail(written.error());
}

ExitCode convert_model(const CommandLine& line, const AfterConversion& after_conversion) {
  const auto start = std::chrono::steady_clock::now();
  Options options = line.options;
  add_passes_of("MO_ENABLED_TRANSFORMS", options.passes.enable);
  add_passes_of("MO_DISABLED_TRANSFORMS", options.passes.disable);
  const std::string level = options.silent && options.log_level != "CRITICAL" ? "ERROR" : options.log_level;
  log::set_level(level);
  // What the options say is of interest only when there is something to convert.
  if (options.converts())
    if (const auto found = find_model(options); !found) return fail(found.error());
  if (!options.silent && options.converts()) print(banner(options));
  ConsoleSink sink(level);
  for (const Diagnostic& warning : line.warnings) sink.report(warning);

  std::optional<tools::ConversionRecorder> recorder;
  if (!options.report.empty() && options.converts()) {
    if (const auto possible = tools::check_report_path(options.report); !possible) return fail(possible.error());
    recorder.emplace(options, sink);
  }
  if (options.has_plugins()) explain_ends_by_plugins(static_cast<int>(ExitCode::extension_failed));
  ProgressBar bar(options.stream_output);
  const Expected<Report> report = recorder ? convert(options, *recorder, options.progress ? &bar : nullptr, &recorder->watch())
                                           : convert(options, sink, options.progress ? &bar : nullptr);
  bar.finish();
  sink.finish();
  if (!report) {
    const ExitCode code = fail(report.error());
    if (recorder) write_report(options, *recorder, report, {});
    return code;
  }

  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (report->xml_path.empty()) return ExitCode::ok;
  print(success_lines(*report, elapsed.count(), peak_megabytes()));
  tools::Findings findings;
  const ExitCode checked = after_conversion ? after_conversion(options, *report, findings) : ExitCode::ok;
  const ExitCode told = recorder ? write_report(options, *recorder, report, findings) : ExitCode::ok;
  return checked != ExitCode::ok ? checked : told;
}

ExitCode print_page(const Expected<std::string>& text) {
  if (!text) return fail(text.error());
  print(*text);
  return ExitCode::ok;
}

/// The first line is the original's, the others are for reports of errors.
std::string version_text() {
  const RuntimeRelease& oldest = runtime_releases().front();
  const RuntimeRelease& newest = runtime_releases().back();
  return fmt::format(
      "Version of Model Optimizer is: {}\n"
      "commit: {}\n"
      "IR versions: 10, 11\n"
      "op sets: 1 to {} (runtimes {} to {})\n"
      "reads: ONNX, TensorFlow 1 and 2, Caffe\n",
      version(), commit(), newest.op_set, oldest.name, newest.name);
}

}  // namespace

ExitCode run(std::span<const std::string_view> arguments, const AfterConversion& after_conversion) {
  const Expected<CommandLine> line = parse_command_line(arguments);
  // Whoever wrote something gets hints to what is wrong with it; who wrote nothing needs to be told how to begin.
  if (!line && arguments.empty()) print_error(std::string(kUsage) + "\n`mo --help` lists all options\n");
  if (!line) return fail(line.error());
  switch (line->action) {
    case Action::print_help: return print_page(help_text(line->topic, terminal_width()));
    case Action::print_version: print(version_text()); return ExitCode::ok;
    case Action::explain: return print_page(explain(line->topic, terminal_width()));
    case Action::list_options: print(option_list(line->as_json)); return ExitCode::ok;
    case Action::convert: break;
  }
  return convert_model(*line, after_conversion);
}

}  // namespace mo::cli
