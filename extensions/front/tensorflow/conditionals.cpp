#include <algorithm>
#include <functional>
#include <map>

#include "core/pass/graph_copier.hpp"
#include "extensions/front/tensorflow/support/graphs.hpp"
#include "ops/if.hpp"

namespace mo::front::tensorflow {
namespace {

/// "Only where this predicate is true (or false)."
struct Guard {
  ValueId predicate;
  std::size_t side = 0;  ///< output of the Switch: 0 false, 1 true
  auto operator<=>(const Guard&) const = default;
};
using Guards = std::vector<Guard>;  ///< sorted

bool contains(const Guards& guards, const Guard& guard) {
  return std::binary_search(guards.begin(), guards.end(), guard);
}

Guards united(const Guards& a, const Guards& b) {
  Guards all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Guards common(const Guards& a, const Guards& b) {
  Guards both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// The value of a predicate that does not depend on inputs.
std::optional<bool> known_truth(const Value& value, int depth = 0) {
  constexpr int kMostSteps = 16;
  const Value predicate = plain(value);
  if (!predicate || depth == kMostSteps) return std::nullopt;
  if (const auto number = constant_integer(predicate)) return *number != 0;
  const Node node = predicate.node();
  if (is_operator(node, {"LogicalNot"})) {
    const auto inner = known_truth(node.input(0), depth + 1);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  const bool is_and = is_operator(node, {"LogicalAnd"});
  if (!is_and && !is_operator(node, {"LogicalOr"})) return std::nullopt;
  const auto a = known_truth(node.input(0), depth + 1);
  const auto b = known_truth(node.input(1), depth + 1);
  // One false decides an And, one true an Or.
  if ((a && *a != is_and) || (b && *b != is_and)) return !is_and;
  return a && b ? std::optional(is_and) : std::nullopt;
}

/// Conditionals inside of each other.
constexpr std::size_t kMostGuards = 64;

Diagnostic malformed(const Node& merge, std::string_view what) {
  return merge.error("MO-TF-0753", "the Merge '{}' does not end a conditional: {}", merge.name(), what)
      .hint(
          "a Merge joins the two sides of a Switch; cut before or after the whole conditional, or export the model "
          "again");
}

// -- predicates that are constants ------------------------------------------------------------------------------------

/// The tensors that are never made, because they depend on the side of a Switch that is not taken.
class DeadSide {
 public:
  explicit DeadSide(Graph& graph) : graph_(graph), dead_(graph.value_capacity()) {}

  Expected<bool> run() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    bool changed = false;
    for (const Node& node : order) {
      if (is_switch(node)) MO_TRY(resolve_switch(node, changed));
      if (is_merge(node)) {
        MO_TRY(resolve_merge(node));
        continue;
      }
      if (!is_dead(node)) continue;
      if (node.is<Result>())
        return node.error("MO-TF-0754", "output '{}' is in a branch of a conditional that is never taken", node.name())
            .hint("ask for another output with --output, or give the predicate another value");
      for (const OutPort& port : node.out_ports()) dead_[port.id().index] = 1;
    }
    return changed;
  }

 private:
  bool is_dead(const Value& value) const {
    return value && value.id().index < dead_.size() && dead_[value.id().index] != 0;
  }
  bool is_dead(const Node& node) const {
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (is_dead(node.input(i))) return true;
    const std::vector<Node> before = node.control_inputs();
    return std::any_of(before.begin(), before.end(), [&](const Node& b) {
      return !is_switch(b) && b.out_port_count() > 0 && is_dead(b.out_port(0));
    });
  }

  Expected<void> resolve_switch(const Node& node, bool& changed) {
    if (node.in_port_count() != 2 || !node.input(0) || is_dead(node)) return {};
    const auto truth = known_truth(node.input(1));
    if (!truth) return {};
    changed = true;
    const std::size_t taken = *truth ? 1 : 0;
    if (taken < node.out_port_count()) {
      // Pivots stay apart from the data: what hangs on them by control edges reads them as before.
      MO_TRY(node.out_port(taken).get_connection().set_source(node.input(0)));
    }
    if (1 - taken < node.out_port_count()) dead_[node.out_port(1 - taken).id().index] = 1;
    return {};
  }

  /// A Merge of which one input is alive is that input.
  Expected<void> resolve_merge(const Node& node) {
    std::vector<std::size_t> alive;
    bool any_dead = false;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      if (!node.input(i)) continue;
      if (is_dead(node.input(i)))
        any_dead = true;
      else
        alive.push_back(i);
    }
    if (!any_dead) return {};
    if (alive.empty()) {
      for (const OutPort& port : node.out_ports()) dead_[port.id().index] = 1;
      return {};
    }
    if (alive.size() > 1) return {};  // more than two branches: the others are alive under other predicates
    const Value only = node.input(alive.front());
    if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) {
      const Node index =
          graph_.create_constant(Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(alive.front())), "");
      MO_TRY(node.out_port(1).get_connection().set_source(index.output()));
    }
    MO_TRY(node.out_port(0).get_connection().set_source(only));
    return {};
  }

  Graph& graph_;
  std::vector<std::uint8_t> dead_;
};

// -- predicates that are computed -------------------------------------------------------------------------------------

/// A Merge of two sides of one predicate.
struct Join {
  Node merge;
  Value predicate;
  Guards outer;                      ///< guards of the result
  std::size_t depth = 0;             ///< length of the chain of Merges up to here
  std::size_t input_of[2] = {0, 0};  ///< which input comes from the false side, which from the true side
};

/// Under which guards each tensor is made.
class GuardAnalysis {
 public:
  Expected<void> run(const Graph& graph) {
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    guards_.assign(graph.node_capacity(), 0);
    depth_.assign(graph.node_capacity(), 0);
    for (const Node& node : order) MO_TRY(visit(node));
    return {};
  }

  Guards of(const Value& value) const {
    const Guards& inherited = sets_[guards_[value.node().id().index]];
    return is_switch(value.node()) ? united(inherited, {{predicate_of(value.node()).id(), value.index()}}) : inherited;
  }
  const std::vector<Join>& joins() const { return joins_; }
  static Value predicate_of(const Node& switch_node) { return plain(switch_node.input(1)); }

 private:
  Expected<void> visit(const Node& node) {
    if (is_switch(node) && (node.in_port_count() != 2 || !node.input(0) || !node.input(1)))
      return node.error("MO-TF-0753", "the Switch '{}' has no data or no predicate", node.name())
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    std::size_t depth = 0;
    Guards all;
    const auto take = [&](const Value& source, bool control) {
      depth = std::max(depth, depth_[source.node().id().index]);
      if (const Guards guards = control && is_switch(source.node()) ? Guards() : of(source); !guards.empty())
        all = united(all, guards);
    };
    const bool merges = is_merge(node);
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i)) take(node.input(i), false);
    if (!merges)
      for (const Node& before : node.control_inputs())
        if (before.out_port_count() > 0) take(before.out_port(0), true);
    if (merges) {
      MO_ASSIGN(Join join, join_at(node));
      join.depth = ++depth;
      all = join.outer;
      joins_.push_back(std::move(join));
    }
    if (all.size() > kMostGuards)
      return node.error("MO-TF-0758", "'{}' is inside of more than {} conditionals", node.name(), kMostGuards)
          .hint("simplify the model");
    depth_[node.id().index] = depth;
    guards_[node.id().index] = intern(all);
    return {};
  }

  Expected<Join> join_at(const Node& merge) {
    if (merge.in_port_count() != 2 || !merge.input(0) || !merge.input(1))
      return malformed(merge, "it does not have two inputs");
    const Guards first = of(merge.input(0));
    const Guards second = of(merge.input(1));
    for (const Guard& guard : first) {
      if (!contains(second, {guard.predicate, 1 - guard.side})) continue;
      Join join;
      join.merge = merge;
      join.predicate = Value(&merge.graph(), guard.predicate);
      join.outer = common(first, second);
      join.input_of[guard.side] = 0;
      join.input_of[1 - guard.side] = 1;
      return join;
    }
    return malformed(merge, "its inputs are not the two sides of a Switch");
  }

  std::uint32_t intern(const Guards& guards) {
    const auto [place, is_new] = ids_.try_emplace(guards, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(guards);
    return place->second;
  }

  std::vector<Guards> sets_ = {{}};
  std::map<Guards, std::uint32_t> ids_ = {{{}, 0}};
  std::vector<std::uint32_t> guards_;
  std::vector<std::size_t> depth_;
  std::vector<Join> joins_;
};

/// Copies what one side makes into a body.
class Branch {
 public:
  Branch(const GuardAnalysis& analysis, const Guard& guard, std::vector<Value>& inputs)
      : guard_(guard), inputs_(inputs), copier_(body.graph()) {
    copier_.ask([this, &analysis](const Value& value) -> Expected<Value> {
      const Node node = value.node();
      if (is_switch(node) && GuardAnalysis::predicate_of(node).id() == guard_.predicate) {
        if (value.index() != guard_.side) return malformed(node, "a branch reads the other side of its Switch");
        return input(node.input(0));
      }
      if (node.is<Const>() || contains(analysis.of(value), guard_)) return Value();
      return input(value);  // made outside
    });
    keep_branches(copier_);
  }

  Expected<void> add_result(const Value& value) {
    MO_ASSIGN(const Value copied, copier_.copy(value));
    add_made(copied);
    return {};
  }
  void add_made(const Value& value) {
    ops::OutputMap map;
    map.output = map.result = static_cast<std::int64_t>(output_map.size());
    output_map.push_back(map);
    body.graph().create_result(value);
  }

  Body body;
  std::vector<ops::InputMap> input_map;
  std::vector<ops::OutputMap> output_map;

 private:
  Value input(const Value& outside) {
    if (const auto known = parameters_.find(outside.id()); known != parameters_.end()) return known->second;
    // Axes, shapes and weights are known in a branch as they were outside.
    if (const auto* constant = plain(outside).node().as<Const>(); constant && !constant->value.empty())
      return parameters_[outside.id()] =
                 body.graph().create_constant(constant->value, plain(outside).node().name()).output();
    const auto at = std::find(inputs_.begin(), inputs_.end(), outside);
    ops::InputMap map;
    map.input = at - inputs_.begin();
    map.parameter = static_cast<std::int64_t>(input_map.size());
    if (at == inputs_.end()) inputs_.push_back(outside);
    input_map.push_back(map);
    const Node parameter = body.graph().create_parameter(constant_type(outside), outside.node().name());
    return parameters_[outside.id()] = parameter.output();
  }

  Guard guard_;
  std::vector<Value>& inputs_;
  std::map<ValueId, Value> parameters_;
  GraphCopier copier_;
};

/// Merges that belong to one conditional -> If.
Expected<void> make_if(Graph& graph, const GuardAnalysis& analysis, const std::vector<Join>& joins) {
  std::vector<Value> inputs = {joins.front().predicate};
  Branch branches[2] = {{analysis, {joins.front().predicate.id(), 0}, inputs},
                        {analysis, {joins.front().predicate.id(), 1}, inputs}};
  std::vector<OutPort> replaced;
  const Node first = joins.front().merge;
  for (const Join& join : joins) {
    replaced.push_back(join.merge.out_port(0));
    for (std::size_t side = 0; side < 2; ++side)
      MO_TRY(branches[side].add_result(join.merge.input(join.input_of[side])));
    if (join.merge.out_port_count() < 2 || join.merge.out_port(1).disconnected()) continue;
    replaced.push_back(join.merge.out_port(1));
    for (std::size_t side = 0; side < 2; ++side) {
      const auto index = static_cast<std::int32_t>(join.input_of[side]);
      branches[side].add_made(branches[side].body.graph().create_constant(Tensor::scalar(index)).output());
    }
  }
  ops::If op;
  op.else_body = std::move(branches[0].body);
  op.else_input_map = std::move(branches[0].input_map);
  op.else_output_map = std::move(branches[0].output_map);
  op.then_body = std::move(branches[1].body);
  op.then_input_map = std::move(branches[1].input_map);
  op.then_output_map = std::move(branches[1].output_map);
  const Node made = graph.create_node(std::move(op), inputs, replaced.size(), first.name());
  made.set_origin({.framework = "TensorFlow", .part = "conditional"});
  for (const Join& join : joins) made.add_sources_of(join.merge);
  for (std::size_t i = 0; i < replaced.size(); ++i) MO_TRY(replaced[i].get_connection().set_source(made.out_port(i)));
  return {};
}

/// Switch and Merge -> If, the innermost conditionals of the graph in each round.
Expected<bool> convert_conditionals(Graph& graph, PassContext&) {
  if (!has_any(graph, {"tf::Switch", "tf::RefSwitch", "tf::Merge", "tf::RefMerge"})) return false;
  DeadSide dead(graph);
  MO_ASSIGN(bool changed, dead.run());
  if (changed) remove_unreachable(graph);
  while (has_any(graph, {"tf::Merge", "tf::RefMerge"})) {
    GuardAnalysis analysis;
    MO_TRY(analysis.run(graph));
    std::size_t innermost = 0;
    for (const Join& join : analysis.joins()) innermost = std::max(innermost, join.outer.size());
    // Merges at the same depth do not depend on each other, so one If can make all of them. The deepest come first:
    // what the analysis knows of the Merges they read, also as their predicates, still holds then.
    std::map<std::tuple<std::size_t, ValueId, Guards>, std::vector<Join>, std::greater<>> groups;
    for (const Join& join : analysis.joins())
      if (join.outer.size() == innermost) groups[{join.depth, join.predicate.id(), join.outer}].push_back(join);
    if (groups.empty()) break;
    for (const auto& [key, joins] : groups) MO_TRY(make_if(graph, analysis, joins));
    for (const auto& [key, joins] : groups)
      for (const Join& join : joins) graph.erase(join.merge);
    changed = true;
    remove_unreachable(graph);
  }
  return changed;
}

/// Switch(x, p) -> x, x: nothing joins the sides, so each reader of a side needs its value.
Replacement bypass_switch(const Node& node, Rewriter&) { return Outputs(node.out_port_count(), node.input(0)); }

}  // namespace

void register_conditionals(PassRegistry& passes) {
  // Before all decompositions: control edges of a branch start at Identities after a Switch.
  passes.add(graph_pass("TfConditionals")
                 .phase(Phase::extraction)
                 .run_after({"FreezeInputs", "TfFrames"})
                 .run(convert_conditionals));
  passes.add(graph_rewrite("TfSwitch")
                 .phase(Phase::extraction)
                 .run_after({"TfConditionals"})
                 .add(structural_rule({"tf::Switch", "tf::RefSwitch"}, 1, bypass_switch)));
}

}  // namespace mo::front::tensorflow
