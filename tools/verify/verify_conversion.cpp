#include "tools/verify/verify_conversion.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/support/budget.hpp"
#include "tools/common/console.hpp"
#include "tools/verify/report.hpp"

namespace mo::tools {

ExitCode verify_conversion(const Options& options, const Report& report, Findings& findings) {
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
  if (different || !options.silent) fmt::print("{}", text_of(*verification));
  std::fflush(stdout);
  if (!different) return ExitCode::ok;
  const Error problem = as_error(*verification);
  print(problem);
  return exit_code_of(problem);
}

}  // namespace mo::tools
