#include <fmt/format.h>

#include <array>

#include "core/diagnostics/exit_code.hpp"
#include "core/support/printable.hpp"
#include "tools/common/arguments.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/inspect/report.hpp"
#include "tools/inspect/summarize.hpp"

namespace mo::tools {
namespace {

struct InspectOptions : SubcommandOptions {
  bool json = false;
  bool layers = false;
};

using InspectRow = OptionOf<InspectOptions>;

constexpr SubcommandText kInspectText = {
    "MO-INSPECT-0001", "MODEL",
    "Says what is in a model (an IR, a text form, or anything that mo converts), what would stop its conversion, and "
    "which command line converts "
    "it or its largest part.\nNothing is written. All options of mo that say how a model is read and converted are "
    "understood as well."};

constexpr std::array kInspectRows = {
    InspectRow{{.name = "json", .help = "the report as JSON (docs/schemas/inspect.schema.json)"},
               set_flag<&InspectOptions::json>},
    InspectRow{{.name = "layers", .help = "list what each layer costs, most expensive first"},
               set_flag<&InspectOptions::layers>},
};

Expected<InspectOptions> parse_inspect_options(const Invocation& invocation) {
  InspectOptions options;
  MO_TRY(parse_subcommand_line(kInspectText, kInspectRows, invocation, options));
  return options;
}

Expected<void> inspect(const Invocation& invocation) {
  MO_ASSIGN(const InspectOptions options, parse_inspect_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  MO_ASSIGN(const Options model_options, invocation.parse_model_options(options.model_words));
  MO_ASSIGN(const Plan plan, make_plan(model_options, invocation.parse_model_options));
  // What cannot even be read has no report.
  if (!plan.trial.facts && !plan.proposal && plan.trial.error) return *plan.trial.error;
  fmt::print("{}", options.json ? report_json(plan) : printable(report_text(plan, options.layers)));
  return {};
}

int run_inspect(const Invocation& invocation) {
  if (invocation.name == "summarize_graph")
    return with_arguments(invocation, [](int argc, char** argv) {
      return summarize_main(argc, argv) == ExitCode::ok ? 0 : kFailedAsInTensorFlow;
    });
  const auto done = inspect(invocation);
  if (done) return static_cast<int>(ExitCode::ok);
  print(done.error());
  return static_cast<int>(exit_code_of(done.error()));
}

/// Only where the model is the reason: another command line does not help a disk that is full, and plugins may have
/// refused it on purpose.
std::string advise(std::string_view command, const Options& options, const Error& error, const ParseOptions& parse) {
  const ExitCode code = exit_code_of(error);
  const bool is_about_model =
      code == ExitCode::conversion_failed || code == ExitCode::input_malformed || code == ExitCode::unsupported;
  if (!is_about_model || options.has_plugins()) return "";
  const Expected<Plan> plan = make_plan(options, parse);
  return plan && !plan->trial.converts() ? proposal_text(*plan, command) : "";
}

}  // namespace

Subcommand subcommand_inspect() {
  return {.name = "inspect",
          .links = {"summarize_graph"},
          .summary = "what is in a model, and what would stop its conversion",
          .run = run_inspect,
          .after_failure = advise,
          .also_tried = {"info", "summary", "summarize", "describe", "analyze", "inputs", "outputs"}};
}

}  // namespace mo::tools
