#include "cli/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "cli/advice.hpp"
#include "cli/command_line.hpp"
#include "cli/commit.hpp"
#include "cli/console.hpp"
#include "cli/explain.hpp"
#include "cli/help.hpp"
#include "cli/option_list.hpp"
#include "cli/reporter.hpp"
#include "cli/terminal.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/budget.hpp"
#include "core/support/log.hpp"
#include "core/support/printable.hpp"
#include "driver/convert.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/option_grammar.hpp"
#include "driver/plugin_ends.hpp"
#include "driver/version.hpp"

namespace mo::cli {
namespace {

ExitCode fail(const Error& error) {
  print_errors(error);
  return exit_code_of(error);
}

/// Names of passes in an environment variable. The original also takes names with their module in front:
/// "extensions.front.Name".
void add_passes_of(const char* variable, std::vector<std::string>& passes) {
  const char* value = std::getenv(variable);
  if (!value) return;
  for (const std::string& name : parse_words(value)) passes.push_back(name.substr(name.rfind('.') + 1));
}

ExitCode convert_model(const CommandLine& line, const AfterConversion& after_conversion,
                       std::span<const tools::Subcommand> subcommands) {
  const auto start = std::chrono::steady_clock::now();
  Options options = line.options;
  add_passes_of("MO_ENABLED_TRANSFORMS", options.passes.enable);
  add_passes_of("MO_DISABLED_TRANSFORMS", options.passes.disable);
  const std::string level = options.silent && options.log_level != "CRITICAL" ? "ERROR" : options.log_level;
  log::set_level(level);
  // What the options say is of interest only when there is something to convert.
  if (options.converts())
    if (const auto found = find_model(options); !found) return fail(found.error());
  // The content is checked before the arguments are listed: for a file that is not a model, only the error is printed.
  // With --report the conversion checks it, because the report has that error, too.
  if (options.converts() && options.report.empty()) {
    if (const auto checked = check_content(options, options.framework); !checked) return fail(checked.error());
    options.content_is_checked = true;
  }
  if (!options.silent && options.converts()) print(banner(options));
  ConsoleSink sink(level, options.silent);
  const Expected<Reporter> reporter = Reporter::create(options, sink);
  if (!reporter) return fail(reporter.error());
  for (const Diagnostic& warning : line.warnings) reporter->sink().report(warning);

  options.ends_process = !options.verify && options.report.empty();
  if (options.has_plugins()) explain_ends_by_plugins(static_cast<int>(ExitCode::extension_failed));
  ProgressBar bar(options.stream_output);
  const Expected<Report> report =
      convert(options, reporter->sink(), options.progress ? &bar : nullptr, reporter->watch());
  bar.finish();
  sink.finish();
  if (!report) {
    const ExitCode code = fail(report.error());
    if (const auto told = reporter->write(report, {}); !told) print_errors(told.error());
    if (!options.silent) print_error(printable(advice_after("mo", line.options, report.error(), subcommands)));
    return code;
  }

  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print(printable(report->text + (report->text.empty() || report->text.ends_with('\n') ? "" : "\n")));
  const bool is_written = !report->xml_path.empty() || !report->onnx_path.empty();
  if (!report->onnx_path.empty()) print(onnx_success_lines(*report, elapsed.count(), peak_megabytes()));
  if (!report->xml_path.empty()) print(success_lines(*report, elapsed.count(), peak_megabytes()));
  const bool can_run = std::any_of(subcommands.begin(), subcommands.end(),
                                   [](const tools::Subcommand& subcommand) { return subcommand.name == "run"; });
  if (is_written && can_run && !options.silent) print(next_step_line(*report));
  tools::Findings findings;
  const ExitCode checked = is_written && after_conversion ? after_conversion(options, *report, findings) : ExitCode::ok;
  const auto told = reporter->write(report, findings);
  const ExitCode written = told ? ExitCode::ok : fail(told.error());
  return checked != ExitCode::ok ? checked : written;
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

ExitCode run(std::span<const std::string_view> arguments, const AfterConversion& after_conversion,
             std::span<const tools::Subcommand> subcommands) {
  const Expected<CommandLine> line = parse_command_line(arguments);
  // Wrong arguments get hints; a user who gave none needs to be told how to begin.
  if (!line && arguments.empty())
    print_error(fmt::format("{}\n{}`mo --help` lists all options, `mo help SUBCOMMAND` those of a subcommand\n", kUsage,
                            list_of(subcommands)));
  if (!line) return fail(line.error());
  switch (line->action) {
    case Action::print_help: return print_page(help_text(line->topic, terminal_width(), subcommands));
    case Action::print_version: print(version_text()); return ExitCode::ok;
    case Action::explain: return print_page(explain(line->topic, terminal_width()));
    case Action::list_options: print(option_list(line->as_json)); return ExitCode::ok;
    case Action::convert: break;
  }
  return convert_model(*line, after_conversion, subcommands);
}

}  // namespace mo::cli
