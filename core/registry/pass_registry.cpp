#include "core/registry/pass_registry.hpp"

#include <algorithm>

#include "core/diagnostics/exception.hpp"

namespace mo {
namespace {

/// The pass with a barrier for exceptions. The condition moves inside, because a condition cannot fail.
void guard(Pass& pass, const std::string& plugin) {
  pass.run = [run = std::move(pass.run), condition = std::move(pass.condition), who = fmt::format("pass {} of plugin {}", pass.name, plugin)](
                 Graph& graph, PassContext& context) -> Expected<bool> {
    try {
      if (condition && !condition(graph, context)) return false;
      return run(graph, context);
    } catch (...) { return caught_exception(who); }
  };
  pass.condition = nullptr;
}

}  // namespace

void PassRegistry::add(Pass pass) {
  if (owner_.is_plugin()) {
    if (pass.name.empty() || !pass.run) {
      problems_.push_back(error("MO-PLUGIN-0024", "plugin {} registers a pass without a {}", owner_.name, pass.name.empty() ? "name" : "function")
                              .hint("make passes with the builders of <mo/plugin.hpp>: graph_pass, rewrite, front_replacement_op"));
      return;
    }
    guard(pass, owner_.name);
  }
  const auto [known, is_new] = owners_.emplace(pass.name, Owner{owner_.name, false});
  if (is_new) {
    passes_.push_back(std::move(pass));
    return;
  }
  if (!owner_.may_replace(known->second.name)) {
    problems_.push_back(error("MO-PLUGIN-0021", "pass {} is registered twice: by {} and by {}", pass.name, known->second.name, owner_.name)
                            .hint("rename one, or let the plugin say that it overrides what is built in"));
    return;
  }
  known->second = {owner_.name, true};
  *std::find_if(passes_.begin(), passes_.end(), [&](const Pass& p) { return p.name == pass.name; }) = std::move(pass);
}

const Owner& PassRegistry::owner_of(std::string_view pass) const {
  static const Owner kMo;
  const auto it = owners_.find(pass);
  return it == owners_.end() ? kMo : it->second;
}

}  // namespace mo
