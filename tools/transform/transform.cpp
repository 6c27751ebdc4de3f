#include "tools/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/support/log.hpp"
#include "core/support/nearest.hpp"
#include "core/support/stopwatch.hpp"
#include "frontends/common/model_kind.hpp"
#include "frontends/common/tensor_references.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/extension.hpp"
#include "graph_transforms/engine/pipeline.hpp"
#include "tools/common/console.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/flags.hpp"
#include "tools/transform/model_format.hpp"
#include "tools/transform/passes.hpp"
#include "tools/transform/report.hpp"
#include "tools/transform/verification.hpp"

namespace mo::tools {
namespace {

using graph_transforms::Grammar;
using graph_transforms::TransformRegistry;

struct TransformOptions {
  std::string in_graph;
  std::string input_proto;
  std::string saved_model_tags;
  std::string out_graph;
  std::string inputs;
  std::string outputs;
  std::string transforms;
  std::string extensions;
  std::string verify_inputs;
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
      {"saved_model_tags", &options.saved_model_tags, nullptr,
       "tags of the graph of a SavedModel, with commas between them; none: the one for serving"},
      {"inputs", &options.inputs, nullptr, "names of the nodes that are fed, with commas between them"},
      {"outputs", &options.outputs, nullptr, "names of the nodes that are fetched, with commas between them"},
      {"transforms", &options.transforms, nullptr, "what to do, one after the other: name(argument=value, ...) name2 ..."},
      {"extensions", &options.extensions, nullptr, "plugins that bring more transforms: files and folders, with commas between them"},
      {"output_as_text", nullptr, &options.output_as_text, "write protobuf text"},
      {"functions", nullptr, &options.functions, "transform also the functions of the library, and graphs inside of nodes"},
      {"strict_original", nullptr, &options.strict_original, "do as TensorFlow's own tool does, also where we think it wrong"},
      {"report", nullptr, &options.report, "say what each step did to nodes, ops and bytes"},
      {"verify", nullptr, &options.verify, "compute both graphs for random inputs, and compare"},
      {"verify_inputs", &options.verify_inputs, nullptr, "true inputs for that: NAME=FILE.npy, with commas between them"},
      {"help", nullptr, &options.help, "show this"},
  };
}

std::string list_of_transforms(const TransformRegistry& registry) {
  std::string text = "\nTransforms are:\n";
  for (const std::string& name : registry.names()) text += name + "\n";
  return text;
}

/// Puts what was being done in front of the first message.
Error while_doing(Error failed, const std::string& what) {
  failed.items().front().message = fmt::format("{} {}", what, failed.first().message);
  return failed;
}

/// A MetaGraph is a graph for training, with its weights in a checkpoint beside it.
Expected<void> check_kind(const std::string& path) {
  const frontends::ModelKind kind = frontends::kind_of_path(path);
  if (kind != frontends::ModelKind::tensorflow_meta_graph && kind != frontends::ModelKind::tensorflow_meta_graph_text) return {};
  return error("MO-GTT-0068", "\"{}\" is a MetaGraph, whose weights are in a checkpoint", path)
      .hint("freeze the model before, or convert it as it is: mo --input_meta_graph");
}

Expected<void> check_paths(const TransformOptions& options) {
  if (options.in_graph.empty()) return error("MO-GTT-0032", "in_graph graph can't be empty").hint("say which model to read: --in_graph=model.pb");
  if (options.out_graph.empty())
    return error("MO-GTT-0032", "out_graph graph can't be empty").hint("say where the result goes: --out_graph=changed.pb");
  return {};
}

/// Those of the names that mean no node of the graph.
std::vector<std::string> unknown_ends(const Graph& graph, const std::vector<std::string>& names) {
  const frontends::TensorReferences all(graph);
  std::vector<std::string> unknown;
  for (const std::string& name : names)
    if (!all.find(name).node) unknown.push_back(name);
  return unknown;
}

/// A slip in a name would be obeyed without a word: the real output loses its name, or more is kept than was wanted. A transform may make a node of the name.
Expected<void> check_ends(const Graph& graph, const std::string& option, const std::vector<std::string>& unknown_before) {
  const std::vector<std::string> unknown = unknown_ends(graph, unknown_before);
  if (unknown.empty()) return {};
  std::vector<std::string> known;
  for (const Node node : graph.nodes()) known.emplace_back(node.name());
  const std::string close = nearest(unknown.front(), known, 1 + unknown.front().size() / 3);
  return error("MO-GTT-0018", "--{}: there is no node '{}'", option, unknown.front())
      .hint("{}summarize_graph lists the nodes", close.empty() ? "" : fmt::format("did you mean '{}'? ", close));
}

/// Weights that are variables are in a checkpoint, where no transform sees them.
void warn_of_variables(const Graph& graph, const std::vector<graph_transforms::TransformCall>& calls, const TransformRegistry& registry,
                       DiagnosticSink& sink) {
  const auto changes_weights = [&](const graph_transforms::TransformCall& call) {
    const TransformRegistry::Entry* const entry = registry.find(call.name);
    return entry && entry->numbers != graph_transforms::Numbers::same;
  };
  const auto call = std::find_if(calls.begin(), calls.end(), changes_weights);
  if (call == calls.end()) return;
  for (const Node node : graph.nodes())
    if (graph_transforms::is_op_of(graph_transforms::op_of(node), "Variable|VariableV2|VarHandleOp")) {
      sink.report(warning("MO-GTT-0067", "the model has variables, and {} sees constants only", call->name)
                      .hint("freeze the model before: python3 -m tensorflow.python.tools.freeze_graph")
                      .at_node(std::string(node.name())));
      return;
    }
}

/// All transforms: ours, and those that plugins bring; `assembly` holds these.
Expected<void> register_transforms(const TransformOptions& options, std::unique_ptr<Assembly>& assembly, TransformRegistry& registry) {
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

Expected<void> transform(const TransformOptions& options, std::unique_ptr<Assembly>& assembly, TransformRegistry& registry) {
  MO_TRY(check_paths(options));
  const Grammar grammar = options.strict_original ? Grammar::original : Grammar::lenient;
  auto calls = graph_transforms::parse_transforms(options.transforms, grammar);
  if (!calls) return while_doing(std::move(calls).error(), "Failed to parse --transform argument, error was");
  if (calls->empty())
    return error("MO-GTT-0033", "You must specify at least one transform").hint("for example --transforms='strip_unused_nodes fold_constants'");

  ConsoleSink sink;
  const ModelFiles files{expand_home(options.in_graph), expand_home(options.input_proto), split_names(options.saved_model_tags)};
  MO_TRY(check_kind(files.model));
  const ModelFormat& format = format_of_file(files.model);
  auto graph = format.read(files, sink);
  if (!graph) return while_doing(std::move(graph).error(), fmt::format("Loading graph '{}' failed with", options.in_graph));
  MO_TRY(add_passes(*calls, format.framework(), assembly, registry));
  if (options.strict_original) format.drop_versions(**graph);
  MO_ASSIGN(std::vector<std::string> inputs, format.inputs(**graph, split_names(options.inputs)));
  MO_ASSIGN(std::vector<std::string> outputs, format.outputs(**graph, split_names(options.outputs)));
  const ModelEvaluation evaluation(format);
  std::vector<std::string> kept = outputs;
  for (std::string& name : format.kept(**graph)) kept.push_back(std::move(name));
  const graph_transforms::TransformFuncContext context{std::move(inputs), std::move(kept), {}, &evaluation, &sink};
  MO_ASSIGN(const GivenInputs given, read_inputs(options.verify_inputs));
  warn_of_variables(**graph, *calls, registry, sink);
  const std::vector<std::string> unknown_inputs = unknown_ends(**graph, context.input_names);
  const std::vector<std::string> unknown_outputs = unknown_ends(**graph, context.output_names);
  const std::unique_ptr<Graph> before = options.verify || !given.empty() ? (*graph)->clone() : nullptr;
  StepReport report(options.report);
  if (options.functions) {
    MO_TRY(format.edit_inner_graphs(**graph, [&](InnerGraph& inner) -> Expected<void> {
      report.in_graph(inner.name);
      // What is handed through stays anyway, and is not to be fed and fetched at once.
      std::erase_if(inner.outputs,
                    [&](const std::string& name) { return std::find(inner.inputs.begin(), inner.inputs.end(), name) != inner.inputs.end(); });
      auto done = run_pipeline(inner.graph, *calls, registry, {inner.inputs, inner.outputs, {}, &evaluation, &sink}, grammar, &report);
      if (!done) return while_doing(std::move(done).error(), fmt::format("In '{}':", inner.name));
      return {};
    }));
    report.in_graph("");
  }
  MO_TRY(run_pipeline(**graph, *calls, registry, context, grammar, &report));
  if (!options.strict_original) {
    MO_TRY(check_ends(**graph, "inputs", unknown_inputs));
    MO_TRY(check_ends(**graph, "outputs", unknown_outputs));
  }
  if (before) {
    MO_ASSIGN(const auto distances, verify(*before, **graph, context, outputs, given, tolerance_of(*calls, registry)));
    for (const OutputDistance& output : distances)
      fmt::print("verified: output '{}' differs by {:.3g}, its largest element is {:.3g}\n", output.name, output.difference, output.magnitude);
  }
  auto saved = format.save(**graph, files, {expand_home(options.out_graph), options.output_as_text});
  if (!saved) return while_doing(std::move(saved).error(), fmt::format("Saving graph '{}' failed with", options.out_graph));
  return {};
}

}  // namespace

ExitCode transform_main(int argc, char** argv) {
  TransformOptions options;
  const std::vector<Flag> flags = flags_of(options);
  const std::string usage = usage_of("transform_graph", flags);
  auto others = parse_flags(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), flags);
  if (others && !others->empty())
    others = error("MO-GTT-0030", "Unknown argument {}", others->front()).hint("flags are written --name=value, without blanks; --help lists them");
  std::unique_ptr<Assembly> assembly;
  TransformRegistry registry;
  const auto registered = register_transforms(options, assembly, registry);
  if (!others || !registered) {
    const Error& failed = others ? registered.error() : others.error();
    print(failed);
    if (!others) std::fputs((usage + list_of_transforms(registry)).c_str(), stderr);
    return exit_code_of(failed);
  }
  if (options.help) return std::fputs((usage + list_of_transforms(registry)).c_str(), stdout) >= 0 ? ExitCode::ok : ExitCode::output_unwritable;
  if (const auto done = transform(options, assembly, registry); !done) {
    print(done.error());
    return exit_code_of(done.error());
  }
  return ExitCode::ok;
}

}  // namespace mo::tools
