#include "driver/assembly.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/support/log.hpp"
#include "driver/builtins.hpp"
#include "driver/framework.hpp"
#include "driver/pipeline.hpp"
#include "extensions/custom_ops/custom_ops.hpp"

namespace mo {
namespace {

Expected<std::vector<plugins::Plugin>> load_plugins(const Options& options) {
  if (!options.has_plugins()) return std::vector<plugins::Plugin>();
  MO_ASSIGN(std::vector<plugins::Plugin> loaded, plugins::load(*options.extensions));
  for (const plugins::Plugin& plugin : loaded)
    log::debug("plugin {} {}: \"{}\"", plugin.name, plugin.version, plugin.path);
  return loaded;
}

/// The framework that a plugin brings for the model; `failed` is why it is none of the known ones.
Expected<std::string> framework_of_plugins(const Options& options, const std::vector<plugins::Plugin>& plugins,
                                           Error failed) {
  Registry registry;  // only to ask: registered again, beside what is built in, when the framework is known
  MO_TRY(plugins::register_all(plugins, registry));
  std::vector<std::string> names;
  std::vector<std::string> fitting;
  const std::string suffix = std::filesystem::path(options.input_model).extension().string();
  for (const auto& [name, frontend] : registry.frontends()) {
    names.push_back(name);
    const auto& endings = frontend.extensions;
    const bool claims = !suffix.empty() && std::find(endings.begin(), endings.end(), suffix) != endings.end();
    if (options.framework.empty() ? claims : options.framework == name) fitting.push_back(name);
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.size() > 1)
    return error("MO-CLI-0020", "several plugins read files of the name '{}'", options.input_model)
        .hint("add --framework with one of: {}", fmt::join(fitting, ", "));
  if (!names.empty()) failed.items().front().hint_text += fmt::format("; the plugins have: {}", fmt::join(names, ", "));
  return failed;
}

/// All that --framework may name.
std::vector<std::string> all_frameworks(const Registry& registry) {
  std::vector<std::string> names;
  for (const std::string_view name : framework_names()) names.emplace_back(name);
  for (const auto& [name, frontend] : registry.frontends())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// Extractors for an unknown framework would be silently ignored.
void check_frameworks(const Registry& registry, std::vector<Diagnostic>& problems) {
  const std::vector<std::string> known = all_frameworks(registry);
  for (const auto& [framework, table] : registry.operators()) {
    if (std::find(known.begin(), known.end(), framework) != known.end()) continue;
    for (const auto& [op, rows] : table.rows()) {
      if (rows.empty()) continue;
      problems.push_back(error("MO-PLUGIN-0026",
                               "plugin {} registers an extractor of {} for framework \"{}\", which does not exist",
                               rows.front().owner.name, op, framework)
                             .hint("use one of: {}", fmt::join(known, ", ")));
      break;
    }
  }
}

/// Nodes of built-in ops get the class that a plugin put in their place. Both are laid out alike (OpRegistry::add).
Pass overriding_ops(std::vector<const OpType*> types) {
  return graph_pass("OverridingOps")
      .phase(Phase::inference)
      .run_before({"PartialInference"})
      .run([types = std::move(types)](Graph& graph, PassContext&) -> Expected<bool> {
        bool changed = false;
        for (const Node node : graph.nodes()) {
          const auto by = std::find_if(types.begin(), types.end(),
                                       [&](const OpType* type) { return type->same_op(node.op_type()); });
          if (by == types.end() || *by == &node.op_type()) continue;
          Op op(**by);
          for (const AttributeInfo& info : (*by)->attributes)
            MO_TRY(op.set_attribute(info.name, node.attribute(info.name)));
          node.set_op(std::move(op));
          changed = true;
        }
        return changed;
      });
}

/// Whether the user may name passes, or sees the names of those that do nothing.
bool steers_passes(const PassOptions& options) {
  return !options.enable.empty() || !options.disable.empty() || !options.only.empty() || !options.explain.empty() ||
         !options.dump_after.empty() || options.time || options.print_pipeline;
}

Expected<void> fill(Assembly& assembly, const Options& options, BuiltinPasses passes) {
  Registry& registry = assembly.registry;
  // A plugin must not take the name of a pass on request by accident.
  register_builtins(registry, assembly.framework, assembly.plugins.empty() ? passes : BuiltinPasses::all,
                    steers_passes(options.passes) ? std::string() : settings_of(options).release);
  MO_TRY(plugins::register_all(assembly.plugins, registry));
  std::vector<Diagnostic> problems = registry.problems();
  check_frameworks(registry, problems);
  if (!problems.empty()) return Error(std::move(problems));
  if (!options.custom_ops.empty() && !assembly.framework.empty())
    MO_TRY(custom_ops::register_files(options.custom_ops, assembly.framework, all_frameworks(registry), registry));
  std::vector<const OpType*> overriding;
  if (!assembly.plugins.empty())
    for (const OpType* type : registry.ops().all())
      if (registry.ops().owner_of(*type).overrides) overriding.push_back(type);
  if (!overriding.empty()) registry.passes().add(overriding_ops(std::move(overriding)));
  const auto frontend = registry.frontends().find(assembly.framework);
  if (frontend != registry.frontends().end()) assembly.title = frontend->second.title;
  return {};
}

std::string range_of(const VersionRange& range) {
  if (range.last == VersionRange{}.last) return range.first == 0 ? "any" : fmt::format("{}+", range.first);
  return fmt::format("{}-{}", range.first, range.last);
}

void add_line(std::string& text, const std::string& what, const Owner& owner) {
  text += fmt::format("  {:<56} {}{}\n", what, owner.name, owner.overrides ? " (instead of mo)" : "");
}

}  // namespace

Expected<std::unique_ptr<Assembly>> assemble_for_model(const Options& options, bool only_runs) {
  auto assembly = std::make_unique<Assembly>();
  MO_ASSIGN(assembly->plugins, load_plugins(options));
  if (auto known = choose_framework(options)) {
    assembly->framework = (*known)->name;
  } else if (assembly->plugins.empty()) {
    return std::move(known).error();
  } else {
    MO_ASSIGN(assembly->framework, framework_of_plugins(options, assembly->plugins, std::move(known).error()));
  }
  // Settings of passes, what rules tell of themselves, the record of what was used, and operators of users need more
  // than an outline.
  const bool outlined = only_runs && options.transform.empty() && options.passes.explain.empty() &&
                        options.record_usage.empty() && options.custom_ops.empty();
  MO_TRY(fill(*assembly, options, outlined ? BuiltinPasses::outlined : BuiltinPasses::of_conversions));
  return assembly;
}

Expected<std::unique_ptr<Assembly>> assemble_ops(const Options& options) {
  auto assembly = std::make_unique<Assembly>();
  assembly->framework = usual_framework();
  MO_ASSIGN(assembly->plugins, load_plugins(options));
  MO_TRY(fill(*assembly, options, options.custom_ops.empty() ? BuiltinPasses::none : BuiltinPasses::all));
  return assembly;
}

Expected<std::unique_ptr<Assembly>> assemble_for(const Options& options, std::string_view framework) {
  auto assembly = std::make_unique<Assembly>();
  assembly->framework = framework;
  MO_ASSIGN(assembly->plugins, load_plugins(options));
  MO_TRY(fill(*assembly, options, BuiltinPasses::all));
  return assembly;
}

std::string describe_extensions(const Assembly& assembly) {
  const Registry& registry = assembly.registry;
  std::string text = fmt::format("plugins (built for \"{}\"):\n", plugins::build_tag());
  for (const plugins::Plugin& plugin : assembly.plugins)
    text +=
        fmt::format("  {} {}{} {}\n", plugin.name, plugin.version, plugin.overrides ? " (overrides)" : "", plugin.path);
  if (assembly.plugins.empty()) text += "  none\n";

  text += "frameworks:\n";
  for (const auto& [name, frontend] : registry.frontends())
    add_line(text, fmt::format("{} ({})", name, fmt::join(frontend.extensions, " ")), registry.owner_of_frontend(name));
  text += "extractors:\n";
  for (const auto& [framework, table] : registry.operators())
    for (const auto& [op, rows] : table.rows())
      for (const OperatorTable::Row& row : rows)
        add_line(text,
                 fmt::format("{} {} ({}){}", framework, op, range_of(row.versions), row.refuses ? ", refused" : ""),
                 row.owner);
  text += "passes:\n";
  for (const Pass& pass : registry.passes().passes())
    add_line(text, fmt::format("{} {}", to_string(pass.phase), pass.name), registry.passes().owner_of(pass.name));
  text += "ops:\n";
  for (const OpType* type : registry.ops().all()) {
    const std::string opset =
        type->opset_name.empty() ? fmt::format("opset{}", type->opset) : std::string(type->opset_name);
    add_line(text, fmt::format("{} {}", opset, type->name), registry.ops().owner_of(*type));
  }
  return text;
}

}  // namespace mo
