#include "ir_emitter/layer_writer.hpp"

#include <algorithm>
#include <cstddef>

#include "core/graph/tensor_layout.hpp"
#include "core/support/progress.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

bool is_nested(AttributeKind kind) {
  return kind == AttributeKind::body || kind == AttributeKind::list || kind == AttributeKind::record;
}

/// Nearly all lists have one item, and that has no comma.
bool needs_joining(const std::vector<std::string_view>& items) {
  return items.size() != 1 || items.front().find(',') != std::string_view::npos || items.front().ends_with('\\');
}

std::vector<std::string> safe(const std::vector<std::string_view>& items) {
  std::vector<std::string> made;
  for (const std::string_view item : items) made.push_back(xml_safe(item));
  return made;
}

/// Notes and marks of passes stay in memory; what ports have is written there.
bool reaches_the_ir(const AttributeMap::Item& runtime) {
  return runtime.name != kLayoutAttribute && runtime_attribute_rule(runtime.name).serialized;
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

Expected<void> LayerWriter::add_attribute(const Node& node, std::string_view name, const AttributeValue& value) {
  auto text = to_ir_text(value);
  if (!text) {
    for (Diagnostic& d : text.error().items()) d.message = fmt::format("attribute {}: {}", name, d.message);
    return node.describe(std::move(text).error());
  }
  text_.attribute(name, *text, true);
  return {};
}

Expected<void> LayerWriter::add_data(const Node& node) {
  bool any = false;
  const auto add = [&](std::string_view name, const AttributeValue& value) {
    if (!any) text_.start("data");
    any = true;
    return add_attribute(node, name, value);
  };
  const OpType& type = node.op_type();
  if (type.dynamic) {
    for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload()))
      if (is_written(node, item.name) && !item.value.is_none()) MO_TRY(add(item.name, item.value));
  } else {
    for (const AttributeInfo& info : type.attributes) {
      if (info.internal || is_nested(info.kind)) continue;
      const AttributeValue value = info.get(node.payload());
      if (value.is_none() || (info.omitted_at_default && value == default_value(type, info))) continue;
      MO_TRY(add(info.name, value));
    }
  }
  if (any) text_.end();
  return {};
}

void LayerWriter::add_const_data(const Node& node, const Blob& blob) {
  const Tensor& value = node.as<Const>()->value;
  text_.start("data");
  text_.attribute("element_type", to_string(value.element_type()));
  std::string shape;
  for (const std::int64_t dim : value.shape()) shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
  text_.attribute("shape", shape);  // a scalar: present and empty
  text_.attribute("offset", blob.offset);
  text_.attribute("size", blob.size);
  text_.end();
}

Expected<void> LayerWriter::add_runtime_info(const Node& node) {
  if (options_.ir_version == 10) return {};  // readers of v10 ignore it
  const std::vector<std::string_view> sources = node.sources();
  const AttributeMap* runtime = node.rt_info();
  const bool has_runtime = runtime && std::any_of(runtime->begin(), runtime->end(), reaches_the_ir);
  if (sources.empty() && !has_runtime) return {};
  text_.start("rt_info");
  if (!sources.empty()) {
    text_.start("attribute");
    text_.attributes(R"( name="fused_names" version="0")");
    if (needs_joining(sources))
      text_.attribute("value", join_escaped(safe(sources), ", "));
    else
      text_.attribute("value", sources.front());
    text_.end();
  }
  if (runtime)
    for (const AttributeMap::Item& extra : *runtime) {
      if (reaches_the_ir(extra)) MO_TRY(add_runtime_attribute(node, extra));
    }
  text_.end();
  return {};
}

Expected<void> LayerWriter::add_runtime_attribute(const Node& node, const AttributeMap::Item& runtime) {
  text_.start("attribute");
  text_.attribute("name", runtime.name);
  const AttributeMap* const fields = runtime.value.map();
  if (!fields || !fields->contains("version")) text_.attribute("version", std::uint64_t{0});
  if (fields)
    for (const AttributeMap::Item& field : *fields) {
      if (!is_xml_name(field.name) || field.name == "name")
        return node.error("MO-EMIT-0010", "\"{}\" cannot be the name of an attribute in XML", field.name)
            .hint("rename the field of the runtime attribute {}", runtime.name);
      if (!field.value.is_none()) MO_TRY(add_attribute(node, field.name, field.value));
    }
  text_.end();
  return {};
}

void LayerWriter::describe(const TensorType& type, TypeText& text) {
  fragment_.clear(text_.depth());
  if (is_named(type.element_type))
    fragment_.attribute("precision", named_precision(to_string(type.element_type)));
  else
    fragment_.attribute("precision", precision_of(type.element_type));
  text.precision = fragment_.text();
  fragment_.clear(text_.depth());
  // An unknown rank has no notation: no <dim>, as for a scalar. Readers infer shapes anew.
  if (type.shape.has_rank())
    for (const Dimension& dim : type.shape) fragment_.element("dim", dim.is_known() ? dim.value() : -1);
  text.dims = fragment_.text();
}

const LayerWriter::TypeText& LayerWriter::type_text(const OutPort& port) {
  if (const Const* const constant = port.node().as<Const>()) {
    describe(constant->value.type(), constant_text_);
    return constant_text_;
  }
  const TensorType& type = port.type();
  TypeText& text = type_texts_[reinterpret_cast<std::uintptr_t>(&type) / alignof(std::max_align_t) % kTypeTexts];
  if (text.type == &type && text.depth == text_.depth()) return text;
  describe(type, text);
  text.type = &type;
  text.depth = text_.depth();
  return text;
}

Expected<void> LayerWriter::add_port(std::size_t id, const OutPort& source, const Node& node, PortSide side,
                                     std::size_t index) {
  const bool input = side == PortSide::input;
  text_.start("port");
  text_.attribute("id", id);
  const TypeText& type = type_text(source);
  // Input ports: the precision is what today's writers add; those of v10 left it out.
  if (!input || options_.ir_version > 10) text_.attributes(type.precision);
  if (!input) {
    std::vector<std::string_view> names = source.data().tensor_names();
    std::erase_if(names, [](std::string_view name) { return name.empty(); });
    if (!names.empty() && needs_joining(names)) {
      std::vector<std::string> sorted = safe(names);
      std::sort(sorted.begin(), sorted.end());
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
      text_.attribute("names", join_escaped(sorted, ","));
    } else if (!names.empty()) {
      text_.attribute("names", names.front());
    }
  }
  text_.elements(type.dims);
  if (options_.ir_version > 10) MO_TRY(add_port_info(node, side, index));
  text_.end();
  return {};
}

/// Of an input of the model, or of a tensor that is an output of it: there the runtime looks for both.
std::string_view LayerWriter::layout_of(const OutPort& port) const {
  const std::string_view layout = port.node().is<Parameter>() ? tensor_layout(port.node()) : std::string_view();
  const auto known = output_layouts_.find({&port.node().graph(), port.id()});
  return layout.empty() && known != output_layouts_.end() ? known->second : layout;
}

Expected<void> LayerWriter::add_port_info(const Node& node, PortSide side, std::size_t index) {
  const std::string_view layout = side == PortSide::output ? layout_of(node.out_port(index)) : std::string_view();
  const AttributeMap* const carried = node.rt_info() ? port_info(node, side, index) : nullptr;
  if (layout.empty() && !carried) return {};
  text_.start("rt_info");
  if (!layout.empty()) {
    text_.start("attribute");
    text_.attribute("name", kLayoutAttribute);
    text_.attribute("version", std::uint64_t{0});
    text_.attribute("layout", layout);
    text_.end();
  }
  if (carried)
    for (const AttributeMap::Item& item : *carried)
      if (layout.empty() || item.name != kLayoutAttribute) MO_TRY(add_runtime_attribute(node, item));
  text_.end();
  return {};
}

Expected<void> LayerWriter::add_ports(const Node& node) {
  const std::size_t inputs = connected_inputs(node);
  if (inputs > 0) {
    text_.start("input");
    for (std::size_t i = 0; i < inputs; ++i) MO_TRY(add_port(i, node.input(i), node, PortSide::input, i));
    text_.end();
  }
  if (node.out_port_count() > 0) {
    text_.start("output");
    for (std::size_t i = 0; i < node.out_port_count(); ++i)
      MO_TRY(add_port(inputs + i, node.out_port(i), node, PortSide::output, i));
    text_.end();
  }
  return {};
}

const std::string& LayerWriter::type_attributes(const Node& node) {
  const OpType& op = node.op_type();
  const bool by_attributes = op.dynamic && op.opset_name.empty();
  std::string& text = by_attributes ? own_type_attributes_ : type_attributes_[&op];
  if (!by_attributes && !text.empty()) return text;
  const LayerType type = layer_type(node);
  text = " type=\"";
  append_attribute_text(text, type.type);
  text += "\" version=\"";
  append_attribute_text(text, type.version);
  text += '"';
  return text;
}

Expected<void> LayerWriter::write_layer(const Plan& plan, std::uint32_t id, unsigned depth) {
  const Node& node = plan.layers[id];
  text_.clear(depth);
  text_.start("layer");
  text_.attribute("id", std::uint64_t{id});
  const auto renamed = plan.renamed.find(id);
  text_.attribute("name", renamed == plan.renamed.end() ? node.name() : std::string_view(renamed->second));
  text_.attributes(type_attributes(node));
  if (node.is<Const>())
    add_const_data(node, plan.blobs[next_blob_[&plan]++]);
  else
    MO_TRY(add_data(node));
  MO_TRY(add_runtime_info(node));
  MO_TRY(add_ports(node));
  const bool has_bodies = plan.bodies.contains(id);
  has_bodies ? text_.end_start_tag() : text_.end();
  xml_.write(text_);
  return has_bodies ? write_bodies(plan, id, depth) : Expected<void>();
}

/// What follows the ports of a node that owns graphs, and the end of its layer. Bodies are streamed.
Expected<void> LayerWriter::write_bodies(const Plan& plan, std::uint32_t id, unsigned depth) {
  text_.clear(depth + 1);
  MO_TRY(plan.layers[id].op_type().dynamic ? add_carried_records(text_, plan, id) : add_port_maps(text_, plan, id));
  xml_.write(text_);
  const std::vector<std::string_view> names = body_elements(plan.layers[id]);
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

void LayerWriter::find_output_layouts(const Graph& graph) {
  for (const Node& result : graph.results())
    if (const std::string_view layout = tensor_layout(result); !layout.empty() && result.input(0))
      output_layouts_.emplace(std::pair(&graph, result.input(0).id()), layout);
}

Expected<void> LayerWriter::write_graph(const Plan& plan, unsigned depth) {
  xml_.line(depth, "<layers>");
  find_output_layouts(*plan.graph);
  for (std::uint32_t id = 0; id < plan.layers.size(); ++id) {
    MO_TRY(write_layer(plan, id, depth + 1));
    if (depth == 1 && id % 1024 == 0) progress::tell(id, plan.layers.size());
    if (xml_.failed()) return xml_.status();
  }
  xml_.line(depth, "</layers>");
  write_edges(plan, depth);
  return xml_.status();
}

void LayerWriter::write_edges(const Plan& plan, unsigned depth) {
  xml_.line(depth, "<edges>");
  for (std::uint32_t id = 0; id < plan.layers.size(); ++id) {
    const Node& node = plan.layers[id];
    text_.clear(depth + 1);
    for (std::size_t i = 0; i < connected_inputs(node); ++i) {
      const OutPort source = node.input(i);
      text_.start("edge");
      text_.attribute("from-layer", std::uint64_t{plan.id(source.node())});
      text_.attribute("from-port", connected_inputs(source.node()) + source.index());
      text_.attribute("to-layer", std::uint64_t{id});
      text_.attribute("to-port", i);
      text_.end();
    }
    xml_.write(text_);
  }
  xml_.line(depth, "</edges>");
}

}  // namespace mo::ir_emitter
