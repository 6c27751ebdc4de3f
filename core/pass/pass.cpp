#include "core/pass/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/diagnostics/exception.hpp"
#include "core/diagnostics/misuse.hpp"
#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/op/runtimes.hpp"

namespace mo {

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::extraction: return "extraction";
    case Phase::front: return "front";
    case Phase::inference: return "inference";
    case Phase::middle: return "middle";
    case Phase::back: return "back";
    case Phase::finish: return "finish";
  }
  return "?";
}

std::string to_string(const RuleVerdict& verdict) {
  std::string text(verdict.pass);
  if (verdict.node.empty() && verdict.op.empty()) return fmt::format("{}: {}", text, verdict.why);
  if (verdict.rule != verdict.pass) text += fmt::format(": {}", verdict.rule);
  text += verdict.node.empty() ? fmt::format(" at {}: ", verdict.op)
                               : fmt::format(" at '{}' ({}): ", verdict.node, verdict.op);
  switch (verdict.outcome) {
    case RuleVerdict::Outcome::replaced: return text + "replaced";
    case RuleVerdict::Outcome::declined: return text + "declined" + (verdict.why.empty() ? "" : ": " + verdict.why);
    case RuleVerdict::Outcome::no_match: break;
  }
  return text +
         fmt::format("no match after {} tensor{}, {}", verdict.fitted, verdict.fitted == 1 ? "" : "s", verdict.why);
}

RewriteRule::RewriteRule(std::string name, std::vector<std::string> root_types, std::optional<Matcher> matcher,
                         Replace replace)
    : name(std::move(name)),
      root_types(std::move(root_types)),
      matcher(std::move(matcher)),
      replace(std::move(replace)) {}
RewriteRule::RewriteRule(const RewriteRule& other) = default;
RewriteRule::RewriteRule(RewriteRule&& other) noexcept = default;
RewriteRule& RewriteRule::operator=(const RewriteRule& other) = default;
RewriteRule& RewriteRule::operator=(RewriteRule&& other) noexcept = default;
RewriteRule::~RewriteRule() = default;

Pass::Pass() = default;
Pass::Pass(const Pass& other) = default;
Pass::Pass(Pass&& other) noexcept = default;
Pass& Pass::operator=(const Pass& other) = default;
Pass& Pass::operator=(Pass&& other) noexcept = default;
Pass::~Pass() = default;

Pass GraphPassBuilder::run(std::function<Expected<bool>(Graph&, PassContext&)> fn) && {
  pass_.run = std::move(fn);
  return std::move(pass_);
}

namespace {

void run_by_rules(Pass& pass, std::vector<RewriteRule> rules) {
  pass.by_rules = true;
  const bool anything =
      std::any_of(rules.begin(), rules.end(), [](const RewriteRule& rule) { return rule.root_types.empty(); });
  if (!anything)
    for (const RewriteRule& rule : rules)
      pass.roots.insert(pass.roots.end(), rule.root_types.begin(), rule.root_types.end());
  pass.rules = std::make_shared<const std::vector<RewriteRule>>(std::move(rules));
  pass.run = [rules = pass.rules, order = pass.order](Graph& graph, PassContext& context) {
    return run_rules(*rules, graph, context, order);
  };
}

}  // namespace

GraphRewriteBuilder GraphRewriteBuilder::add(RewriteRule rule) && {
  rules_.push_back(std::move(rule));
  return std::move(*this);
}

Pass GraphRewriteBuilder::build() && {
  run_by_rules(pass_, std::move(rules_));
  return std::move(pass_);
}

RewriteBuilder RewriteBuilder::match(const Pat& pattern) && {
  matcher_.emplace(pattern);
  return std::move(*this);
}

RewriteRule RewriteBuilder::make_rule(RewriteRule::Replace replace) const {
  return RewriteRule(pass_.name, matcher_->root_types(), matcher_, std::move(replace));
}

Pass RewriteBuilder::build(RewriteRule rule) && {
  run_by_rules(pass_, {std::move(rule)});
  return std::move(pass_);
}

Pass ReplacementOpBuilder::build(RewriteRule::Replace replace) && {
  RewriteRule rule(pass_.name, {op_}, std::nullopt, std::move(replace));
  const bool before_inference = pass_.phase == Phase::extraction || pass_.phase == Phase::front;
  rule.framework_names = before_inference;
  rule.once = true;
  if (checks_name_) pass_.ops = rule.root_types;
  run_by_rules(pass_, {std::move(rule)});
  if (before_inference)
    pass_.run_at = [rules = pass_.rules](const Node& node, PassContext& context) {
      return apply_rules(*rules, node, context);
    };
  return std::move(pass_);
}

PipelineBuilder PipelineBuilder::then(PassUse use) && {
  pass_.steps.push_back({{}, {std::move(use)}});
  return std::move(*this);
}

PipelineBuilder PipelineBuilder::group(std::string name, std::vector<PassUse> uses) && {
  pass_.steps.push_back({std::move(name), std::move(uses)});
  return std::move(*this);
}

namespace {

Expected<bool> run_on(const Pass& pass, Graph& graph, PassContext& context) {
  context.pass = pass.name;
  try {
    auto result = pass.run(graph, context);
    // The steps of phase finish change types in several passes, after which all is inferred at once.
    if (pass.phase != Phase::middle && pass.phase != Phase::back)
      graph.take_edited();
    else if (result)
      MO_TRY(infer_edited(graph));
    return result;
  } catch (const Misuse&) { return caught_exception(fmt::format("pass {}", pass.name)); }
}

}  // namespace

namespace {

/// Whether the graph has an op that the pass looks for; with the bodies inside when the pass descends into them by
/// itself.
bool has_any_of(const std::vector<std::string>& ops, Graph& graph, bool inside) {
  const auto in = [&](const Graph& one) {
    return std::any_of(ops.begin(), ops.end(), [&](const std::string& op) { return one.has_op(op); });
  };
  if (in(graph)) return true;
  if (!inside) return false;
  const std::vector<Graph*> graphs = with_bodies(graph);
  return std::any_of(graphs.begin(), graphs.end(), [&](const Graph* one) { return in(*one); });
}

/// Whether a pass cannot do anything to this graph, as its ops tell.
bool is_in_vain(const Pass& pass, Graph& graph, const PassContext& context) {
  if (!pass.looks_for.empty() && !has_any_of(pass.looks_for, graph, !pass.into_bodies)) return true;
  // Before types are known, rules may start from names that are not those of ops.
  const bool by_op = pass.phase == Phase::middle || pass.phase == Phase::back;
  return by_op && pass.by_rules && !pass.roots.empty() && !context.explain && !has_any_of(pass.roots, graph, false);
}

}  // namespace

Expected<bool> run_pass(const Pass& pass, Graph& graph, PassContext& context) {
  if (pass.fault && is_older(pass.fault->last, context.settings.release)) return false;
  // Graphs with the bodies after their owners; run from the back, so inner ones come first.
  const std::vector<Graph*> graphs = pass.into_bodies ? with_bodies(graph) : std::vector<Graph*>{&graph};
  bool changed = false;
  for (auto it = graphs.rbegin(); it != graphs.rend(); ++it) {
    if (is_in_vain(pass, **it, context)) continue;
    if (pass.condition && !pass.condition(**it, context)) continue;
    auto result = run_on(pass, **it, context);
    if (!result)
      return std::move(result).error().in_phase(fmt::format("{}, while running {}", to_string(pass.phase), pass.name));
    changed = changed || *result;
  }
  return changed;
}

}  // namespace mo
