#include <fmt/format.h>

#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "extensions/object_detection/building.hpp"

namespace mo::object_detection {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to = text.find(at); to != std::string::npos; from = to + 1, to = text.find(at, from))
    parts.push_back(text.substr(from, to - from));
  parts.push_back(text.substr(from));
  return parts;
}

/// "a,b|c": the outputs are a and whichever of b and c there is. The user's own
/// --output goes first.
Expected<bool> set_outputs(Graph& graph, const AttributeMap& custom, PassContext& context) {
  if (!context.settings.outputs.empty()) {
    context.diagnostics.report(warning("MO-CONFIG-0214",
                                       "the outputs of --output are kept, those of "
                                       "the configuration are not used")
                                   .hint("leave out --output to get the outputs that the configuration expects"));
    return false;
  }
  MO_ASSIGN(const std::string text, required_attribute<std::string>(custom, "outputs"));
  std::vector<Value> outputs;
  std::vector<std::string> missing;
  for (const std::string& item : split(text, ',')) {
    Value found;
    for (const std::string& name : split(item, '|'))
      if (const Node node = graph.find_node(name); !found && node && !node.is<Result>() && node.out_port_count() > 0)
        found = node.output();
    if (found)
      outputs.push_back(found);
    else
      missing.push_back("'" + item + "'");
  }
  if (!missing.empty())
    return error("MO-CONFIG-0230", "the model has no node {}", fmt::join(missing, ", "))
        .hint(
            "is this the configuration for the version of the Object "
            "Detection API that exported the model?");
  for (const Node& result : graph.results()) graph.erase(result);
  // What no output needs any more stays for now: replacers that follow find
  // their end points among it.
  for (const Value& output : outputs) graph.create_result(output);
  return true;
}

/// "replacements": [[node, key], …]: the constant `node` becomes what the
/// pipeline says about `key`.
Expected<bool> override_constants(Graph& graph, const AttributeMap& custom, PassContext& context) {
  MO_ASSIGN(const AttributeList replacements, required_list(custom, "replacements"));
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, custom));
  bool changed = false;
  for (std::size_t i = 0; i < replacements.size(); ++i) {
    const auto pair = AttributeCodec<std::vector<std::string>>::decode(replacements[i]);
    if (!pair || pair->size() != 2)
      return error("MO-CONFIG-0204", "replacements[{}] is not a pair of a node and a key", i)
          .hint("write [\"node\", \"key\"]");
    const Node node = graph.find_node(pair->front());
    auto* constant = node ? node.as<Const>() : nullptr;
    if (!constant) continue;
    if (constant->value.element_count() != 1)
      return node
          .error("MO-CONFIG-0204", "the constant has {} elements, and one is replaced", constant->value.element_count())
          .hint("is this the configuration for this model?");
    MO_ASSIGN(const double number, pipeline.real(pair->back()));
    MO_ASSIGN(constant->value, from_reals(constant->value.element_type(), constant->value.shape(), {number}));
    node.output().data().set_value(constant->value);
    changed = true;
  }
  return changed;
}

}  // namespace

void register_outputs(PassRegistry& registry) {
  const std::vector<std::string> later = {"ObjectDetectionAPIPreprocessorReplacement",
                                          "ObjectDetectionAPIPreprocessor2Replacement"};
  registry.add(
      config_replacement("ObjectDetectionAPIOutputReplacement").run_before(later).transform_graph(set_outputs));
  registry.add(
      config_replacement("ObjectDetectionAPIConstValueOverride").run_before(later).transform_graph(override_constants));
}

}  // namespace mo::object_detection
