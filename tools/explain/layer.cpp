#include "tools/explain/layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/support/nearest.hpp"
#include "tools/common/pass_history.hpp"
#include "tools/explain/text_places.hpp"

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

/// The layers that stand for a node of the model, in the order in which they were made; constants do not count.
std::vector<Node> layers_of(const Graph& graph, const std::string& source) {
  std::vector<Node> found;
  for (const Node node : graph.nodes()) {
    const std::vector<std::string_view> sources = node.sources();
    if (!node.is<Const>() && std::find(sources.begin(), sources.end(), source) != sources.end()) found.push_back(node);
  }
  return found;
}

/// By its name, by a node of the model that it stands for, else by a tensor that it makes: a tensor of Caffe has the
/// name of the layer that made it first, whatever was written over it.
Node find_layer(const Graph& graph, const std::string& name) {
  if (const Node node = graph.find_node(name)) return node;
  if (const std::vector<Node> layers = layers_of(graph, name); !layers.empty()) return layers.front();
  for (const Node node : graph.nodes())
    for (const OutPort& port : node.out_ports()) {
      const auto names = port.data().tensor_names();
      if (std::find(names.begin(), names.end(), name) != names.end()) return node;
    }
  return {};
}

Diagnostic no_such_layer(const Graph& graph, const std::string& name) {
  std::vector<std::string> known;
  for (const Node node : graph.nodes())
    if (!node.name().empty()) known.emplace_back(node.name());
  return error("MO-EXPLAIN-0002", "there is no layer '{}'", name)
      .hint("{}it may also have become part of another one: mo draw MODEL shows all names", did_you_mean(name, known));
}

LayerOrigin written_in(const Node& node) {
  LayerOrigin origin;
  origin.name = node.name();
  origin.type = fmt::format("{}.v{}", node.type(), node.op_type().version);
  for (const OutPort& port : node.out_ports()) {
    origin.outputs.push_back(port.type().to_string());
    for (const std::string_view name : port.data().tensor_names()) origin.tensors.emplace_back(name);
  }
  for (const std::string_view name : node.sources()) origin.sources.push_back({std::string(name), {}, {}});
  return origin;
}

/// Converts the model, and adds what is known of `layer` then.
Expected<LayerOrigin> origin_by_conversion(const Options& options, const std::string& layer, DiagnosticSink& sink) {
  PassHistory history;
  std::map<std::string, std::string, std::less<>> ops;
  LoadOptions how{.looks_at_registry = true};
  how.watch.read = [&](Conversion& conversion) {
    for (const Node node : conversion.graph->nodes())
      if (!node.name().empty())
        ops.emplace(node.name(), node.origin().empty() ? std::string(node.type()) : node.framework());
    history.watch(*conversion.manager, *conversion.graph);
  };
  MO_ASSIGN(const ModelGraph model, load_model(options, how, sink));
  const Node node = find_layer(*model.graph, layer);
  if (!node) return no_such_layer(*model.graph, layer);
  LayerOrigin origin = written_in(node);
  for (const Node& other : layers_of(*model.graph, layer))
    if (other != node) origin.others.emplace_back(other.name());
  if (origin.sources.empty() && ops.contains(origin.name)) origin.sources.push_back({origin.name, {}, {}});
  const auto places = places_of_names(options);
  for (SourceNode& source : origin.sources) {
    if (const auto op = ops.find(source.name); op != ops.end()) source.op = op->second;
    if (const auto place = places.find(source.name); place != places.end()) source.place = place->second;
  }
  origin.passes = history.of(node);
  origin.passes_known = model.source == ModelSource::framework;
  return origin;
}

}  // namespace

Expected<LayerOrigin> origin_of_layer(const Options& options, const std::string& layer, const Options* source,
                                      DiagnosticSink& sink) {
  if (!source) return origin_by_conversion(options, layer, sink);
  MO_ASSIGN(const ModelGraph model, load_model(options, {}, sink));
  const Node node = find_layer(*model.graph, layer);
  if (!node) return no_such_layer(*model.graph, layer);
  return origin_by_conversion(*source, std::string(node.name()), sink);
}

std::string text_of(const LayerOrigin& origin) {
  std::string text = fmt::format("'{}' ({})\n", origin.name, origin.type);
  if (!origin.tensors.empty()) text += fmt::format("  tensors  {}\n", fmt::join(origin.tensors, ", "));
  if (!origin.outputs.empty()) text += fmt::format("  gives    {}\n", fmt::join(origin.outputs, ", "));
  for (const SourceNode& source : origin.sources)
    text += fmt::format("  source   '{}'{}{}\n", source.name, source.op.empty() ? "" : fmt::format(" ({})", source.op),
                        source.place.empty() ? "" : ", " + source.place);
  if (origin.sources.empty()) text += "  source   none is known\n";
  if (!origin.others.empty()) text += fmt::format("  beside   {}\n", fmt::join(origin.others, ", "));
  if (!origin.passes_known)
    return text + "  passes   an IR does not say; give the model that it was made of with --model\n";
  return text + fmt::format("  passes   {}\n", origin.passes.empty()
                                                   ? "none changed it"
                                                   : fmt::format("{}", fmt::join(origin.passes, ", ")));
}

std::string json_of(const LayerOrigin& origin) {
  Json made{{"name", origin.name},
            {"type", origin.type},
            {"tensors", origin.tensors},
            {"outputs", origin.outputs},
            {"sources", Json::array()}};
  for (const SourceNode& source : origin.sources)
    made["sources"].push_back({{"name", source.name}, {"op", source.op}, {"place", source.place}});
  made["others"] = origin.others;
  made["passes"] = origin.passes_known ? Json(origin.passes) : Json(nullptr);
  return made.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mo::tools
