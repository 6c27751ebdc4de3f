#include "extensions/config/config_replacement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/graph/model_ends.hpp"
#include "core/pass/replacement_check.hpp"
#include "core/pass/replacer_call.hpp"
#include "core/support/log.hpp"
#include "extensions/config/matching.hpp"

namespace mo {
namespace {

using config::Descriptor;

/// An error of a replacer says whose it is.
Error of_descriptor(Error error, const Descriptor& descriptor, const SubgraphMatch* match) {
  for (Diagnostic& d : error.items()) {
    if (d.location.empty()) d.location = descriptor.location;
    d.notes.push_back(fmt::format("while replacing the sub-graph of \"{}\"{}", descriptor.replacement_id,
                                  match && !match->scope().empty() ? fmt::format(", scope {}", match->scope()) : ""));
  }
  return error;
}

/// Readers of `old` read `by`, apart from new nodes, which may be made of it.
void move_readers(const Value& old, const Value& by, const std::vector<Node>& made, Rewriter& rw) {
  std::vector<InPort> stay;
  for (const InPort& reader : old.get_destinations())
    if (std::find(made.begin(), made.end(), reader.node()) != made.end()) stay.push_back(reader);
  rw.replace_uses(old, by);
  for (const InPort& reader : stay)
    if (auto done = reader.connect(old); !done) rw.fail(std::move(done).error());
}

/// Results that only an output without a replacement fed.
Expected<void> drop_results(const SubgraphMatch& match, std::size_t number, const Value& old) {
  for (const InPort& reader : old.get_destinations()) {
    if (match.contains(reader.node())) continue;
    if (!reader.node().is<Result>())
      return reader.node()
          .error("MO-PASS-0002", "output {} of the sub-graph is still read, but its replacement is missing", number)
          .hint("return one value for every output that is read");
    match.graph().erase(reader.node());
  }
  return {};
}

Expected<void> connect_outputs(const SubgraphMatch& match, const Outputs& outputs, const std::vector<Node>& made,
                               Rewriter& rw) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] && !match.outputs().contains(i)) MO_TRY(match.output_node(i));
  for (const auto& [i, place] : match.outputs()) {
    if (!place.node.alive()) continue;
    const Value old = place.out_port();
    if (i >= outputs.size() || !outputs[i]) {
      MO_TRY(drop_results(match, i, old));
      continue;
    }
    const Node node = outputs[i].node();
    if (node.name().empty()) node.set_name(place.node.name());
    for (const Node& one : made) one.add_sources_of(place.node);
    move_readers(old, outputs[i], made, rw);
  }
  return {};
}

Expected<bool> replace_one(SubgraphMatch& match, PassContext& context,
                           const ConfigReplacementBuilder::Generate& generate) {
  Rewriter rewriter(match.graph());
  Replacement replacement = run_replacer<Replacement>(match.id(), [&] { return generate(match, rewriter, context); });
  if (!replacement.error() && match.failure()) return *match.failure();
  if (auto& error = replacement.error()) {
    // A slip of its code names a node of the match where it names none itself; what is wrong with the descriptor has a
    // place in the file.
    const bool is_slip = !error->first().plugin_code.empty();
    return is_slip ? std::move(*error).at_node(match.matched_nodes().front().name()) : *std::move(error);
  }
  for (const std::string& name : match.unread_attributes())
    context.diagnostics.report(
        warning("MO-CONFIG-0036", "\"{}\": no code reads the custom attribute \"{}\"", match.id(), name)
            .hint("is it misspelt? Remove it otherwise"));
  if (rewriter.error()) return Error(*rewriter.error());
  const std::vector<Node> made = rewriter.take_created();
  if (replacement.is_declined() && !rewriter.has_changed()) return false;
  if (!replacement.is_declined()) MO_TRY(connect_outputs(match, replacement.outputs(), made, rewriter));
  if (rewriter.error()) return Error(*rewriter.error());
  remove_unread(match.graph(), match.matched_nodes());
  for (const Node& node : made)
    if (node.alive()) erase_if_dead(node);
  return true;
}

Diagnostic warn(const Descriptor& descriptor, std::string_view code, std::string_view text) {
  return warning(code, "\"{}\": {}", descriptor.replacement_id, text).in_file(descriptor.location);
}

/// Outputs that a configuration replaces are called after what is there now, not after what the model had.
class OutputsAsTheyWere {
 public:
  explicit OutputsAsTheyWere(const Graph& graph) {
    for (const Node& result : graph.results()) tensors_.emplace_back(result, result.input(0));
  }
  void forget_replaced() const {
    for (const auto& [result, tensor] : tensors_)
      if (result.alive() && result.input(0) != tensor) set_public_name(result, {});
  }

 private:
  std::vector<std::pair<Node, Value>> tensors_;
};

/// What a descriptor wants of the pass of its id.
Expected<void> check_kind(const Descriptor& descriptor, bool general) {
  if ((descriptor.match_kind == config::MatchKind::general) == general) return {};
  return error("MO-CONFIG-0017", "the replacer \"{}\" needs match kind {}, not \"{}\"", descriptor.replacement_id,
               general ? "\"general\"" : "\"scope\" or \"points\"",
               names_of(descriptor.match_kind)[static_cast<std::size_t>(descriptor.match_kind)])
      .hint("correct \"match_kind\"")
      .in_file(descriptor.location);
}

}  // namespace

namespace config {

Expected<bool> replace_matches(const Descriptor& descriptor, Graph& graph, PassContext& context,
                               const ConfigReplacementBuilder::Generate& generate) {
  bool changed = false;
  std::size_t found = 0;
  std::vector<std::string> misses;
  std::vector<Graph*> graphs = with_bodies(graph);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    Graph* one = graphs[i];
    MO_ASSIGN(FoundMatches matches, find_matches(descriptor, *one));
    if (one == &graph) misses = std::move(matches.misses);
    if (matches.matches.empty()) continue;
    const ReplacementCheck check(*one, descriptor.replacement_id);
    bool changed_here = false;
    for (SubgraphMatch& match : matches.matches) {
      const std::vector<Node>& nodes = match.matched_nodes();
      ++found;
      if (!std::all_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.alive(); })) {
        context.diagnostics.report(
            warn(descriptor, "MO-CONFIG-0028",
                 fmt::format("scope {} overlaps another one, which was replaced before it", match.scope()))
                .hint("make the instances disjoint"));
        continue;
      }
      if (!is_connected(nodes))
        context.diagnostics.report(
            warn(descriptor, "MO-CONFIG-0027", "the matched nodes do not hang together").hint("check the instances"));
      auto replaced = replace_one(match, context, generate);
      if (!replaced) return of_descriptor(std::move(replaced).error(), descriptor, &match);
      changed_here = changed_here || *replaced;
    }
    if (changed_here)
      if (auto sound = check.finish(); !sound) return of_descriptor(std::move(sound).error(), descriptor, nullptr);
    changed = changed || changed_here;
    if (!changed_here) continue;
    // Bodies went with the nodes that owned them.
    const std::vector<Graph*> left = with_bodies(graph);
    graphs.erase(std::remove_if(graphs.begin() + static_cast<std::ptrdiff_t>(i) + 1, graphs.end(),
                                [&](Graph* body) { return std::find(left.begin(), left.end(), body) == left.end(); }),
                 graphs.end());
  }
  log::debug("configuration {} ({}): {} matches, {}", descriptor.replacement_id, descriptor.location, found,
             changed ? "replaced" : "nothing changed");
  if (!misses.empty() && found < std::max<std::size_t>(descriptor.scopes.size(), 1)) {
    Diagnostic missed = warn(descriptor, "MO-CONFIG-0026", found == 0 ? "nothing matches" : "not all instances match");
    missed.notes = std::move(misses);
    context.diagnostics.report(
        std::move(missed).hint("is this the configuration for this model? Compare its names with those of the model"));
  }
  return changed;
}

}  // namespace config

Pass ConfigReplacementBuilder::finish() && {
  pass_.into_bodies = false;
  if (pass_.phase == Phase::extraction) {
    pass_.after.emplace_back(kConfigReplacementStart);
    pass_.before.emplace_back(kConfigReplacementFinish);
  }
  return std::move(pass_);
}

Pass ConfigReplacementBuilder::build(Generate generate) && {
  pass_.run = [id = pass_.name, generate = std::move(generate)](Graph& graph, PassContext& context) -> Expected<bool> {
    bool changed = false;
    const OutputsAsTheyWere before(graph);
    for (const Descriptor& descriptor : context.settings.get<config::Replacements>().descriptors) {
      if (descriptor.replacement_id != id || !descriptor.op.empty()) continue;
      MO_TRY(check_kind(descriptor, false));
      MO_ASSIGN(const bool replaced, config::replace_matches(descriptor, graph, context, generate));
      changed = changed || replaced;
    }
    before.forget_replaced();
    return changed;
  };
  return std::move(*this).finish();
}

Pass ConfigReplacementBuilder::build(Transform transform) && {
  pass_.run = [id = pass_.name, transform = std::move(transform)](Graph& graph,
                                                                  PassContext& context) -> Expected<bool> {
    bool changed = false;
    const OutputsAsTheyWere before(graph);
    for (const Descriptor& descriptor : context.settings.get<config::Replacements>().descriptors) {
      if (descriptor.replacement_id != id || !descriptor.op.empty()) continue;
      MO_TRY(check_kind(descriptor, true));
      const ReplacementCheck check(graph, id);
      auto transformed = transform(graph, descriptor.custom(), context);
      if (!transformed) return of_descriptor(std::move(transformed).error(), descriptor, nullptr);
      log::debug("configuration {} ({}): {}", id, descriptor.location,
                 *transformed ? "the graph was changed" : "nothing changed");
      if (*transformed)
        if (auto sound = check.finish(); !sound) return of_descriptor(std::move(sound).error(), descriptor, nullptr);
      changed = changed || *transformed;
    }
    before.forget_replaced();
    return changed;
  };
  return std::move(*this).finish();
}

}  // namespace mo
