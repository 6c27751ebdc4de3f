#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/diagnostics/exit_code.hpp"
#include "core/support/printable.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/report/pair.hpp"
#include "tools/report/recorder.hpp"
#include "tools/report/report.hpp"
#include "tools/verify/options.hpp"
#include "tools/verify/report.hpp"
#include "tools/verify/verify_conversion.hpp"

namespace mo::tools {
namespace {

/// Writes the report also when it is unknown whether both are the same.
Expected<Verification> verify_and_report(VerifyOptions& options, DiagnosticSink& console) {
  MO_TRY(check_report_path(options.report));
  InputFiles inputs;
  const InputFiles::Recording recording(inputs);
  RecordingSink sink(console);
  ReportRecord& record = sink.record;
  record.kind = ReportRecord::Kind::verification;
  record.title = output_name(options.request.source);
  record.options = options.request.source.given;
  options.request.read = [&](Conversion& conversion) { add_source(record, conversion); };
  options.request.show = [&](const ModelGraph& source, const ModelGraph& checked) {
    add_source_and_checked(record, source, checked);
  };
  auto verification = carry_out(options.request, sink);
  record.status = verification ? to_string(verification->verdict) : "failed";
  if (verification) {
    record.verification = std::make_shared<const nlohmann::ordered_json>(verification_json(*verification));
    if (const auto& layer = verification->check.layer) mark_wrong(record, layer->layer);
  } else {
    record.messages.insert(record.messages.end(), verification.error().items().begin(),
                           verification.error().items().end());
  }
  const auto written = write_report(record, options.report, &inputs);
  return verification && !written ? Expected<Verification>(written.error()) : std::move(verification);
}

/// `failed`: the options of the model, when it could not be converted, read or computed.
Expected<void> run_verify(const Invocation& invocation, std::optional<Options>& failed) {
  MO_ASSIGN(VerifyOptions options, parse_verify_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  if (!options.model.empty()) {
    options.model_words.emplace_back("--input_model");
    options.model_words.push_back(options.model);
  }
  MO_ASSIGN(options.request.source, invocation.parse_model_options(options.model_words));
  failed = options.request.source;
  ConsoleSink console;
  MO_ASSIGN(const Verification verification,
            options.report.empty() ? carry_out(options.request, console) : verify_and_report(options, console));
  failed.reset();
  fmt::print("{}", options.json ? json_of(verification) : text_of(verification));
  std::fflush(stdout);
  if (verification.verdict == Verdict::different) return as_error(verification);
  return {};
}

ExitCode verify_program(const Invocation& invocation) {
  std::optional<Options> failed;
  const auto done = run_verify(invocation, failed);
  if (done) return ExitCode::ok;
  print(done.error());
  if (failed && !failed->silent) fmt::print(stderr, "{}", printable(invocation.advice(*failed, done.error())));
  return exit_code_of(done.error());
}

}  // namespace

Subcommand subcommand_verify() {
  return {.name = "verify",
          .links = {"mo_verify"},
          .summary = "check that an IR computes what its model computes",
          .run = [](const Invocation& invocation) { return static_cast<int>(verify_program(invocation)); },
          .after_conversion = verify_conversion,
          .also_tried = {"check", "validate", "accuracy"}};
}

}  // namespace mo::tools
