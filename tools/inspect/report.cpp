#include "tools/inspect/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/inspect/summarize.hpp"

namespace mo::tools {
namespace {

constexpr std::size_t kMostNames = 20;

std::string size_text(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  std::size_t unit = 0;
  double size = static_cast<double>(bytes) / 1024;
  for (; size >= 1024 && unit < 3; size /= 1024) ++unit;
  return fmt::format("{:.1f} {}iB", size, "KMGT"[unit]);
}

/// The most frequent first.
std::string counted(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [name, count] : rows) texts.push_back(fmt::format("{} {}", name, count));
  return fmt::format("{}", fmt::join(texts, ", "));
}

class Text {
 public:
  void row(std::string_view title, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("{:<15}{}\n", title, value);
  }
  void line(const std::string& value) { text_ += "  " + value + "\n"; }
  void title(std::string_view title) { text_ += fmt::format("{}\n", title); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string versions_of(const ModelFacts& facts) {
  std::vector<std::string> parts = {facts.framework};
  for (const auto& [name, version] : facts.versions) parts.push_back(name + " " + version);
  std::vector<std::string> sets;
  for (const auto& [name, version] : facts.op_sets)
    sets.push_back(name.starts_with("opset") ? name : fmt::format("{} {}", name, version));
  if (!sets.empty()) parts.push_back(fmt::format("op sets {}", fmt::join(sets, ", ")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_ends(Text& text, std::string_view title, const std::vector<EndFacts>& ends,
              const std::vector<std::string>& names) {
  text.title(title);
  for (const EndFacts& end : ends) {
    const bool has_other_name = !end.tensor_names.empty() && end.tensor_names.front() != end.name;
    text.line(fmt::format("{}{}  {}  {}{}", end.name,
                          has_other_name ? fmt::format(" (tensor {})", end.tensor_names.front()) : "",
                          end.type.shape.has_rank()
                              ? fmt::format("{}{}", to_string(end.type.element_type), shape_text(end.type.shape, names))
                              : end.type.to_string(),
                          to_string(certainty_of(end.type.shape)), end.inferred ? ", inferred" : ""));
  }
  if (ends.empty()) text.line("none");
}

void add_costs(Text& text, const ModelFacts& facts, bool layers) {
  if (facts.costs.empty()) return;
  text.row("multiply-adds", readable_count(facts.multiply_adds()) +
                                (facts.all_costs_known() ? "" : ", without layers of dynamic shapes"));
  if (!layers) return;
  std::vector<LayerCost> costs = facts.costs;
  std::stable_sort(costs.begin(), costs.end(), [](const LayerCost& a, const LayerCost& b) {
    return a.multiply_adds.value_or(-1) > b.multiply_adds.value_or(-1);
  });
  for (const LayerCost& cost : costs)
    text.line(fmt::format("{:>10}  {}  {}", cost.multiply_adds ? readable_count(*cost.multiply_adds) : "?", cost.op,
                          cost.name));
}

void add_facts(Text& text, const ModelFacts& facts, bool layers) {
  text.row("model", versions_of(facts));
  text.row("producer", facts.producer);
  text.row("nodes",
           std::to_string(facts.nodes) + (facts.functions > 0 ? fmt::format(", {} functions", facts.functions) : ""));
  std::vector<std::string> types;
  for (const auto& [type, bytes] : facts.parameter_types)
    types.push_back(fmt::format("{} {}", type, size_text(static_cast<std::int64_t>(bytes))));
  text.row("parameters", fmt::format("{}, {} ({})", readable_count(facts.parameters), size_text(facts.parameter_bytes),
                                     fmt::join(types, ", ")));
  add_costs(text, facts, layers);
  text.row("ops", counted(facts.ops));
  text.row("custom ops", counted(facts.custom_ops));
  text.row("family", fmt::format("{}", fmt::join(facts.families, ", ")));
  for (const ControlFlowFacts& owner : facts.control_flow)
    text.row("control flow", fmt::format("{} '{}': {} {}, {} nodes inside", owner.op, owner.name, owner.bodies,
                                         owner.bodies == 1 ? "body" : "bodies", owner.nodes));
  add_ends(text, "inputs", facts.inputs, facts.dimension_names);
  add_ends(text, "outputs", facts.outputs, facts.dimension_names);
}

void add_refusals(Text& text, const std::vector<Refusal>& refusals) {
  text.title("a conversion is refused:");
  for (const Refusal& refusal : refusals) {
    text.line(fmt::format("{}{}: {}", refusal.code, refusal.op.empty() ? "" : " " + refusal.op, refusal.message));
    const auto shown = std::span(refusal.nodes).first(std::min(refusal.nodes.size(), kMostNames));
    if (!shown.empty())
      text.line(fmt::format(
          "  nodes   {}{}", fmt::join(shown, ", "),
          refusal.nodes.size() > kMostNames ? fmt::format(" and {} more", refusal.nodes.size() - kMostNames) : ""));
    if (!refusal.hint.empty()) text.line("  remedy  " + refusal.hint);
    for (const std::string& remedy : refusal.remedies) text.line("          " + remedy);
  }
}

void add_proposal(Text& text, const Plan& plan, std::string_view command) {
  const Proposal& proposal = *plan.proposal;
  const std::size_t all = plan.trial.facts ? plan.trial.facts->nodes : 0;
  if (proposal.is_whole)
    text.title(plan.trial.converts() ? "it converts:" : "this converts:");
  else
    text.title(fmt::format("the largest part that converts ({}of {} nodes):",
                           proposal.ops <= all ? fmt::format("{} ", proposal.ops) : "", all));
  text.line(proposal.line.text(command));
  for (const std::string& assumption : proposal.assumptions) text.line("assumed: " + assumption);
}

}  // namespace

std::string report_text(const Plan& plan, bool layers) {
  Text text;
  if (plan.trial.facts) add_facts(text, *plan.trial.facts, layers);
  if (plan.trial.is_ir) return text.take();
  if (!plan.trial.converts()) add_refusals(text, plan.trial.refusals);
  if (plan.proposal)
    add_proposal(text, plan, "mo");
  else
    text.title("no command line was found that converts a part of it");
  return text.take();
}

std::string proposal_text(const Plan& plan, std::string_view command) {
  Text text;
  if (plan.proposal) add_proposal(text, plan, command);
  return text.take();
}

}  // namespace mo::tools
