#include <nlohmann/json.hpp>

#include "tools/inspect/facts_json.hpp"
#include "tools/inspect/report.hpp"

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

Json coverage_json(const Plan& plan) {
  Json refusals = Json::array();
  for (const Refusal& refusal : plan.trial.refusals)
    refusals.push_back({{"code", refusal.code},
                        {"op", refusal.op},
                        {"message", refusal.message},
                        {"nodes", refusal.nodes},
                        {"hint", refusal.hint},
                        {"remedies", refusal.remedies}});
  Json proposal;
  if (plan.proposal)
    proposal = {{"command", plan.proposal->line.text()},
                {"words", plan.proposal->line.words()},
                {"whole", plan.proposal->is_whole},
                {"nodes", plan.proposal->ops},
                {"assumptions", plan.proposal->assumptions}};
  return {{"converts", plan.trial.converts()}, {"refusals", std::move(refusals)}, {"proposal", std::move(proposal)}};
}

}  // namespace

Json plan_json(const Plan& plan) {
  Json report;
  report["model"] = plan.trial.facts ? facts_json(*plan.trial.facts) : Json();
  report["conversion"] = plan.trial.is_ir ? Json() : coverage_json(plan);
  return report;
}

std::string report_json(const Plan& plan) {
  // Names come from models and need not be UTF-8.
  return plan_json(plan).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mo::tools
