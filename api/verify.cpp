#include "api/verify.hpp"

#include "api/account.hpp"
#include "api/options.hpp"
#include "tools/verify/options.hpp"
#include "tools/verify/report.hpp"

namespace mo {

Expected<Verification> verify(const VerifyRequest& request, DiagnosticSink& sink) {
  return on_account(request.source.budget, [&] { return tools::carry_out(request, sink); });
}

Expected<VerifyRequest> parse_verify_request(const std::vector<std::string>& words) {
  MO_ASSIGN(tools::VerifyOptions options, tools::parse_verify_options({"mo verify", words, parse_model_options}));
  if (!options.report.empty()) return program_option("report", "run the program: mo verify MODEL --report FILE");
  if (options.json) return program_option("json", "leave it out: the result is data");
  if (options.help) return program_option("help", "run the program: mo verify --help");
  if (!options.model.empty()) {
    options.model_words.emplace_back("--input_model");
    options.model_words.push_back(std::move(options.model));
  }
  MO_ASSIGN(options.request.source, parse_model_options(options.model_words));
  return std::move(options.request);
}

std::string text_of(const Verification& verification) { return tools::text_of(verification); }
std::string json_of(const Verification& verification) { return tools::json_of(verification); }

}  // namespace mo
