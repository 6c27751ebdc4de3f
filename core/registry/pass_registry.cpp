#include "core/registry/pass_registry.hpp"

#include <algorithm>

#include "core/diagnostics/plugin_call.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/pass/runner.hpp"

namespace mo {
namespace {

/// What a pass of mo is trusted with and a plugin's is not: error MO-PLUGIN-0030 when it broke the graph.
Expected<void> check_after(Graph& graph, const std::string& who) {
  constexpr std::string_view kHint = "tell the author of the plugin; the model is not to blame";
  for (const auto& [reader, producer] : graph.take_orphans())
    return reader.error("MO-PLUGIN-0030", "{} erased '{}', which the node reads", who, producer)
        .hint("{}; replace what is used, then erase it", kHint);
  if (auto sound = verify(graph); !sound) {
    Diagnostic found = std::move(sound.error().items().front());
    Diagnostic diagnostic =
        error("MO-PLUGIN-0030", "{} left a graph that is not sound: {}", who, found.message).hint("{}", kHint);
    diagnostic.node = std::move(found.node);
    return diagnostic;
  }
  if (!graph.has_types()) return {};
  for (const Node node : graph.nodes())
    if (node.op_type().dynamic && !node.op_type().infer)
      return node
          .error("MO-PLUGIN-0030", "{} left the op {}, which no later pass replaces with an op of the IR", who,
                 node.type())
          .hint("{}; made-up ops must be replaced before partial inference", kHint);
  return {};
}

/// The pass with a barrier for exceptions, which is watched. The condition moves inside, because a condition cannot
/// fail.
void guard(Pass& pass, const std::string& plugin) {
  pass.plugin = plugin;
  const std::string who = fmt::format("pass {} of plugin {}", pass.name, plugin);
  pass.run = [run = std::move(pass.run), condition = pass.condition, who](Graph& graph, PassContext& context) {
    return call_plugin(who, [&]() -> Expected<bool> {
      const Graph::Editor editor(graph, who);
      graph.take_orphans();
      if (condition && !condition(graph, context)) return false;
      MO_ASSIGN(const bool changed, run(graph, context));
      if (!changed) return false;
      MO_TRY(check_after(graph, who));
      // What lost its last reader to an edit by hand; before inference other passes may still read it.
      if (graph.has_types()) remove_dead_nodes(graph);
      return true;
    });
  };
  const auto condition = std::exchange(pass.condition, nullptr);
  if (!pass.run_at) return;
  pass.run_at = [run_at = std::move(pass.run_at), condition, who](const Node& node, PassContext& context) {
    return call_plugin(who, [&]() -> Expected<bool> {
      const Graph::Editor editor(node.graph(), who);
      if (condition && !condition(node.graph(), context)) return false;
      return run_at(node, context);
    });
  };
}

}  // namespace

void PassRegistry::add_to(std::deque<Pass>& passes, Pass&& pass) {
  if (owner_.is_plugin()) {
    if (pass.name.empty() || (!pass.run && pass.steps.empty())) {
      problems_.push_back(
          error("MO-PLUGIN-0024", "plugin {} registers a pass without a {}", owner_.name,
                pass.name.empty() ? "name" : "function")
              .hint("create passes with the builders of <mo/plugin.hpp>: graph_pass, rewrite, front_replacement_op"));
      return;
    }
    // Two plugins may replace the same op, and mo has passes of its own.
    if (const auto known = owners_.find(pass.name);
        pass.named_by_op && known != owners_.end() && known->second.name != owner_.name && !owner_.overrides)
      pass.name = fmt::format("{}::{}", owner_.name, pass.name);
    if (pass.run) guard(pass, owner_.name);
  }
  const auto [known, is_new] = owners_.emplace(pass.name, Owner{owner_.name, false});
  if (is_new) {
    passes.push_back(std::move(pass));
    return;
  }
  if (!owner_.may_replace(known->second.name)) {
    problems_.push_back(error("MO-PLUGIN-0021", "pass {} is registered twice: by {} and by {}", pass.name,
                              known->second.name, owner_.name)
                            .hint("give one another name, .named(\"…\") after front_replacement_op; to replace a pass "
                                  "of mo, use MO_OVERRIDING_PLUGIN"));
    return;
  }
  known->second = {owner_.name, true};
  // In the place of the other one, which may be of the other kind.
  for (std::deque<Pass>* const all : {&passes_, &offers_})
    std::erase_if(*all, [&](const Pass& other) { return other.name == pass.name; });
  passes.push_back(std::move(pass));
}

const Owner& PassRegistry::owner_of(std::string_view pass) const {
  static const Owner kMo;
  const auto it = owners_.find(pass);
  return it == owners_.end() ? kMo : it->second;
}

}  // namespace mo
