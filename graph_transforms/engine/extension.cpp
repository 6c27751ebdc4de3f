#include "graph_transforms/engine/extension.hpp"

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {
namespace {

Expected<void> check_ops(const Graph& graph, std::string_view prefix, const std::string& pass) {
  for (const Node node : graph.nodes())
    if (!node.type().starts_with(prefix))
      return node.error("MO-GTT-0052", "{} created an op that does not exist in this framework", pass)
          .hint("run it with mo opt, which writes IRs");
  return {};
}

/// Arguments for the settings of a pass: each is given once.
Expected<void> configure(const Pass& pass, const TransformFuncContext& context, Settings& settings) {
  AttributeMap given;
  for (const auto& [name, values] : context.params) {
    if (name == "ignore_errors") continue;
    MO_ASSIGN(std::string value, context.one_string(name, ""));
    given.set(name, std::move(value));
  }
  return pass.configure(settings, given);
}

}  // namespace

void register_transform(Registry& registry, std::string name, TransformFunc transform) {
  registry.passes().add(
      graph_pass(std::move(name))
          .phase(Phase::extraction)
          .only_top_level()
          .disabled_by_default()
          .run([transform = std::move(transform)](Graph& graph, PassContext& context) -> Expected<bool> {
            MO_TRY(transform(graph, context.settings.others.get<TransformFuncContext>()));
            return true;
          }));
}

TransformFunc transform_of(const Pass& pass) {
  return [pass](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    const std::string prefix = std::string(framework_of(graph)) + "::";
    Settings settings;
    settings.others.set(context);
    if (pass.configure) MO_TRY(configure(pass, context, settings));
    DiagnosticList remarks;
    PassContext passed{context.sink ? *context.sink : static_cast<DiagnosticSink&>(remarks), settings};
    passed.pass = pass.name;
    MO_TRY(pass.run(graph, passed));
    return check_ops(graph, prefix, pass.name);
  };
}

}  // namespace mo::graph_transforms
