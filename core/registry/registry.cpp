#include "core/registry/registry.hpp"

#include <utility>

#include "core/diagnostics/plugin_call.hpp"
#include "core/op/define_op.hpp"

namespace mo {

void Registry::set_owner(std::string owner, bool override_builtin) {
  owner_ = {std::move(owner), override_builtin};
  ops_.set_owner(owner_.name, override_builtin);
  passes_.set_owner(owner_.name, override_builtin);
  onnx_forms_.set_owner(owner_.name, override_builtin);
  for (auto& [framework, table] : operators_) table.set_owner(owner_.name, override_builtin);
}

void Registry::add_promised_ops() const {
  if (!promised_ops_) return;
  ops_.set_owner(Owner().name, false);  // they are mo's own, also when a plugin asks
  std::exchange(promised_ops_, nullptr)(ops_);
  ops_.set_owner(owner_.name, owner_.overrides);
}

OperatorTable& Registry::operators(const std::string& framework) {
  const auto [it, is_new] = operators_.try_emplace(framework);
  if (is_new) it->second.set_owner(owner_.name, owner_.overrides);
  return it->second;
}

void Registry::add(Frontend frontend) {
  if (frontend.name.empty() || !frontend.read) {
    problems_.push_back(error("MO-PLUGIN-0024", "plugin {} registers a framework without a {}", owner_.name,
                              frontend.name.empty() ? "name" : "function that reads")
                            .hint("fill in all members of mo::Frontend"));
    return;
  }
  if (owner_.is_plugin())
    frontend.read = [read = std::move(frontend.read),
                     who = fmt::format("the reader {} of plugin {}", frontend.name, owner_.name)](
                        const std::string& path, const Settings& settings,
                        DiagnosticSink& sink) -> Expected<std::unique_ptr<Graph>> {
      return call_plugin(who, [&]() -> Expected<std::unique_ptr<Graph>> {
        auto graph = read(path, settings, sink);
        if (graph && *graph == nullptr)
          return error("MO-PLUGIN-0025", "{} gave neither a graph nor an error", who)
              .hint("tell the author of the plugin");
        return graph;
      });
    };
  const auto known = frontend_owners_.find(frontend.name);
  if (known != frontend_owners_.end() && !owner_.may_replace(known->second.name)) {
    problems_.push_back(error("MO-PLUGIN-0022", "framework {} is registered twice: by {} and by {}", frontend.name,
                              known->second.name, owner_.name)
                            .hint("rename one, or let the plugin declare that it overrides what is built in"));
    return;
  }
  frontend_owners_.insert_or_assign(frontend.name, Owner{owner_.name, known != frontend_owners_.end()});
  const std::string name = frontend.name;
  frontends_.insert_or_assign(name, std::move(frontend));
}

std::vector<Diagnostic> Registry::problems() const {
  std::vector<Diagnostic> all = problems_;
  const auto append = [&](const std::vector<Diagnostic>& more) { all.insert(all.end(), more.begin(), more.end()); };
  append(ops_.problems());
  append(passes_.problems());
  append(onnx_forms_.problems());
  for (const auto& [name, table] : operators_) append(table.problems());
  return all;
}

void register_builtin_ops(OpRegistry& registry) {
  registry.add<Parameter>();
  registry.add<Result>();
  registry.add<Const>();
  registry.add<ScalarLike>();
}

}  // namespace mo
