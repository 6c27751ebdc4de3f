#include "api/inspect.hpp"

#include "api/account.hpp"
#include "api/options.hpp"
#include "api/plan.hpp"
#include "tools/inspect/report.hpp"

namespace mo {
namespace {

Inspection inspection_of(tools::Plan plan) {
  Inspection made;
  made.json = tools::report_json(plan);
  made.converts = plan.trial.converts();
  made.is_ir = plan.trial.is_ir;
  made.model = std::move(plan.trial.facts);
  made.refusals = std::move(plan.trial.refusals);
  made.messages = std::move(plan.trial.messages);
  if (plan.proposal) {
    tools::Proposal& found = *plan.proposal;
    made.proposal = ConversionProposal{found.line.words(), found.line.text(), found.is_whole, found.ops,
                                       std::move(found.assumptions)};
  }
  return made;
}

}  // namespace

Expected<tools::Plan> plan_for(const std::vector<std::string>& words, const std::atomic<bool>* cancel) {
  MO_ASSIGN(Options options, parse_model_options(words));
  options.budget.cancel = cancel;
  return on_account(options.budget, [&]() -> Expected<tools::Plan> {
    MO_ASSIGN(tools::Plan plan, tools::make_plan(options, parse_model_options));
    if (cancel && *cancel && plan.trial.error) return *plan.trial.error;  // not about the model
    if (!plan.trial.facts && !plan.proposal && plan.trial.error) return *plan.trial.error;
    plan.trial.front.reset();  // the graph is not used after this
    return plan;
  });
}

Expected<Inspection> inspect(const std::vector<std::string>& words, const std::atomic<bool>* cancel) {
  MO_ASSIGN(tools::Plan plan, plan_for(words, cancel));
  return inspection_of(std::move(plan));
}

}  // namespace mo
