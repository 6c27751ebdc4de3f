#include "tools/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/extension.hpp"
#include "graph_transforms/engine/pipeline.hpp"
#include "tools/common/console.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/flags.hpp"
#include "tools/transform/loading.hpp"
#include "tools/transform/passes.hpp"
#include "tools/transform/report.hpp"
#include "tools/transform/verification.hpp"

namespace mo::tools {
namespace {

using graph_transforms::Grammar;
using graph_transforms::TransformRegistry;

struct TransformOptions : LoadRequest {
  std::string out_graph;
  std::string transforms;
  std::string extensions;
  std::string verify_inputs;
  bool describe = false;
  bool output_as_text = false;
  bool functions = false;
  bool strict_original = false;
  bool report = false;
  bool verify = false;
  bool help = false;
};

std::vector<Flag> flags_of(TransformOptions& options) {
  return {
      {"in_graph", &options.in_graph, nullptr,
       "the GraphDef or ONNX model, binary or text, the folder of a SavedModel, or a .caffemodel or prototxt of Caffe"},
      {"input_proto", &options.input_proto, nullptr, "the prototxt of a .caffemodel, when it is not the one beside it"},
      {"out_graph", &options.out_graph, nullptr, "where the changed model goes"},
      {"freeze", nullptr, &options.freeze,
       "first make constants of variables, as freeze_graph does: of a SavedModel, a .meta file, or a GraphDef with its "
       "checkpoint; a GraphDef is "
       "written"},
      {"input_checkpoint", &options.input_checkpoint, nullptr,
       "with --freeze: the values of the variables, when they are not beside the model"},
      {"saved_model_tags", &options.saved_model_tags, nullptr,
       "tags of the graph of a SavedModel, with commas between them; none: the one for serving"},
      {"inputs", &options.inputs, nullptr, "names of the nodes that are fed, with commas between them"},
      {"outputs", &options.outputs, nullptr, "names of the nodes that are fetched, with commas between them"},
      {"transforms", &options.transforms, nullptr,
       "what to do, one after the other: name(argument=value, ...) name2 ..."},
      {"extensions", &options.extensions, nullptr,
       "plugins that bring more transforms: files and folders, with commas between them"},
      {"output_as_text", nullptr, &options.output_as_text, "write protobuf text"},
      {"functions", nullptr, &options.functions,
       "transform also the functions of the library, and graphs inside of nodes"},
      {"strict_original", nullptr, &options.strict_original,
       "do as TensorFlow's own tool does, also where we think it wrong"},
      {"report", nullptr, &options.report, "say what each step did to nodes, ops and bytes"},
      {"verify", nullptr, &options.verify, "compute both graphs for random inputs, and compare"},
      {"verify_inputs", &options.verify_inputs, nullptr,
       "true inputs for that: NAME=FILE.npy, with commas between them"},
      {"describe", nullptr, &options.describe,
       "say what each transform does and which arguments it takes; with --transforms: of these"},
      {"help", nullptr, &options.help, "show this"},
  };
}

std::string list_of_transforms(const TransformRegistry& registry) {
  std::string text = "\nTransforms are:\n";
  for (const std::string& name : registry.names()) text += name + "\n";
  return text;
}

/// A transform as --describe shows it.
std::string described(const std::string& name, const graph_transforms::TransformDescription& description) {
  std::string text =
      fmt::format("{}\n  {}.\n", name, description.summary.empty() ? "Of a plugin" : description.summary);
  for (const graph_transforms::ArgumentDescription& argument : description.arguments)
    text += fmt::format("    {} ({}{}): {}\n", argument.name, argument.type,
                        argument.fallback.empty() ? "" : ", default " + argument.fallback, argument.help);
  return text;
}

/// Of the transforms that the list names, or of all.
Expected<std::string> description_of(const std::string& transforms, const TransformRegistry& registry) {
  std::vector<std::string> names;
  MO_ASSIGN(const auto calls, graph_transforms::parse_transforms(transforms, Grammar::lenient));
  for (const graph_transforms::TransformCall& call : calls) names.push_back(call.name);
  if (names.empty()) names = registry.names();
  std::string text;
  for (const std::string& name : names) {
    const TransformRegistry::Entry* const entry = registry.find(name);
    if (!entry) return graph_transforms::unknown_transform(name, registry);
    text += described(name, entry->description);
  }
  return text +
         "Every transform takes ignore_errors (true or false, default false): when it fails, the graph stays as it was "
         "before.\n";
}

Expected<void> check_paths(const TransformOptions& options) {
  if (options.in_graph.empty())
    return error("MO-GTT-0032", "in_graph graph can't be empty").hint("say which model to read: --in_graph=model.pb");
  if (options.out_graph.empty())
    return error("MO-GTT-0032", "out_graph graph can't be empty")
        .hint("say where the result goes: --out_graph=changed.pb");
  return {};
}

/// Weights that are variables are in a checkpoint, where no transform sees them.
void warn_of_variables(const Graph& graph, const std::vector<graph_transforms::TransformCall>& calls,
                       const TransformRegistry& registry, DiagnosticSink& sink) {
  const auto changes_weights = [&](const graph_transforms::TransformCall& call) {
    const TransformRegistry::Entry* const entry = registry.find(call.name);
    return entry && entry->numbers != graph_transforms::Numbers::same;
  };
  const auto call = std::find_if(calls.begin(), calls.end(), changes_weights);
  if (call == calls.end()) return;
  for (const Node node : graph.nodes())
    if (graph_transforms::is_op_of(graph_transforms::op_of(node), "Variable|VariableV2|VarHandleOp")) {
      sink.report(warning("MO-GTT-0067", "the model has variables, and {} sees constants only", call->name)
                      .hint("add --freeze, and --input_checkpoint=PREFIX where the values are not beside the model")
                      .at_node(std::string(node.name())));
      return;
    }
}

/// All transforms: ours, and those that plugins bring; `assembly` holds these.
Expected<void> register_transforms(const TransformOptions& options, std::unique_ptr<Assembly>& assembly,
                                   TransformRegistry& registry) {
  graph_transforms::register_all(registry);
  if (!options.extensions.empty()) {
    Options loaded;
    loaded.framework = "tf";
    loaded.extensions = split_names(options.extensions);
    MO_ASSIGN(assembly, assemble_for(loaded, "tf"));
    for (const Pass& pass : assembly->registry.passes().passes())
      if (assembly->registry.passes().owner_of(pass.name).is_plugin())
        registry.register_transform(pass.name, graph_transforms::Scope::any, graph_transforms::transform_of(pass));
  }
  if (!registry.problems().empty()) return Error(registry.problems());
  return {};
}

Expected<void> transform(const TransformOptions& options, std::unique_ptr<Assembly>& assembly,
                         TransformRegistry& registry) {
  MO_TRY(check_paths(options));
  const Grammar grammar = options.strict_original ? Grammar::original : Grammar::lenient;
  auto calls = graph_transforms::parse_transforms(options.transforms, grammar);
  if (!calls) return while_doing(std::move(calls).error(), "Failed to parse --transform argument, error was");
  if (calls->empty())
    return error("MO-GTT-0033", "You must specify at least one transform")
        .hint("for example --transforms='strip_unused_nodes fold_constants'");

  ConsoleSink sink;
  MO_ASSIGN(LoadedModel loaded, load_model_file(options, sink));
  const ModelFormat& format = *loaded.format;
  const std::unique_ptr<Graph>& graph = loaded.graph;
  MO_TRY(add_passes(*calls, format.framework(), assembly, registry));
  if (options.strict_original) format.drop_versions(*graph);
  const ModelEvaluation evaluation(format);
  const std::vector<std::string> outputs = loaded.outputs;
  std::vector<std::string> kept = outputs;
  for (std::string& name : format.kept(*graph)) kept.push_back(std::move(name));
  const graph_transforms::TransformFuncContext context{
      std::move(loaded.inputs), std::move(kept), {}, &evaluation, &sink};
  MO_ASSIGN(const GivenInputs given, read_inputs(options.verify_inputs));
  warn_of_variables(*graph, *calls, registry, sink);
  const std::vector<std::string> unknown_inputs = unknown_ends(*graph, context.input_names);
  const std::vector<std::string> unknown_outputs = unknown_ends(*graph, context.output_names);
  const std::unique_ptr<Graph> before = options.verify || !given.empty() ? graph->clone() : nullptr;
  StepReport report(options.report);
  graph_transforms::TransformRun run(registry, grammar);
  report.watch(run);
  if (options.functions) {
    MO_TRY(format.edit_inner_graphs(*graph, [&](InnerGraph& inner) -> Expected<void> {
      report.in_graph(inner.name);
      // What is handed through stays anyway, and is not to be fed and fetched at once.
      std::erase_if(inner.outputs, [&](const std::string& name) {
        return std::find(inner.inputs.begin(), inner.inputs.end(), name) != inner.inputs.end();
      });
      auto done = run.run(inner.graph, *calls, {inner.inputs, inner.outputs, {}, &evaluation, &sink});
      if (!done) return while_doing(std::move(done).error(), fmt::format("In '{}':", inner.name));
      return {};
    }));
    report.in_graph("");
  }
  MO_TRY(run.run(*graph, *calls, context));
  if (!options.strict_original) {
    MO_TRY(check_ends(*graph, "inputs", unknown_inputs));
    MO_TRY(check_ends(*graph, "outputs", unknown_outputs));
  }
  if (before) {
    const Closeness closeness = closeness_of(*calls, registry);
    MO_ASSIGN(const auto differences, verify(*before, *graph, context, outputs, given, closeness));
    for (const OutputDifference& output : differences) fmt::print("verified: {}\n", output.to_string());
  }
  auto saved = format.save(*graph, options.files(), {expand_home(options.out_graph), options.output_as_text});
  if (!saved)
    return while_doing(std::move(saved).error(), fmt::format("Saving graph '{}' failed with", options.out_graph));
  return {};
}

}  // namespace

ExitCode transform_main(int argc, char** argv) {
  TransformOptions options;
  const std::vector<Flag> flags = flags_of(options);
  const std::string usage = usage_of("transform_graph", flags);
  auto others = parse_flags(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), flags);
  if (others && !others->empty())
    others = error("MO-GTT-0030", "Unknown argument {}", others->front())
                 .hint("flags are written --name=value, without blanks; --help lists them");
  std::unique_ptr<Assembly> assembly;
  TransformRegistry registry;
  const auto registered = register_transforms(options, assembly, registry);
  if (!others || !registered) {
    const Error& failed = others ? registered.error() : others.error();
    print(failed);
    if (!others) std::fputs((usage + list_of_transforms(registry)).c_str(), stderr);
    return exit_code_of(failed);
  }
  if (options.help)
    return std::fputs((usage + list_of_transforms(registry)).c_str(), stdout) >= 0 ? ExitCode::ok
                                                                                   : ExitCode::output_unwritable;
  if (options.describe) {
    const auto text = description_of(options.transforms, registry);
    if (text) return std::fputs(text->c_str(), stdout) >= 0 ? ExitCode::ok : ExitCode::output_unwritable;
    print(text.error());
    return exit_code_of(text.error());
  }
  if (const auto done = transform(options, assembly, registry); !done) {
    print(done.error());
    return exit_code_of(done.error());
  }
  return ExitCode::ok;
}

}  // namespace mo::tools
