#include "frontends/ir/graph_builder.hpp"

#include <algorithm>

#include "core/graph/runtime_info.hpp"
#include "core/graph/tensor_layout.hpp"
#include "core/inference/infer.hpp"
#include "core/op/carried_op.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/budget.hpp"

namespace mo::ir {
namespace {

constexpr std::size_t kMaxWarnings = 20;
constexpr std::string_view kBody = "body";
constexpr std::string_view kPortMap = "port_map";
constexpr std::string_view kBackEdges = "back_edges";

/// What writers of 2021 put beside the attributes of any op: hints for plugins.
bool is_runtime_hint(std::string_view name) { return name == "PrimitivesPriority" || name == "alt_width"; }

/// The spelling that the op declares; words are compared without regard to case.
Expected<AttributeValue> read_choice(const AttributeInfo& info, std::string_view text) {
  const auto it = std::find_if(info.choices.begin(), info.choices.end(),
                               [&](std::string_view choice) { return equal_ignoring_case(choice, text); });
  if (it != info.choices.end()) return AttributeValue(*it);
  return wrong_choice(std::string(text), info.choices);
}

Expected<AttributeValue> read_value(const AttributeInfo& info, std::string_view text, bool carries_unknown) {
  if (!info.choices.empty()) return read_choice(info, text);
  if (info.kind != AttributeKind::element_type) return from_ir_text(info.kind, text);
  MO_ASSIGN(const ElementType type, read_element_type(text, carries_unknown));
  return AttributeValue(type);
}

/// Types and tensor names of the output ports.
Expected<void> read_outputs(const Layer& layer, const Node& node, bool carries_unknown) {
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    const PortData data = node.out_port(i).data();
    MO_ASSIGN(const TensorType type, read_port_type(layer.outputs[i], carries_unknown));
    if (const Const* constant = node.as<Const>())
      data.set_value(constant->value);
    else
      data.set_type(type);
    for (const std::string& name : split_names(layer.outputs[i].attribute("names").value())) data.add_tensor_name(name);
  }
  return {};
}

Diagnostic too_deep() {
  return error("MO-IR-0013", "bodies are nested more than {} deep", kMaxBodyDepth)
      .hint("the file is corrupt: compare its checksum, and copy or download it again");
}

/// <then_port_map> beside a <then_body>.
bool connects_body(const Layer& layer, std::string_view element) {
  for (const std::string_view list : {kPortMap, kBackEdges})
    if (element.ends_with(list))
      return !layer.xml
                  .child((std::string(element.substr(0, element.size() - list.size())) + std::string(kBody)).c_str())
                  .empty();
  return false;
}

Expected<void> check_ports(const Layer& layer, const OpType& type) {
  const auto expect = [&](std::size_t inputs, std::size_t outputs) -> Expected<void> {
    if (layer.sources.size() == inputs && layer.outputs.size() == outputs) return {};
    return error("MO-IR-0009", "{} inputs and {} outputs instead of {} and {}", layer.sources.size(),
                 layer.outputs.size(), inputs, outputs);
  };
  if (type.same_op(OpType::of<Parameter>()) || type.same_op(OpType::of<Const>())) return expect(0, 1);
  // outputs of a Result have no meaning
  if (type.same_op(OpType::of<Result>())) return expect(1, layer.outputs.size());
  return {};
}

}  // namespace

Expected<FilePtr> GraphBuilder::weights() {
  if (!weights_) { MO_ASSIGN(weights_, File::open(bin_path_)); }
  return weights_;
}

Expected<Tensor> GraphBuilder::constant_tensor(const Layer& layer, ElementType type, const Shape& shape,
                                               std::uint64_t offset, std::uint64_t size) {
  const auto count = element_count(shape);
  const auto needed = has_own_size(type) ? std::optional<std::size_t>(size)
                      : count            ? byte_size(type, *count)
                                         : std::nullopt;
  if (!count || !needed || *needed > size)
    return error("MO-IR-0012", "{}{} does not fit into {} bytes", to_string(type), to_string(shape), size)
        .hint("the file is corrupt: compare its checksum, and copy or download it again");
  if (size == 0 && is_named(type)) {
    MO_ASSIGN(BufferPtr none, HeapBuffer::allocate(0));
    return Tensor::from_buffer(type, shape, std::move(none));
  }
  if (size == 0) return Tensor::allocate(type, shape);
  MO_ASSIGN(const FilePtr file, weights());
  // A size beyond what the shape needs is tolerated, as runtimes do.
  MO_ASSIGN(BufferPtr buffer, FileBuffer::create(file, offset, *needed));
  MO_ASSIGN(Tensor tensor, Tensor::from_buffer(type, shape, std::move(buffer)));
  if (type != ElementType::i4 && type != ElementType::u4) return tensor;
  if (ir_version_ >= 11) {
    warn(warning("MO-IR-0021",
                 "4-bit constant: the low half of a byte is taken as the first element, as runtimes from {} do",
                 first_release::with_low_half_first)
             .at_node(layer.name, layer.type)
             .hint("an IR that was written for an older runtime has the halves exchanged"));
    return tensor;
  }
  // v10 was written for runtimes that take the high half first; mo stores the low half first.
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor swapped, Tensor::allocate(type, shape));
  const std::span<std::byte> to = swapped.mutable_bytes();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = (loaded.bytes()[i] << 4) | (loaded.bytes()[i] >> 4);
  return swapped;
}

Expected<Op> GraphBuilder::make_constant(const Layer& layer) {
  MO_ASSIGN(const pugi::xml_node data, only_child(layer.xml, "data"));
  if (!data) return error("MO-IR-0009", "a constant without <data>");
  MO_TRY(check_attributes(data));
  MO_ASSIGN(const std::string_view type_text, required(data, "element_type"));
  MO_ASSIGN(const std::string_view shape_text, required(data, "shape"));
  MO_ASSIGN(const std::int64_t offset, required_integer(data, "offset"));
  MO_ASSIGN(const std::int64_t size, required_integer(data, "size"));
  MO_ASSIGN(const ElementType type, read_element_type(type_text, carries_unknown_));
  if (type == ElementType::dynamic) return error("MO-IR-0005", "the element type of a constant is dynamic");
  MO_ASSIGN(const AttributeValue shape_value, from_ir_text(AttributeKind::shape, shape_text));
  const auto shape = shape_value.get_if<PartialShape>()->to_shape();
  if (!shape || offset < 0 || size < 0)
    return error("MO-IR-0012",
                 "shape \"{}\", offset {}, size {}: a constant needs known dimensions and non-negative values",
                 shortened(shape_text), offset, size);
  MO_ASSIGN(Tensor tensor,
            constant_tensor(layer, type, *shape, static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(size)));
  return Op(Const{std::move(tensor)});
}

void GraphBuilder::warn(Diagnostic warning) {
  if (++warnings_ <= kMaxWarnings) sink_.report(std::move(warning));
}

void GraphBuilder::report_more_warnings() {
  if (warnings_ > kMaxWarnings)
    sink_.report(warning("MO-IR-0022", "{} more warnings about this file are not shown", warnings_ - kMaxWarnings));
}

Expected<void> GraphBuilder::read_data(const Layer& layer, Op& op) {
  MO_ASSIGN(const pugi::xml_node data, only_child(layer.xml, "data"));
  MO_TRY(check_attributes(data));
  if (op.as<Parameter>()) {
    MO_TRY(required(data, "shape"));
    MO_TRY(required(data, "element_type"));
  }
  for (const pugi::xml_attribute& attribute : data.attributes()) {
    const std::string_view name = attribute.name();
    const std::string_view text = attribute.value();
    const AttributeInfo* info = op.type().find_attribute(name);
    const bool writable = info && !info->internal && info->kind != AttributeKind::body &&
                          info->kind != AttributeKind::list && info->kind != AttributeKind::record &&
                          info->kind != AttributeKind::tensor;
    if (!writable) {
      if (!is_runtime_hint(name))
        warn(warning("MO-IR-0020", "the attribute {} is not known and ignored", shortened(name))
                 .at_node(layer.name, layer.type));
      continue;
    }
    auto value = read_value(*info, text, carries_unknown_);
    auto done = value ? info->set(op.payload(), *value) : Expected<void>(std::move(value).error());
    if (done) continue;
    for (Diagnostic& d : done.error().items()) d.message = fmt::format("attribute {}: {}", name, d.message);
    return done;
  }
  return {};
}

Expected<void> GraphBuilder::read_bodies(const Layer& layer, Op& op, int depth) {
  if (depth == kMaxBodyDepth) return too_deep();
  for (const AttributeInfo& info : op.type().attributes) {
    if (info.kind != AttributeKind::body || info.internal) continue;
    const std::string name(info.name);
    MO_ASSERT(name.ends_with(kBody), "a body attribute that is not called body");
    MO_ASSIGN(const pugi::xml_node xml, only_child(layer.xml, name.c_str()));
    if (!xml) return error("MO-IR-0009", "<{}> is missing", name);
    Graph& body = *info.body(op.payload());
    MO_ASSIGN(const BuiltGraph built, build(xml, body, depth + 1));
    MO_TRY(read_port_maps(layer, name.substr(0, name.size() - kBody.size()), built, body, op));
  }
  return {};
}

Expected<Op> GraphBuilder::make_op(const Layer& layer, const OpType& type, int depth) {
  MO_TRY(check_ports(layer, type));
  if (type.same_op(OpType::of<Const>())) return make_constant(layer);
  Op op(type);
  MO_TRY(read_data(layer, op));
  if (type.traits.owns_bodies) MO_TRY(read_bodies(layer, op, depth));
  return op;
}

/// The op of a layer that is not known.
Expected<Op> GraphBuilder::make_carried(const Layer& layer, int depth) {
  MO_ASSIGN(const pugi::xml_node data, only_child(layer.xml, "data"));
  MO_TRY(check_attributes(data));
  AttributeMap attributes;
  for (const pugi::xml_attribute& attribute : data.attributes()) {
    if (attributes.size() == kMostCarriedAttributes) return too_many_attributes();
    attributes.set(attribute.name(), std::string(attribute.value()));
  }
  attributes.set(kCarriedVersion, std::string(layer.version));
  MO_TRY(carry_bodies(layer, attributes, depth));
  return Op(layer.type, std::move(attributes));
}

/// Reads the elements of an unknown op other than <data> and its ports.
Expected<void> GraphBuilder::carry_bodies(const Layer& layer, AttributeMap& attributes, int depth) {
  for (const pugi::xml_node& child : layer.xml.children()) {
    const std::string name = child.name();
    if (child.type() != pugi::node_element || name == "data" || name == "input" || name == "output" ||
        name == "rt_info" || connects_body(layer, name))
      continue;
    if (!name.ends_with(kBody)) {
      warn(warning("MO-IR-0020", "the element <{}> is not known and ignored", shortened(name))
               .at_node(layer.name, layer.type));
      continue;
    }
    MO_TRY(only_child(layer.xml, name.c_str()));
    if (depth == kMaxBodyDepth) return too_deep();
    auto body = std::make_unique<Graph>();
    MO_ASSIGN(const BuiltGraph built, build(child, *body, depth + 1));
    // Nothing leads into it that could change its types: what the known ops inside give is known now.
    MO_TRY(infer_graph(*body));
    const std::string prefix = name.substr(0, name.size() - kBody.size());
    for (const std::string_view list : {kPortMap, kBackEdges}) {
      MO_ASSIGN(AttributeList records, carried_records(layer, prefix + std::string(list), built, *body));
      if (!records.empty()) attributes.set(kCarriedMark + prefix + std::string(list), std::move(records));
    }
    attributes.set(kCarriedMark + name, Body(std::move(body)));
  }
  return {};
}

namespace {

/// The version of nearly all runtime attributes, which needs no memory.
bool is_usual_version(const pugi::xml_attribute& version) { return std::string_view(version.value()) == "0"; }

/// The layout that an output port tells, of a Parameter or of what a Result reads.
void read_layout(const pugi::xml_node& port, const Node& end) {
  for (const pugi::xml_node& info : port.child("rt_info").children("attribute"))
    if (std::string_view(info.attribute("name").value()) == kLayoutAttribute)
      set_tensor_layout(end, info.attribute(kLayoutAttribute.data()).value());
}

AttributeMap fields_of(const pugi::xml_node& info) {
  AttributeMap fields;
  for (const pugi::xml_attribute& field : info.attributes())
    if (const std::string_view key = field.name(); key != "name" && !(key == "version" && is_usual_version(field)))
      fields.set(key, field.value());
  return fields;
}

/// What a port tells besides the layout of an input or output of the model.
void read_port_info(const pugi::xml_node& port, const Node& node, PortSide side, std::size_t index, bool is_end) {
  AttributeMap attributes;
  for (const pugi::xml_node& info : port.child("rt_info").children("attribute"))
    if (const std::string_view name = info.attribute("name").value();
        !name.empty() && !(is_end && name == kLayoutAttribute))
      attributes.set(name, fields_of(info));
  if (!attributes.empty()) node.set_rt_info(port_info_key(side, index), std::move(attributes));
}

bool leads_out(const OutPort& port) {
  const auto readers = port.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) { return reader.node().is<Result>(); });
}

void read_port_infos(const Layer& layer, const Node& node) {
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    if (layer.outputs[i].child("rt_info"))
      read_port_info(layer.outputs[i], node, PortSide::output, i, node.is<Parameter>() || leads_out(node.out_port(i)));
  std::size_t index = 0;
  for (const pugi::xml_node& port : layer.xml.child("input").children("port"))
    read_port_info(port, node, PortSide::input, index++, false);
}

/// The names of what was fused are provenance; everything else is kept as it stands.
void read_runtime_info(const Layer& layer, const Node& node) {
  for (const pugi::xml_node& info : layer.xml.child("rt_info").children("attribute")) {
    const std::string_view name = info.attribute("name").value();
    if (name == "fused_names") {
      for (const std::string& source : split_names(info.attribute("value").value())) {
        const std::size_t start = source.find_first_not_of(' ');  // "a, b"
        if (start != std::string::npos) node.add_source(std::string_view(source).substr(start));
      }
      continue;
    }
    if (!name.empty()) node.set_rt_info(name, fields_of(info));
  }
}

}  // namespace

Expected<BuiltGraph> GraphBuilder::build(const pugi::xml_node& net, Graph& graph, int depth) {
  MO_ASSIGN(const LayerList list, read_layers(net));
  ErrorList errors;
  std::vector<Node> nodes;
  nodes.reserve(list.layers.size());
  for (const Layer& layer : list.layers) {
    auto op = [&]() -> Expected<Op> {
      if (const OpType* type = ops_.find(layer.type, layer.version)) return make_op(layer, *type, depth);
      if (carries_unknown_) return make_carried(layer, depth);
      ops_.note_missing(layer.type, layer.version, layer.name);  // reported when all were seen
      return Op(layer.type, {});
    }();
    if (!op) {
      errors.add(std::move(op).error().at_node(shortened(layer.name), shortened(layer.type)));
      op = Op(layer.type, {});
    }
    const std::vector<Value> none(layer.sources.size());
    const bool is_result = op->as<Result>() != nullptr;
    const bool is_parameter = op->as<Parameter>() != nullptr;
    MO_TRY(spend(work::kReadNode));
    const Node node = graph.create_node(*std::move(op), none, is_result ? 0 : layer.outputs.size(), layer.name);
    nodes.push_back(node);
    if (auto done = read_outputs(layer, node, carries_unknown_); !done)
      errors.add(std::move(done).error().at_node(shortened(layer.name), shortened(layer.type)));
    read_runtime_info(layer, node);
    if (is_parameter) read_layout(layer.outputs.front(), node);
  }
  MO_TRY(errors.finish());
  BuiltGraph built;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    built.node_of.emplace(list.layers[i].id, nodes[i].id());
    for (std::size_t k = 0; k < list.layers[i].sources.size(); ++k) {
      const Source& source = list.layers[i].sources[k];
      const OutPort port = nodes[source.layer].out_port(source.output);
      if (!port) return error("MO-IR-0006", "an edge leaves the Result '{}'", nodes[source.layer].name());
      MO_TRY(port.connect(nodes[i].in_port(k)));
      if (nodes[i].is<Result>()) read_layout(list.layers[source.layer].outputs[source.output], nodes[i]);
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) read_port_infos(list.layers[i], nodes[i]);
  if (auto order = graph.topological_order(); !order) return std::move(order).error();  // a cycle
  return built;
}

}  // namespace mo::ir
