#include "driver/emission.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/graph/graph.hpp"
#include "core/op/runtimes.hpp"
#include "driver/version.hpp"

namespace mo {
namespace {

constexpr std::string_view kConversion = "@conversion";            ///< property of graphs that are being converted
constexpr std::string_view kParameters = "conversion_parameters";  ///< <cli_parameters> in version 10

const AttributeMap* map_of(const AttributeMap& map, std::string_view key) {
  const AttributeValue* const value = map.find(key);
  return value ? value->map() : nullptr;
}

/// What an IR tells of its conversion. The checksums are those of the files that were read.
AttributeMap metadata_of(const Graph& graph) {
  AttributeMap metadata;
  for (const char* const section : {"meta_data", "rt_info"}) {
    const AttributeMap* const given = map_of(graph.properties, section);
    if (!given) continue;
    for (const AttributeMap::Item& item : *given)
      if (item.name != "checksums")
        metadata.set(item.name == "cli_parameters" ? kParameters : std::string_view(item.name), item.value);
  }
  return metadata;
}

}  // namespace

ir_emitter::EmitOptions emit_options(const Settings& settings, const std::string& xml_path) {
  ir_emitter::EmitOptions emission{.xml_path = xml_path};
  emission.ir_version = settings.ir_version;
  emission.low_nibble_first = !is_older(settings.release, first_release::with_low_half_first);
  return emission;
}

Options with_target_of_ir(const Options& options, const Graph& graph) {
  const AttributeValue* const version = graph.properties.find("ir_version");
  if (!version || !version->get_if<std::int64_t>() || options.ir_version || !options.target_runtime.empty())
    return options;
  Options adopted = options;
  const AttributeMap metadata = metadata_of(graph);
  const AttributeMap* const parameters = map_of(metadata, kParameters);
  const AttributeValue* const release = parameters ? parameters->find("target_runtime") : nullptr;
  const auto* const text = release ? release->get_if<std::string>() : nullptr;
  // Other converters may write anything there.
  if (text && find_runtime(*text)) adopted.target_runtime = *text;
  const auto read_version = static_cast<int>(*version->get_if<std::int64_t>());
  if (adopted.written_ir_version() != read_version) adopted.ir_version = read_version;
  if (!validate(adopted)) adopted.target_runtime.clear();
  return adopted;
}

void note_conversion(Graph& graph, const Options& options, const std::string& framework) {
  AttributeMap parameters;
  parameters.set("framework", framework);
  for (const GivenOption& given : options.given) {
    if (!given.affects_ir) continue;
    const std::string file = std::filesystem::path(given.text).filename().string();
    parameters.set(given.name, given.is_path ? "DIR/" + file : given.text);
  }
  AttributeMap info;
  info.set("MO_version", std::string(version()));
  info.set("Runtime_version", "mo " + std::string(version()));
  info.set(kParameters, std::move(parameters));
  info.set("legacy_frontend", "False");
  // As the original since 2022: what the model says of itself, for programs that ask get_rt_info(["framework", KEY]).
  if (const AttributeValue* said = graph.properties.find("metadata"); said && options.written_ir_version() != 10)
    info.set("framework", *said);
  graph.properties.set(kConversion, std::move(info));
}

std::string framework_of_conversion(const Graph& graph) {
  const AttributeMap* const conversion = map_of(graph.properties, kConversion);
  const AttributeMap* const parameters = conversion ? map_of(*conversion, kParameters) : nullptr;
  const AttributeValue* const framework = parameters ? parameters->find("framework") : nullptr;
  const auto* const text = framework ? framework->get_if<std::string>() : nullptr;
  return text ? *text : std::string();
}

AttributeMap conversion_metadata(const Graph& graph, const Options& options) {
  if (const AttributeMap* const conversion = map_of(graph.properties, kConversion)) return *conversion;
  AttributeMap metadata = metadata_of(graph);
  const AttributeMap* const given = map_of(metadata, kParameters);
  AttributeMap parameters = given ? *given : AttributeMap();
  parameters.erase("ir_version");
  parameters.erase("target_runtime");
  if (options.ir_version) parameters.set("ir_version", std::to_string(*options.ir_version));
  if (!options.target_runtime.empty()) parameters.set("target_runtime", options.target_runtime);
  if (!parameters.empty()) metadata.set(kParameters, std::move(parameters));
  return metadata;
}

}  // namespace mo
