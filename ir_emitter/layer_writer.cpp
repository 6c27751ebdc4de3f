#include "ir_emitter/layer_writer.hpp"

#include <algorithm>

#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) { node.append_attribute(name).set_value(value.c_str()); }
void set(pugi::xml_node node, const char* name, std::uint64_t value) {
  node.append_attribute(name).set_value(static_cast<unsigned long long>(value));
}

bool is_nested(AttributeKind kind) { return kind == AttributeKind::body || kind == AttributeKind::list || kind == AttributeKind::record; }

Expected<void> add_attribute(pugi::xml_node data, const Node& node, std::string_view name, const AttributeValue& value) {
  auto text = to_ir_text(value);
  if (!text) {
    for (Diagnostic& d : text.error().items()) d.message = fmt::format("attribute {}: {}", name, d.message);
    return node.describe(std::move(text).error());
  }
  set(data, std::string(name).c_str(), xml_safe(*text, true));
  return {};
}

}  // namespace

LayerWriter::~LayerWriter() {
  for (const auto& [type, op] : defaults_) type->destroy(op);
}

AttributeValue LayerWriter::default_value(const OpType& type, const AttributeInfo& info) {
  void*& op = defaults_[&type];
  if (!op) op = type.create();
  return info.get(op);
}

Expected<void> LayerWriter::add_data(pugi::xml_node layer, const Node& node) {
  pugi::xml_node data = layer.append_child("data");
  const OpType& type = node.op_type();
  if (type.dynamic) {
    for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload()))
      if (is_written(type, item.name) && !item.value.is_none()) MO_TRY(add_attribute(data, node, item.name, item.value));
  } else {
    for (const AttributeInfo& info : type.attributes) {
      if (info.internal || is_nested(info.kind)) continue;
      const AttributeValue value = info.get(node.payload());
      if (value.is_none() || (info.omitted_at_default && value == default_value(type, info))) continue;
      MO_TRY(add_attribute(data, node, info.name, value));
    }
  }
  if (!data.first_attribute()) layer.remove_child(data);
  return {};
}

void LayerWriter::add_const_data(pugi::xml_node layer, const Node& node, const Blob& blob) {
  const Tensor& value = node.as<Const>()->value;
  pugi::xml_node data = layer.append_child("data");
  set(data, "element_type", std::string(to_string(value.element_type())));
  std::string shape;
  for (const std::int64_t dim : value.shape()) shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
  set(data, "shape", shape);  // a scalar: present and empty
  set(data, "offset", blob.offset);
  set(data, "size", blob.size);
}

Expected<void> LayerWriter::add_runtime_info(pugi::xml_node layer, const Node& node) {
  if (options_.ir_version == 10) return {};  // readers of v10 ignore it
  pugi::xml_node info = layer.append_child("rt_info");
  const auto attribute = [&](const std::string& name, int version) {
    pugi::xml_node made = info.append_child("attribute");
    set(made, "name", name);
    made.append_attribute("version").set_value(version);
    return made;
  };
  std::vector<std::string> sources;
  for (const std::string_view source : node.sources()) sources.push_back(xml_safe(source));
  if (!sources.empty()) set(attribute("fused_names", 0), "value", join_escaped(sources, ", "));
  if (const AttributeMap* runtime = node.rt_info())
    for (const AttributeMap::Item& extra : *runtime) {
      pugi::xml_node made = attribute(xml_safe(extra.name), 0);
      if (const AttributeMap* fields = extra.value.map())
        for (const AttributeMap::Item& field : *fields) {
          MO_ASSERT(is_xml_name(field.name) && field.name != "name" && field.name != "version", "a runtime attribute with an impossible field");
          if (!field.value.is_none()) MO_TRY(add_attribute(made, node, field.name, field.value));
        }
    }
  if (!info.first_child()) layer.remove_child(info);
  return {};
}

void LayerWriter::add_port(pugi::xml_node ports, std::size_t id, const OutPort& source, bool input) {
  const TensorType type = port_type(source);
  pugi::xml_node port = ports.append_child("port");
  set(port, "id", id);
  // Input ports: the precision is what today's writers add; those of v10 left it out.
  if (!input || options_.ir_version > 10) set(port, "precision", std::string(precision_of(type.element_type)));
  if (!input) {
    std::vector<std::string> names;
    for (const std::string_view name : source.data().tensor_names())
      if (!name.empty()) names.push_back(xml_safe(name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (!names.empty()) set(port, "names", join_escaped(names, ","));
  }
  // An unknown rank has no notation: no <dim>, as for a scalar. Readers infer shapes anew.
  if (type.shape.has_rank())
    for (const Dimension& dim : type.shape) port.append_child("dim").text().set(static_cast<long long>(dim.is_known() ? dim.value() : -1));
}

void LayerWriter::add_ports(pugi::xml_node layer, const Node& node) {
  const std::size_t inputs = connected_inputs(node);
  if (inputs > 0) {
    pugi::xml_node ports = layer.append_child("input");
    for (std::size_t i = 0; i < inputs; ++i) add_port(ports, i, node.input(i), true);
  }
  const std::vector<OutPort> outputs = node.out_ports();
  if (!outputs.empty()) {
    pugi::xml_node ports = layer.append_child("output");
    for (std::size_t i = 0; i < outputs.size(); ++i) add_port(ports, inputs + i, outputs[i], false);
  }
}

Expected<void> LayerWriter::write_layer(const Plan& plan, std::uint32_t id, unsigned depth) {
  const Node& node = plan.layers[id];
  const LayerType type = layer_type(node);
  pugi::xml_document document;  // of this layer only
  pugi::xml_node layer = document.append_child("layer");
  set(layer, "id", std::uint64_t{id});
  set(layer, "name", plan.name_of(id));
  set(layer, "type", xml_safe(type.type));
  set(layer, "version", xml_safe(type.version));
  if (node.is<Const>())
    add_const_data(layer, node, plan.blobs[next_blob_[&plan]++]);
  else
    MO_TRY(add_data(layer, node));
  MO_TRY(add_runtime_info(layer, node));
  add_ports(layer, node);
  if (node.op_type().traits.owns_bodies) return write_owner(plan, id, layer, depth);
  xml_.element(depth, layer);
  return {};
}

/// Everything but the bodies is one layer; the bodies are streamed between it and its end tag.
Expected<void> LayerWriter::write_owner(const Plan& plan, std::uint32_t id, pugi::xml_node layer, unsigned depth) {
  MO_TRY(add_port_maps(layer, plan, id));
  xml_.start_tag(depth, layer);
  for (const pugi::xml_node& child : layer.children()) xml_.element(depth + 1, child);
  const std::vector<std::string_view> names = body_attributes(plan.layers[id].op_type());
  const std::vector<Plan>& bodies = plan.bodies.at(id);
  MO_ASSERT(names.size() == bodies.size(), "a body without a plan");
  for (std::size_t i = 0; i < names.size(); ++i) {
    xml_.line(depth + 1, fmt::format("<{}>", names[i]));
    MO_TRY(write_graph(bodies[i], depth + 2));
    xml_.line(depth + 1, fmt::format("</{}>", names[i]));
  }
  xml_.line(depth, "</layer>");
  return {};
}

Expected<void> LayerWriter::write_graph(const Plan& plan, unsigned depth) {
  xml_.line(depth, "<layers>");
  for (std::uint32_t id = 0; id < plan.layers.size(); ++id) {
    MO_TRY(write_layer(plan, id, depth + 1));
    if (xml_.failed()) return xml_.status();
  }
  xml_.line(depth, "</layers>");
  write_edges(plan, depth);
  return xml_.status();
}

void LayerWriter::write_edges(const Plan& plan, unsigned depth) {
  xml_.line(depth, "<edges>");
  const std::string indent(depth + 1, '\t');
  for (std::uint32_t id = 0; id < plan.layers.size(); ++id) {
    const Node& node = plan.layers[id];
    for (std::size_t i = 0; i < connected_inputs(node); ++i) {
      const OutPort source = node.input(i);
      const std::string edge = fmt::format("{}<edge from-layer=\"{}\" from-port=\"{}\" to-layer=\"{}\" to-port=\"{}\" />\n", indent,
                                           plan.id(source.node()), connected_inputs(source.node()) + source.index(), id, i);
      xml_.write(edge.data(), edge.size());
    }
  }
  xml_.line(depth, "</edges>");
}

}  // namespace mo::ir_emitter
