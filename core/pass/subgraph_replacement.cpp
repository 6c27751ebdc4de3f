#include "core/pass/subgraph_replacement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/dead_nodes.hpp"
#include "core/inference/infer.hpp"
#include "core/pass/replacement_check.hpp"
#include "core/pass/replacer_call.hpp"

namespace mo {
namespace {

Diagnostic no_such_port(const AliasPort& place, std::string_view what) {
  return error("MO-PASS-0014", "{} {} of \"{}\" does not exist", what, place.port, place.alias)
      .hint("correct input_edges_match and output_edges_match of the replacer");
}

Expected<Node> node_of(const std::map<std::string, Node, std::less<>>& nodes, const AliasPort& place,
                       std::string_view what) {
  const auto it = nodes.find(place.alias);
  if (it == nodes.end()) return no_such_port(place, what);
  return it->second;
}

/// What `input_edges_match` and `output_edges_match` ask for.
Expected<void> connect(const AliasMatch& match, const GeneratedSubgraph& made, const PortMapping& inputs,
                       const PortMapping& outputs, Rewriter& rw) {
  for (const auto& [from, to] : inputs) {
    MO_ASSIGN(const Node old, node_of(match.by_alias(), from, "input"));
    MO_ASSIGN(const Node node, node_of(made, to, "input"));
    if (from.port >= old.in_port_count()) return no_such_port(from, "input");
    if (const Value source = old.input(from.port)) rw.set_input(node, to.port, source);
  }
  for (const auto& [from, to] : outputs) {
    MO_ASSIGN(const Node old, node_of(match.by_alias(), from, "output"));
    MO_ASSIGN(const Node node, node_of(made, to, "output"));
    if (from.port >= old.out_port_count()) return no_such_port(from, "output");
    if (to.port >= node.out_port_count()) return no_such_port(to, "output");
    rw.replace_uses(old.out_port(from.port), node.out_port(to.port));
    if (from.port == 0 && node.name().empty()) node.set_name(old.name());
  }
  return {};
}

/// Ops that the author of a pattern names.
std::vector<std::string> named_ops(const SubgraphPattern& pattern) {
  std::vector<std::string> names;
  for (const SubgraphNode& node : pattern.nodes)
    for (const AttributeConstraint& constraint : node.attributes)
      if (const auto* wanted = std::get_if<AttributeValue>(&constraint.wanted);
          wanted && (constraint.name == "op" || constraint.name == "type"))
        if (const auto* name = wanted->get_if<std::string>()) names.push_back(*name);
  return names;
}

}  // namespace

Pass SubgraphReplacementBuilder::build(Replace replace) && {
  // The anchors are passes of phase extraction; other phases have no passes of these names.
  if (pass_.phase == Phase::extraction) {
    pass_.after.emplace_back(kConfigReplacementFinish);
    pass_.before.emplace_back(kControlFlowStart);
  }
  pattern_.framework_names = pass_.phase == Phase::extraction || pass_.phase == Phase::front;
  if (checks_names_) pass_.ops = named_ops(pattern_);
  pass_.run = [name = pass_.name, pattern = std::move(pattern_), replace = std::move(replace)](
                  Graph& graph, PassContext& context) -> Expected<bool> {
    context.search.searched = true;
    MO_ASSIGN(const std::vector<AliasMatch> matches, find_subgraphs(graph, pattern, &context.search.why));
    if (context.explain)
      context.explain({.why = matches.empty() ? context.search.why : fmt::format("{} matches", matches.size())});
    if (matches.empty()) return false;
    context.search.found = true;
    const ReplacementCheck check(graph, name);
    bool changed = false;
    for (const AliasMatch& match : matches) {
      if (!match.alive()) continue;  // an earlier replacement, or another symmetry of this one
      Rewriter rewriter(graph);
      auto done = run_replacer<Expected<bool>>(name, [&] { return replace(match, rewriter, context); });
      if (!done) return std::move(done).error().at_node(match.by_alias().begin()->second.name());
      const bool replaced = *done;
      if (rewriter.error()) return Error(*rewriter.error());
      const std::vector<Node> made = rewriter.take_created();
      if (replaced) {
        changed = true;
        // They are not nodes of the framework, whatever they replace.
        for (const Node& node : made) node.set_origin(Origin());
        remove_unread(graph, match.nodes());
      }
      for (const Node& node : made)
        if (node.alive()) erase_if_dead(node);
    }
    if (changed) MO_TRY(check.finish());
    return changed;
  };
  return std::move(pass_);
}

Pass SubgraphReplacementBuilder::build() && {
  Replace replace = [generate = std::move(generate_), inputs = std::move(inputs_), outputs = std::move(outputs_),
                     remove = std::move(remove_)](const AliasMatch& match, Rewriter& rw,
                                                  PassContext&) -> Expected<bool> {
    if (!generate)
      return error("MO-PASS-0013", "the replacer generates nothing")
          .hint("give it generate_sub_graph or replace_sub_graph");
    MO_ASSIGN(const GeneratedSubgraph made, generate(match, rw));
    if (made.empty()) return false;  // it declined
    MO_TRY(connect(match, made, inputs ? inputs(match, made) : PortMapping(),
                   outputs ? outputs(match, made) : PortMapping(), rw));
    for (const auto& [name, node] : made)
      for (const auto& [alias, old] : match.by_alias()) node.add_sources_of(old);
    if (remove) remove_unread(rw.graph(), remove(match));
    return true;
  };
  return std::move(*this).build(std::move(replace));
}

Pass force_clean_up(Pass pass) {
  pass.run = [run = std::move(pass.run)](Graph& graph, PassContext& context) -> Expected<bool> {
    MO_ASSIGN(const bool changed, run(graph, context));
    if (changed) remove_dead_nodes(graph);
    return changed;
  };
  return pass;
}

Pass force_shape_inference(Pass pass) {
  pass.run = [run = std::move(pass.run)](Graph& graph, PassContext& context) -> Expected<bool> {
    MO_ASSIGN(const bool changed, run(graph, context));
    if (changed) MO_TRY(infer_graph(graph));
    return changed;
  };
  return pass;
}

}  // namespace mo
