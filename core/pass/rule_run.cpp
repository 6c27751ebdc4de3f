#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/diagnostics/misuse.hpp"
#include "core/graph/op_walk.hpp"
#include "core/pass/framework_names.hpp"
#include "core/pass/pass.hpp"
#include "core/pass/pass_config.hpp"
#include "core/pass/replacer_call.hpp"
#include "core/support/budget.hpp"

namespace mo {
namespace {

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The rules of a pass by the op that they start from.
class RuleIndex {
 public:
  RuleIndex(const std::vector<RewriteRule>& rules, const Graph& graph, bool all)
      : rules_(rules), graph_(graph), all_(all), possible_(rules.size()) {
    for (const RewriteRule& rule : rules) {
      by_framework_name_ = by_framework_name_ || rule.framework_names;
      everywhere_ = everywhere_ || rule.root_types.empty();
      all_once_ = all_once_ && rule.once;
    }
    look_again();
  }

  /// Whether any rule can match anywhere: most passes find none in most models.
  bool may_match() const { return std::find(possible_.begin(), possible_.end(), true) != possible_.end(); }
  /// Whether the ops of nodes do not tell which nodes rules start from.
  bool walks_everything() const { return everywhere_ || by_framework_name_; }
  /// Whether nothing that the rules make is looked at again.
  bool all_once() const { return all_once_; }

  bool is_root(const OpType& type) const {
    return std::any_of(rules_.begin(), rules_.end(),
                       [&](const RewriteRule& rule) { return is_among(rule.root_types, type.name); });
  }

  /// Of the deepest pattern; most runs find nothing, and do not ask.
  std::size_t depth() const {
    if (!depth_) {
      depth_ = 0;
      for (const RewriteRule& rule : rules_)
        if (rule.matcher) depth_ = std::max(*depth_, rule.matcher->depth());
    }
    return *depth_;
  }

  /// The rules that may match at `node`, in their order.
  const std::vector<const RewriteRule*>& at(const Node& node) {
    if (arrivals_ != graph_.op_arrivals()) look_again();
    const OpType* type = &node.op_type();
    if (by_framework_name_) {  // nodes of one op may be of several operators
      const std::string_view name = framework_op_name(node);
      return name.empty() ? of_type(type) : found_ = fitting(type->name, name);
    }
    return of_type(type);
  }

 private:
  const std::vector<const RewriteRule*>& of_type(const OpType* type) {
    if (type != last_type_) {  // neighbours are often of one op
      const auto [it, is_new] = by_type_.try_emplace(type);
      if (is_new) it->second = fitting(type->name, {});
      last_type_ = type;
      last_ = &it->second;
    }
    return *last_;
  }

  std::vector<const RewriteRule*> fitting(std::string_view op, std::string_view framework_name) const {
    std::vector<const RewriteRule*> found;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const RewriteRule& rule = rules_[i];
      if (!possible_[i]) continue;
      if (rule.root_types.empty() || is_among(rule.root_types, op) ||
          (rule.framework_names && is_among(rule.root_types, framework_name)))
        found.push_back(&rule);
    }
    return found;
  }

  /// What the ops of the graph allow. New ops may enable more rules; removed ops only cost a lookup.
  void look_again() {
    arrivals_ = graph_.op_arrivals();
    for (std::size_t i = 0; i < rules_.size(); ++i) possible_[i] = possible_[i] || may_match(rules_[i]);
    by_type_.clear();
    last_type_ = nullptr;
  }

  bool may_match(const RewriteRule& rule) const {
    const auto has_root = [&](const std::string& type) { return graph_.has_op(type); };
    const bool rooted =
        rule.root_types.empty() || std::any_of(rule.root_types.begin(), rule.root_types.end(), has_root);
    if (rooted && (all_ || !rule.matcher || rule.matcher->may_occur_in(graph_))) return true;
    if (!rule.framework_names) return false;
    const auto is_wanted = [&](std::string_view name) { return is_among(rule.root_types, without_domain(name)); };
    return graph_.has_op_type([&](const OpType& type) { return type.dynamic && is_wanted(type.name); }) ||
           graph_.has_origin([&](const Origin& origin) { return !origin.derived && is_wanted(origin.op); });
  }

  const std::vector<RewriteRule>& rules_;
  const Graph& graph_;
  mutable std::optional<std::size_t> depth_;
  bool all_;  ///< also rules that cannot match: the reason is requested
  std::vector<bool> possible_;
  bool everywhere_ = false;
  bool by_framework_name_ = false;
  bool all_once_ = true;
  std::uint32_t arrivals_ = 0;
  std::unordered_map<const OpType*, std::vector<const RewriteRule*>> by_type_;
  const OpType* last_type_ = nullptr;
  const std::vector<const RewriteRule*>* last_ = nullptr;
  std::vector<const RewriteRule*> found_;
};

std::optional<Match> match_rule(const RewriteRule& rule, const Node& node, PartialMatch* deepest) {
  static const Matcher kAnyTensor(pattern::any());
  const Matcher& matcher = rule.matcher ? *rule.matcher : kAnyTensor;
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    if (auto match = matcher.match(node.out_port(i), deepest)) return match;
  return std::nullopt;
}

/// A node that a pass made is named by what it was made of.
std::string name_for_user(const Node& node) {
  if (!node.name().empty()) return std::string(node.name());
  const std::vector<std::string_view> sources = node.sources();
  return sources.empty() ? std::string() : std::string(sources.front());
}

/// The one place where the callbacks of the configuration are asked: that of the rule, of the pass that it is of, of
/// the pass that runs.
bool is_kept(const PassContext& context, std::string_view rule, std::string_view pass, const Node& node) {
  if (!context.config || !context.config->leaves_alone({rule, pass, context.pass}, node)) return false;
  if (context.explain)
    context.explain({{},
                     rule,
                     name_for_user(node),
                     node.type(),
                     RuleVerdict::Outcome::declined,
                     0,
                     "the configuration leaves this node alone"});
  return true;
}

/// One run of rules over one graph.
class RuleRun {
 public:
  RuleRun(const std::vector<RewriteRule>& rules, Graph& graph, PassContext& context)
      : graph_(graph),
        context_(context),
        rewriter_(graph),
        index_(rules, graph, static_cast<bool>(context.explain)),
        rule_count_(rules.size()) {
    if (context.readers_wait) rewriter_.let_types_change();
  }

  Expected<bool> run_in_order(bool backward) {
    context_.search.searched = true;
    if (!index_.may_match()) return false;
    budget_ = 1000 + 10 * graph_.node_count();
    MO_ASSIGN(std::vector<Node> nodes, graph_.topological_order());
    if (backward) std::reverse(nodes.begin(), nodes.end());
    for (const Node& node : nodes) MO_TRY(visit_with_followers(node));
    MO_TRY(visit_far_readers());
    return changed_;
  }

  Expected<bool> run_at(const Node& node) {
    budget_ = 1;
    MO_TRY(visit(node));
    return changed_;
  }

  Expected<bool> run() {
    context_.search.searched = true;
    if (!index_.may_match()) return false;
    budget_ = 1000 + 10 * graph_.node_count();
    if (index_.walks_everything()) {
      const std::uint32_t end = graph_.node_capacity();  // newer nodes come through `again_`
      for (std::uint32_t i = 0; i < end; ++i) MO_TRY(visit_with_followers(graph_.node(NodeId{i})));
    } else {
      OpWalk walk(graph_, [this](const OpType& type) { return index_.is_root(type); });
      if (!index_.all_once()) {
        while (const Node node = walk.next()) MO_TRY(visit_with_followers(node));
      } else {
        std::vector<Node> places;
        while (const Node node = walk.next()) places.push_back(node);
        for (const Node& node : places) MO_TRY(visit_with_followers(node));
      }
    }
    MO_TRY(visit_far_readers());
    return changed_;
  }

 private:
  /// A change may make a pattern match whose root is several readers away. Such roots are visited when all else is
  /// done, once for all changes until then, so that a tensor with many readers does not cost as many visits for each
  /// change before it. What changes then has far readers in its turn.
  Expected<void> visit_far_readers() {
    while (!edited_.empty()) {
      for (const Node& node : within_reach(std::exchange(edited_, {}))) MO_TRY(visit_with_followers(node));
    }
    return {};
  }

  /// `edited` and the nodes that read it, as far away as the deepest pattern reaches, in the order of their distance.
  std::vector<Node> within_reach(const std::vector<Node>& edited) const {
    std::unordered_set<NodeId> known;
    std::vector<Node> found;
    for (const Node& node : edited)
      if (node.alive() && known.insert(node.id()).second) found.push_back(node);
    for (std::size_t distance = 1, begin = 0; distance < index_.depth(); ++distance) {
      for (const std::size_t end = found.size(); begin < end; ++begin)
        for (const OutPort& port : found[begin].out_ports())
          for (const InPort& reader : port.get_destinations())
            if (known.insert(reader.node().id()).second) found.push_back(reader.node());
    }
    return found;
  }

  Expected<void> visit_with_followers(const Node& node) {
    MO_TRY(visit(node));
    while (!again_.empty()) {
      const Node next = again_.front();
      again_.pop_front();
      MO_TRY(visit(next));
    }
    return {};
  }

  Expected<void> visit(const Node& node) {
    if (!node.alive() || node.out_port_count() == 0) return {};
    const std::vector<const RewriteRule*>& found = index_.at(node);
    if (found.empty()) return {};
    MO_TRY(spend(work::kVisitNode * found.size()));
    // a rule that declines may have made nodes of ops that are new
    const std::vector<const RewriteRule*> rules = found;
    for (const RewriteRule* rule : rules) {
      MO_ASSIGN(const bool replaced, apply(*rule, node));
      if (replaced) return {};
    }
    return {};
  }

  Expected<bool> apply(const RewriteRule& rule, const Node& node) {
    PartialMatch deepest;
    const auto match = match_rule(rule, node, context_.explain ? &deepest : nullptr);
    if (!match) {
      if (context_.explain)
        tell(rule, name_for_user(node), node.type(), RuleVerdict::Outcome::no_match, deepest.describe(),
             deepest.fitted);
      return false;
    }
    context_.search.found = true;
    if (is_kept(context_, rule.name, rule.pass, node)) return false;
    Replacement replacement = replacement_of(rule, *match, node);
    if (auto& error = replacement.error()) return std::move(*error).at_node(name_for_user(node), node.type());
    if (replacement.is_declined()) {
      // A replacer that made nodes and then declined leaves them dead.
      for (const Node& made : rewriter_.take_created()) erase_if_dead(made);
      if (rewriter_.error()) return node.describe(*rewriter_.error());
      if (context_.explain)
        tell(rule, name_for_user(node), node.type(), RuleVerdict::Outcome::declined, std::string(replacement.reason()));
      return false;
    }
    const std::string name = name_for_user(node);  // the node is gone afterwards
    const std::string op(node.type());
    if (!rewriter_.error()) rewriter_.replace(node, replacement.outputs(), match->nodes());
    if (rewriter_.error()) return Error(*rewriter_.error()).at_node(name);
    changed_ = true;
    if (context_.explain) tell(rule, name, op, RuleVerdict::Outcome::replaced, {});
    if (budget_-- == 0)
      return error("MO-PASS-0004", "{} keeps changing the graph", rule.name)
          .hint("{}", rule_count_ > 1 ? "two rules undo each other; disable one with --disable-pass"
                                      : "its result matches again: decline there, or use a front_replacement_op, which "
                                        "finds all matches first")
          .at_node(name);
    for (const Node& made : rewriter_.take_created())
      if (!rule.once) look_again_at(made);
    for (const Node& touched : rewriter_.take_touched())
      if (!rule.once) look_again_at(touched);
    return true;
  }

  /// What the rule returns, after a look at it.
  Replacement replacement_of(const RewriteRule& rule, const Match& match, const Node& node) {
    return run_replacer<Replacement>(context_.pass, [&] {
      Replacement replacement = rule.replace(match, rewriter_, context_);
      if (replacement.is_declined() || replacement.error()) return replacement;
      const Outputs& outputs = replacement.outputs();
      const OpType& type = node.op_type();
      if (const std::size_t has = std::max<std::size_t>(node.out_port_count(), type.traits.outputs);
          outputs.size() > has && knows_outputs(type))
        throw Misuse(fmt::format("{} values were returned for a {}, which has {} output{}", outputs.size(), type.name,
                                 has, has == 1 ? "" : "s"));
      return replacement;
    });
  }
  /// An operator of a framework may have more outputs than its node in the model.
  static bool knows_outputs(const OpType& type) { return !type.dynamic && type.traits.outputs != 0; }

  void look_again_at(const Node& node) {
    again_.push_back(node);
    if (index_.depth() > 1) edited_.push_back(node);
  }

  void tell(const RewriteRule& rule, std::string_view node, std::string_view op, RuleVerdict::Outcome outcome,
            std::string why, std::size_t fitted = 0) {
    context_.explain({{}, rule.name, node, op, outcome, fitted, std::move(why)});
  }

  Graph& graph_;
  PassContext& context_;
  Rewriter rewriter_;
  RuleIndex index_;
  std::size_t rule_count_;
  std::size_t budget_ = 0;
  std::deque<Node> again_;
  std::vector<Node> edited_;  ///< made or touched since far readers were last visited
  bool changed_ = false;
};

}  // namespace

bool PassContext::skips(const Node& node) const { return is_kept(*this, pass, pass, node); }

Expected<bool> run_rules(const std::vector<RewriteRule>& rules, Graph& graph, PassContext& context, RuleOrder order) {
  RuleRun run(rules, graph, context);
  return order == RuleOrder::creation ? run.run() : run.run_in_order(order == RuleOrder::backward);
}

Expected<bool> apply_rules(const std::vector<RewriteRule>& rules, const Node& node, PassContext& context) {
  return RuleRun(rules, node.graph(), context).run_at(node);
}

}  // namespace mo
