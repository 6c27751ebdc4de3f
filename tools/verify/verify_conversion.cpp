#include "tools/verify/verify_conversion.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/support/budget.hpp"
#include "tools/common/console.hpp"
#include "tools/verify/engine.hpp"
#include "tools/verify/report.hpp"

namespace mo::tools {

namespace {

/// The package of the user's Python judges an ONNX model.
Expected<void> check_onnx(const Options& options, const std::string& path) {
  MO_ASSIGN(const std::unique_ptr<Engine> engine, Engine::start({.name = "onnx"}));
  MO_TRY(engine->check(path));
  if (!options.silent) fmt::print("{} accepts the model\n", engine->title());
  return {};
}

}  // namespace

ExitCode verify_conversion(const Options& options, const Report& report, Findings& findings) {
  if (options.check && !report.onnx_path.empty())
    if (const auto checked = check_onnx(options, report.onnx_path); !checked) {
      print(checked.error());
      findings.problems = checked.error().items();
      return exit_code_of(checked.error());
    }
  if (!options.verify) return ExitCode::ok;
  Budget budget(options.budget);
  const BudgetScope scope(budget);
  VerifyRequest request;
  request.source = options;
  request.checked = report.xml_path.empty() ? report.onnx_path : report.xml_path;
  request.converted_before = true;
  ConsoleSink sink;
  const auto verification = carry_out(request, sink);
  if (!verification) {
    print(verification.error());
    findings.problems = verification.error().items();
    return exit_code_of(verification.error());
  }
  if (!options.report.empty())
    findings.verification = std::make_shared<const nlohmann::ordered_json>(verification_json(*verification));
  const bool different = verification->verdict == Verdict::different;
  fmt::print("{}", different || !options.silent ? text_of(*verification) : summary_of(*verification));
  std::fflush(stdout);
  if (!different) return ExitCode::ok;
  const Error problem = as_error(*verification);
  print(problem);
  return exit_code_of(problem);
}

}  // namespace mo::tools
