#include <fmt/format.h>

#include <cstdio>

#include "core/diagnostics/exit_code.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/verify/options.hpp"
#include "tools/verify/report.hpp"
#include "tools/verify/verify_conversion.hpp"

namespace mo::tools {
namespace {

Expected<void> run_verify(const Invocation& invocation) {
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
  ConsoleSink sink;
  MO_ASSIGN(const Verification verification, verify(options.request, sink));
  fmt::print("{}", options.json ? json_of(verification) : text_of(verification));
  std::fflush(stdout);
  if (verification.verdict == Verdict::different) return as_error(verification);
  return {};
}

ExitCode verify_program(const Invocation& invocation) {
  const auto done = run_verify(invocation);
  if (done) return ExitCode::ok;
  print(done.error());
  return exit_code_of(done.error());
}

}  // namespace

Subcommand subcommand_verify() {
  return {"verify",
          {"mo_verify"},
          "check that an IR computes what its model computes",
          [](const Invocation& invocation) { return static_cast<int>(verify_program(invocation)); },
          nullptr,
          verify_conversion};
}

}  // namespace mo::tools
