#include "frontends/ir/layers.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/attributes/codec.hpp"

namespace mo::ir {
namespace {

constexpr std::size_t kMaxErrors = 20;

/// "FP32" of a port. Nothing when it is not known at all.
std::optional<ElementType> precision_from(std::string_view text) {
  struct Spelling {
    std::string_view text;
    ElementType type;
  };
  static constexpr Spelling kSpellings[] = {{"FP16", ElementType::f16},         {"FP32", ElementType::f32},
                                            {"FP64", ElementType::f64},         {"BIN", ElementType::u1},
                                            {"BOOL", ElementType::boolean},     {"UNSPECIFIED", ElementType::dynamic},
                                            {"UNDEFINED", ElementType::dynamic}};
  for (const Spelling& spelling : kSpellings)
    if (equal_ignoring_case(text, spelling.text)) return spelling.type;
  for (const ElementType type : all_element_types())  // I64, U8, BF16, STRING …
    if (equal_ignoring_case(text, to_string(type))) return type;
  return equal_ignoring_case(text, "dynamic") ? std::optional(ElementType::dynamic) : std::nullopt;
}

Diagnostic unknown_type(std::string_view what, std::string_view text) {
  return error("MO-IR-0005", "the {} \"{}\" is not known", what, shortened(text))
      .hint("check the spelling; a type that is newer than this version of mo needs a newer one");
}

Expected<ElementType> carried_type(std::string_view name) {
  if (const auto type = named_element_type(name)) return *type;
  return error("MO-IR-0016", "the element type \"{}\" is one more than the {} unknown ones that can be carried through",
               name, kMostNamedTypes)
      .hint("the file is corrupt: compare its checksum, and copy or download it again");
}

/// Ports spell a type in capitals: "F3E1M1" for "f3e1m1". A name with both is kept.
std::string name_of_precision(std::string_view precision) {
  std::string lower(precision);
  for (char& c : lower) {
    if (c >= 'a' && c <= 'z') return std::string(precision);
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Expected<void> read_ports(Layer& layer) {
  std::vector<std::pair<std::int64_t, std::size_t>> ids;
  const auto add_id = [&](const pugi::xml_node& port) -> Expected<void> {
    MO_TRY(check_attributes(port));
    MO_ASSIGN(const std::int64_t id, required_integer(port, "id"));
    ids.emplace_back(id, ids.size());
    return {};
  };
  MO_ASSIGN(const pugi::xml_node inputs, only_child(layer.xml, "input"));
  for (const pugi::xml_node& port : inputs.children("port")) MO_TRY(add_id(port));
  layer.sources.resize(ids.size());
  MO_ASSIGN(const pugi::xml_node outputs, only_child(layer.xml, "output"));
  for (const pugi::xml_node& port : outputs.children("port")) {
    MO_TRY(add_id(port));
    layer.outputs.push_back(port);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].first != static_cast<std::int64_t>(i)) {
      layer.unusual_ids = ids;
      break;
    }
  }
  std::vector<std::pair<std::int64_t, std::size_t>>& unusual = layer.unusual_ids;
  std::sort(unusual.begin(), unusual.end());
  const auto twice = std::adjacent_find(unusual.begin(), unusual.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != unusual.end()) return error("MO-IR-0004", "two ports have the id {}", twice->first);
  if (!unusual.empty() && unusual.front().first < 0)
    return error("MO-IR-0004", "the port id {} is negative", unusual.front().first);
  return {};
}

Expected<Layer> read_layer(const pugi::xml_node& xml) {
  Layer layer;
  layer.xml = xml;
  MO_TRY(check_attributes(xml));
  MO_ASSIGN(layer.id, required_integer(xml, "id"));
  MO_ASSIGN(layer.name, required(xml, "name"));
  MO_ASSIGN(layer.type, required(xml, "type"));
  MO_ASSIGN(layer.version, required(xml, "version"));
  if (layer.id < 0) return error("MO-IR-0004", "the layer id {} is negative", layer.id);
  MO_TRY(read_ports(layer));
  return layer;
}

Expected<void> read_edge(const pugi::xml_node& xml, LayerList& list) {
  MO_TRY(check_attributes(xml));
  MO_ASSIGN(const std::int64_t from, required_integer(xml, "from-layer"));
  MO_ASSIGN(const std::int64_t from_port, required_integer(xml, "from-port"));
  MO_ASSIGN(const std::int64_t to, required_integer(xml, "to-layer"));
  MO_ASSIGN(const std::int64_t to_port, required_integer(xml, "to-port"));
  const auto source = list.by_id.find(from);
  const auto target = list.by_id.find(to);
  if (source == list.by_id.end() || target == list.by_id.end())
    return error("MO-IR-0006", "the edge from {}:{} to {}:{} names a layer that is not there", from, from_port, to,
                 to_port);
  const auto output = list.layers[source->second].output_at(from_port);
  Layer& reader = list.layers[target->second];
  const auto input = reader.input_at(to_port);
  if (!output || !input)
    return error("MO-IR-0006", "the edge from {}:{} to {}:{} names an {} port that is not there", from, from_port, to,
                 to_port, output ? "input" : "output");
  if (reader.sources[*input].connected)
    return error("MO-IR-0007", "the input port {} has two edges", to_port).at_node(reader.name, reader.type);
  reader.sources[*input] = {source->second, static_cast<std::uint32_t>(*output), true};
  return {};
}

}  // namespace

Expected<ElementType> read_element_type(std::string_view text, bool carries_unknown) {
  if (const auto known = from_ir_text(AttributeKind::element_type, text)) return *known->get_if<ElementType>();
  if (carries_unknown && is_type_name(text)) return carried_type(text);
  return unknown_type("element type", text);
}

Expected<TensorType> read_port_type(const pugi::xml_node& port, bool carries_unknown) {
  MO_ASSIGN(const std::string_view precision, required(port, "precision"));
  auto type = precision_from(precision);
  if (!type && carries_unknown && is_type_name(precision)) {
    MO_ASSIGN(type, carried_type(name_of_precision(precision)));
  }
  if (!type) return unknown_type("precision", precision);
  std::vector<Dimension> dims;
  for (const pugi::xml_node& dim : port.children("dim")) {
    const std::string_view text = dim.child_value();
    const auto value = parse_integer(text);
    if (!value || *value < -1) return error("MO-IR-0005", "\"{}\" is not a dimension", shortened(text));
    dims.push_back(*value < 0 ? Dimension() : Dimension(*value));
  }
  return TensorType{*type, PartialShape(std::move(dims))};
}

std::optional<std::size_t> Layer::position(std::int64_t port) const {
  if (unusual_ids.empty())
    return port >= 0 && static_cast<std::size_t>(port) < sources.size() + outputs.size()
               ? std::optional<std::size_t>(port)
               : std::nullopt;
  const auto it =
      std::lower_bound(unusual_ids.begin(), unusual_ids.end(), std::pair<std::int64_t, std::size_t>(port, 0));
  return it != unusual_ids.end() && it->first == port ? std::optional<std::size_t>(it->second) : std::nullopt;
}

std::optional<std::size_t> Layer::input_at(std::int64_t port) const {
  const auto at = position(port);
  return at && *at < sources.size() ? at : std::nullopt;
}

std::optional<std::size_t> Layer::output_at(std::int64_t port) const {
  const auto at = position(port);
  return at && *at >= sources.size() ? std::optional<std::size_t>(*at - sources.size()) : std::nullopt;
}

void ErrorList::add(Error error) {
  for (Diagnostic& d : error.items()) {
    if (items_.size() < kMaxErrors)
      items_.push_back(std::move(d));
    else
      ++more_;
  }
}

Expected<void> ErrorList::finish() {
  if (items_.empty()) return {};
  if (more_ > 0) items_.back().notes.push_back(fmt::format("and {} more errors", more_));
  return Error(std::move(items_));
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::move(name));
    name.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      name += text[++i];
    else if (text[i] == ',')
      finish();
    else
      name += text[i];
  }
  finish();
  return names;
}

Expected<LayerList> read_layers(const pugi::xml_node& net) {
  LayerList list;
  ErrorList errors;
  std::unordered_set<std::string_view> names;
  MO_ASSIGN(const pugi::xml_node layers, only_child(net, "layers"));
  if (!layers) return error("MO-IR-0003", "<{}> has no <layers>", net.name());
  for (const pugi::xml_node& xml : layers.children("layer")) {
    auto layer = read_layer(xml);
    if (!layer) {
      errors.add(std::move(layer).error().at_node(shortened(xml.attribute("name").value()),
                                                  shortened(xml.attribute("type").value())));
      continue;
    }
    if (!list.by_id.emplace(layer->id, static_cast<std::uint32_t>(list.layers.size())).second)
      errors.add(error("MO-IR-0004", "another layer has the id {}", layer->id).at_node(layer->name, layer->type));
    // Results were never told apart by name.
    if (!equal_ignoring_case(layer->type, "Result") && !names.insert(layer->name).second)
      errors.add(error("MO-IR-0004", "another layer has the same name").at_node(layer->name, layer->type));
    list.layers.push_back(*std::move(layer));
  }
  MO_TRY(errors.finish());  // edges of damaged layers would only add noise
  MO_ASSIGN(const pugi::xml_node edges, only_child(net, "edges"));
  for (const pugi::xml_node& xml : edges.children("edge"))
    if (auto edge = read_edge(xml, list); !edge) errors.add(std::move(edge).error());
  MO_TRY(errors.finish());
  for (const Layer& layer : list.layers)
    for (std::size_t i = 0; i < layer.sources.size(); ++i)
      if (!layer.sources[i].connected)
        errors.add(error("MO-IR-0008", "input {} has no edge", i).at_node(layer.name, layer.type));
  MO_TRY(errors.finish());
  return list;
}

}  // namespace mo::ir
