#include "tools/transform/loading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/nearest.hpp"
#include "frontends/common/model_kind.hpp"
#include "frontends/common/tensor_references.hpp"
#include "frontends/tensorflow/graph_def/unfrozen_model.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/flags.hpp"
#include "tools/transform/formats/formats.hpp"
#include "tools/transform/freezing.hpp"

namespace mo::tools {
namespace {

bool is_meta_graph(frontends::ModelKind kind) {
  return kind == frontends::ModelKind::tensorflow_meta_graph ||
         kind == frontends::ModelKind::tensorflow_meta_graph_text;
}

/// A MetaGraph is a graph for training, with its weights in a checkpoint beside it.
Expected<void> check_kind(const std::string& path) {
  if (!is_meta_graph(frontends::kind_of_path(path))) return {};
  return error("MO-GTT-0068", "\"{}\" is a MetaGraph, whose weights are in a checkpoint", path)
      .hint("freeze it first, with --freeze --outputs=NODE; or convert it as it is: mo --input_meta_graph");
}

/// The model that --freeze speaks of.
Expected<tensorflow::ModelSource> unfrozen_source(const LoadRequest& request, const ModelFiles& files) {
  const frontends::ModelKind kind = frontends::kind_of_path(files.model);
  const ModelFormat& format = format_of_file(files.model);
  if (format.framework() != "tf")
    return error("MO-GTT-0069", "--freeze: \"{}\" is not a model of TensorFlow", request.in_graph)
        .hint("leave --freeze out: its weights are constants");
  tensorflow::ModelSource source;
  source.tags = files.tags;
  source.checkpoint = expand_home(request.input_checkpoint);
  const bool is_saved_model = &format == &saved_model_format();
  (is_saved_model        ? source.saved_model_dir
   : is_meta_graph(kind) ? source.meta_graph
                         : source.input_model) = is_saved_model ? folder_of_saved_model(files.model) : files.model;
  return source;
}

Expected<LoadedModel> load_frozen(const LoadRequest& request, const ModelFiles& files, DiagnosticSink& sink) {
  MO_ASSIGN(const tensorflow::ModelSource source, unfrozen_source(request, files));
  MO_ASSIGN(tensorflow::UnfrozenModel model, tensorflow::read_unfrozen_model(source, sink));
  LoadedModel loaded{&graph_def_format(), std::move(model.graph), split_names(request.inputs),
                     split_names(request.outputs)};
  if (loaded.outputs.empty()) loaded.outputs = model.outputs;
  if (loaded.outputs.empty())
    return error("MO-GTT-0069", "--freeze: nothing says which outputs the model has")
        .hint("name them: --outputs=NODE; summarize_graph lists nodes");
  MO_TRY(check_ends(*loaded.graph, "outputs", unknown_ends(*loaded.graph, loaded.outputs)));
  const ModelEvaluation evaluation(*loaded.format);
  // What feeds are computed from stays, and so do feeds that the outputs do not need.
  std::vector<std::string> kept = loaded.outputs;
  kept.insert(kept.end(), loaded.inputs.begin(), loaded.inputs.end());
  MO_TRY(freeze(*loaded.graph, *model.variables, {{}, std::move(kept), {}, &evaluation, &sink}));
  if (!loaded.inputs.empty()) return loaded;
  const std::vector<std::string> gone = unknown_ends(*loaded.graph, model.inputs);
  for (std::string& input : model.inputs)
    if (std::find(gone.begin(), gone.end(), input) == gone.end()) loaded.inputs.push_back(std::move(input));
  return loaded;
}

}  // namespace

ModelFiles LoadRequest::files() const {
  return {expand_home(in_graph), expand_home(input_proto), split_names(saved_model_tags)};
}

Error while_doing(Error failed, const std::string& what) {
  failed.items().front().message = fmt::format("{} {}", what, failed.first().message);
  return failed;
}

std::vector<std::string> unknown_ends(const Graph& graph, const std::vector<std::string>& names) {
  const frontends::TensorReferences all(graph);
  std::vector<std::string> unknown;
  for (const std::string& name : names)
    if (!all.find(name).node) unknown.push_back(name);
  return unknown;
}

Expected<void> check_ends(const Graph& graph, const std::string& option,
                          const std::vector<std::string>& unknown_before) {
  const std::vector<std::string> unknown = unknown_ends(graph, unknown_before);
  if (unknown.empty()) return {};
  std::vector<std::string> known;
  for (const Node node : graph.nodes()) known.emplace_back(node.name());
  const std::string close = nearest(unknown.front(), known, 1 + unknown.front().size() / 3);
  return error("MO-GTT-0018", "--{}: there is no node '{}'", option, unknown.front())
      .hint("{}summarize_graph lists the nodes", close.empty() ? "" : fmt::format("did you mean '{}'? ", close));
}

Expected<LoadedModel> load_model_file(const LoadRequest& request, DiagnosticSink& sink) {
  const ModelFiles files = request.files();
  const auto while_loading = [&](Error failed) {
    return while_doing(std::move(failed), fmt::format("Loading graph '{}' failed with", request.in_graph));
  };
  if (request.freeze) {
    auto frozen = load_frozen(request, files, sink);
    if (!frozen) return while_loading(std::move(frozen).error());
    return frozen;
  }
  if (!request.input_checkpoint.empty())
    return error("MO-GTT-0069", "--input_checkpoint is for --freeze")
        .hint("add --freeze, or leave --input_checkpoint out");
  MO_TRY(check_kind(files.model));
  const ModelFormat& format = format_of_file(files.model);
  auto graph = format.read(files, sink);
  if (!graph) return while_loading(std::move(graph).error());
  MO_ASSIGN(std::vector<std::string> inputs, format.inputs(**graph, split_names(request.inputs)));
  MO_ASSIGN(std::vector<std::string> outputs, format.outputs(**graph, split_names(request.outputs)));
  return LoadedModel{&format, *std::move(graph), std::move(inputs), std::move(outputs)};
}

}  // namespace mo::tools
