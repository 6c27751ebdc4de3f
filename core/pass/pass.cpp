#include "core/pass/pass.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "core/diagnostics/exception.hpp"
#include "core/diagnostics/misuse.hpp"
#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/pass/framework_names.hpp"

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

Pass GraphPassBuilder::run(std::function<Expected<bool>(Graph&, PassContext&)> fn) && {
  pass_.run = std::move(fn);
  return std::move(pass_);
}

namespace {

std::function<Expected<bool>(Graph&, PassContext&)> runner(std::vector<RewriteRule> rules) {
  return [rules = std::move(rules)](Graph& graph, PassContext& context) { return run_rules(rules, graph, context); };
}

/// The rules that may have their root at an op, by the op's name.
class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<RewriteRule>& rules) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (rules[i].root_types.empty()) everywhere_ = true;
      for (const std::string& type : rules[i].root_types) {
        types_.insert(type);
        if (rules[i].framework_names) framework_names_.insert(type);
      }
    }
  }
  /// Whether the graph has any op that a rule could start at: most passes find none in most models.
  bool may_match(const Graph& graph) const {
    if (everywhere_ || std::any_of(types_.begin(), types_.end(), [&](const std::string& type) { return graph.has_op(type); })) return true;
    if (framework_names_.empty()) return false;
    const auto is_wanted = [&](std::string_view name) { return framework_names_.contains(without_domain(name)); };
    return graph.has_op_type([&](const OpType& type) { return type.dynamic && is_wanted(type.name); }) ||
           graph.has_origin([&](const Origin& origin) { return !origin.derived && is_wanted(origin.op); });
  }
  bool may_match(const Node& node) {
    if (everywhere_) return true;
    const OpType* type = &node.op_type();
    if (type != last_type_) {  // neighbours are often of one op; saves hashing names
      last_type_ = type;
      last_answer_ = types_.contains(type->name);
    }
    return last_answer_ || (!framework_names_.empty() && framework_names_.contains(framework_op_name(node)));
  }
  static bool fits(const RewriteRule& rule, const Node& node) {
    if (rule.root_types.empty()) return true;
    const auto is_root = [&](std::string_view name) {
      return std::find(rule.root_types.begin(), rule.root_types.end(), name) != rule.root_types.end();
    };
    return is_root(node.type()) || (rule.framework_names && is_root(framework_op_name(node)));
  }

 private:
  std::set<std::string, std::less<>> types_;
  std::set<std::string, std::less<>> framework_names_;
  bool everywhere_ = false;
  const OpType* last_type_ = nullptr;
  bool last_answer_ = false;
};

std::optional<Match> match_rule(const RewriteRule& rule, const Node& node) {
  static const Matcher kAnyTensor(pattern::any());
  const Matcher& matcher = rule.matcher ? *rule.matcher : kAnyTensor;
  for (const OutPort& port : node.out_ports())
    if (auto match = matcher.match(port)) return match;
  return std::nullopt;
}

/// A node that a pass made is named by what it was made of.
std::string name_for_user(const Node& node) {
  if (!node.name().empty()) return std::string(node.name());
  const std::vector<std::string_view> sources = node.sources();
  return sources.empty() ? std::string() : std::string(sources.front());
}

}  // namespace

Pass GraphRewriteBuilder::build() && {
  pass_.run = runner(std::move(rules_));
  return std::move(pass_);
}

Pass RewriteBuilder::build(RewriteRule rule) && {
  pass_.run = runner({std::move(rule)});
  return std::move(pass_);
}

Pass ReplacementOpBuilder::build(RewriteRule rule) && {
  rule.framework_names = pass_.phase == Phase::extraction || pass_.phase == Phase::front;
  if (checks_name_) pass_.ops = rule.root_types;
  pass_.run = runner({std::move(rule)});
  return std::move(pass_);
}

Expected<bool> run_rules(const std::vector<RewriteRule>& rules, Graph& graph, PassContext& context) {
  context.search.searched = true;
  RuleIndex index(rules);
  if (!index.may_match(graph)) return false;
  Rewriter rewriter(graph);
  std::size_t budget = 1000 + 10 * graph.node_count();
  std::deque<Node> again;
  bool changed = false;

  const auto visit = [&](const Node& node) -> Expected<void> {
    if (!node.alive() || node.out_port_count() == 0 || !index.may_match(node)) return {};
    for (const RewriteRule& rule : rules) {
      if (!index.fits(rule, node)) continue;
      const auto match = match_rule(rule, node);
      if (!match) continue;
      context.search.found = true;
      Replacement replacement = rule.replace(*match, rewriter, context);
      if (auto& error = replacement.error()) return std::move(*error).at_node(name_for_user(node), node.type());
      if (replacement.is_declined()) {
        // A replacer that made nodes and then declined leaves them dead.
        for (const Node& made : rewriter.take_created()) erase_if_dead(made);
        if (rewriter.error()) return node.describe(*rewriter.error());
        continue;
      }
      const std::string name = name_for_user(node);  // the node is gone afterwards
      if (!rewriter.error()) rewriter.replace(node, replacement.outputs(), match->nodes());
      if (rewriter.error()) return Error(*rewriter.error()).at_node(name);
      changed = true;
      if (budget-- == 0)
        return error("MO-PASS-0004", "{} keeps changing the graph", rule.name)
            .hint("two rules undo each other; disable one with --disable-pass")
            .at_node(name);
      for (const Node& made : rewriter.take_created()) again.push_back(made);
      for (const Node& touched : rewriter.take_touched()) again.push_back(touched);
      return {};
    }
    return {};
  };

  const std::uint32_t end = graph.node_capacity();  // newer nodes come through `again`
  for (std::uint32_t i = 0; i < end; ++i) {
    const Node node = graph.node(NodeId{i});
    if (node.alive()) MO_TRY(visit(node));
    while (!again.empty()) {
      const Node next = again.front();
      again.pop_front();
      MO_TRY(visit(next));
    }
  }
  return changed;
}

namespace {

Expected<bool> run_on(const Pass& pass, Graph& graph, PassContext& context) {
  try {
    auto result = pass.run(graph, context);
    // The steps of phase finish change types in several passes, behind which all is inferred at once.
    if (pass.phase != Phase::middle && pass.phase != Phase::back)
      graph.take_edited();
    else if (result)
      MO_TRY(infer_edited(graph));
    return result;
  } catch (const Misuse&) { return caught_exception(fmt::format("pass {}", pass.name)); }
}

}  // namespace

Expected<bool> run_pass(const Pass& pass, Graph& graph, PassContext& context) {
  // Graphs with the bodies behind their owners; run from the back, so inner ones come first.
  const std::vector<Graph*> graphs = pass.into_bodies ? with_bodies(graph) : std::vector<Graph*>{&graph};
  bool changed = false;
  for (auto it = graphs.rbegin(); it != graphs.rend(); ++it) {
    if (pass.condition && !pass.condition(**it, context)) continue;
    auto result = run_on(pass, **it, context);
    if (!result) return std::move(result).error().in_phase(fmt::format("{}, while running {}", to_string(pass.phase), pass.name));
    changed = changed || *result;
  }
  return changed;
}

}  // namespace mo
