#include "core/graph/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/misuse.hpp"
#include "core/graph/graph.hpp"

namespace mo {

void no_such_attribute(Graph* graph, NodeId id, const std::string& attribute) {
  if (graph == nullptr) throw Misuse("an attribute that is not there was used");
  const Node node = graph->node(id);
  std::vector<std::string> names;
  for (const auto& item : node.attributes()) names.push_back(item.name);
  const bool is_there = std::find(names.begin(), names.end(), attribute) != names.end();
  throw Misuse(is_there ? fmt::format("attribute '{}' of a {} was used as a value of another kind: it is {}", attribute,
                                      node.type(), node.attribute(attribute).kind_name())
                        : fmt::format("attribute '{}' of a {} was used, which has none; it has: {}", attribute,
                                      node.type(), fmt::join(names, ", ")),
               std::string(node.name()));
}

void Node::erased() const { throw Misuse("an erased node was used", std::string(name())); }

std::string_view Node::name() const { return here().names_[here().nodes_[id_.index].name]; }
void Node::set_name(std::string_view name) const { here().nodes_[id_.index].name = here().names_.intern(name); }
void Node::set_name(NameId name) const { here().nodes_[id_.index].name = name; }
Origin Node::origin() const { return here().origins_.at(here().names_, here().nodes_[id_.index].origin); }
void Node::set_origin(const Origin& origin) const { set_origin(here().intern_origin(origin)); }
void Node::set_origin(OriginId origin) const { here().nodes_[id_.index].origin = origin; }

std::vector<std::string_view> Node::sources() const {
  std::vector<std::string_view> found = here().names_of(here().nodes_[id_.index].sources);
  std::sort(found.begin(), found.end());
  return found;
}

void Node::add_source(std::string_view name) const {
  if (!name.empty()) add_source(here().names_.intern(name));
}

void Node::add_source(NameId id) const {
  NameSetId& own = here().nodes_[id_.index].sources;
  own = here().name_sets_.unite(own, NameSets::of(id));
}

void Node::add_sources_of(const Node& other) const {
  if (graph_ != other.graph_) {
    for (const std::string_view source : other.sources()) add_source(source);
    return;
  }
  NameSetId& own = here().nodes_[id_.index].sources;
  own = here().name_sets_.unite(own, here().nodes_[other.id_.index].sources);
}

const AttributeMap* Node::rt_info() const {
  const auto it = here().rt_info_.find(id_);
  return it == here().rt_info_.end() ? nullptr : &it->second;
}

void Node::erase_rt_info(std::string_view key) const {
  const auto it = here().rt_info_.find(id_);
  if (it == here().rt_info_.end()) return;
  it->second.erase(key);
  if (it->second.empty()) here().rt_info_.erase(it);
}

void Node::set_rt_info(std::string_view key, AttributeMap fields) const {
  here().rt_info_[id_].set(key, std::move(fields));
}

const AttributeValue* Node::find_attribute(std::string_view attribute) const {
  return op_type().dynamic ? static_cast<const AttributeMap*>(payload())->find(attribute) : nullptr;
}

AttributeValue* Node::change_attribute(std::string_view attribute) const {
  return op_type().dynamic ? static_cast<AttributeMap*>(payload())->find(attribute) : nullptr;
}

bool Node::has_attr(std::string_view attribute) const {
  if (!op_type().dynamic) return !this->attribute(attribute).is_none();
  const AttributeValue* const value = find_attribute(attribute);
  return value && !value->is_none();
}

AttributeMap Node::attributes() const {
  const OpType& type = op_type();
  if (type.dynamic) return *static_cast<const AttributeMap*>(payload());
  AttributeMap map;
  for (const AttributeInfo& info : type.attributes)
    if (AttributeValue value = info.get(payload()); !value.is_none()) map.set(info.name, std::move(value));
  return map;
}

void Node::set_op(Op op) const {
  Graph::NodeRecord& record = here().nodes_[id_.index];
  MO_ASSERT(!is<Parameter>() && !is<Result>(), "Parameters and Results are replaced as nodes");
  here().retype(id_, op.type());  // may lack memory: before anything changes
  record.type->destroy(record.payload);
  record.type = &op.type();
  record.payload = op.release();
  here().note_bodies(id_);
}

Expected<void> Node::set_attr(std::string_view attribute, const AttributeValue& value) const {
  MO_TRY(set_attribute(op_type(), payload(), attribute, value));
  if (value.holds<Body>() || value.holds<AttributeList>()) here().note_bodies(id_);
  return {};
}

Op Node::take_op() const {
  Graph::NodeRecord& record = graph_->nodes_[id_.index];
  MO_ASSERT(!is<Parameter>() && !is<Result>(), "Parameters and Results stay");
  Op nothing("", {});
  graph_->retype(id_, nothing.type());
  const OpType& type = *std::exchange(record.type, &nothing.type());
  return {type, std::exchange(record.payload, nothing.release())};
}

std::vector<Graph*> Node::bodies() const {
  std::vector<Graph*> found;
  const OpType& type = op_type();
  if (type.dynamic) {
    for (const auto& item : *static_cast<const AttributeMap*>(payload())) {
      if (const Body* body = item.value.get_if<Body>()) found.push_back(&body->graph());
      // The branches of TensorFlow's Case are a list.
      if (const AttributeList* list = item.value.get_if<AttributeList>())
        for (const AttributeValue& entry : *list)
          if (const Body* body = entry.get_if<Body>()) found.push_back(&body->graph());
    }
    return found;
  }
  if (!type.traits.owns_bodies) return found;
  for (const AttributeInfo& info : type.attributes)
    if (info.kind == AttributeKind::body) found.push_back(info.body(payload()));
  return found;
}

std::vector<InPort> Node::in_ports() const {
  std::vector<InPort> ports;
  ports.reserve(in_port_count());
  for (std::size_t i = 0; i < in_port_count(); ++i) ports.push_back(in_port(i));
  return ports;
}

std::vector<OutPort> Node::out_ports() const {
  std::vector<OutPort> ports;
  ports.reserve(out_port_count());
  for (std::size_t i = 0; i < out_port_count(); ++i) ports.push_back(out_port(i));
  return ports;
}

InPort Node::add_input_port(std::size_t i) const {
  Graph::NodeRecord& record = here().nodes_[id_.index];
  if (i < record.use_count) return in_port(i);
  const auto count = static_cast<std::uint32_t>(i + 1);
  // Ports of a node lie side by side: move them to the end of the store, unless they are the last already.
  if (record.use_count > 0 && record.first_use + record.use_count == here().uses_.size()) {
    here().uses_.grow(count - record.use_count);
  } else {
    const std::uint32_t first = here().uses_.grow(count);
    for (std::uint32_t k = 0; k < record.use_count; ++k) {
      const Graph::UseRecord moved = here().uses_[record.first_use + k];
      here().uses_[first + k] = moved;
      if (moved.value.valid()) {  // its neighbours in the list of readers follow, so the order of readers stays
        Graph::ValueRecord& value = here().values_[moved.value.index];
        (moved.previous.valid() ? here().uses_[moved.previous.index].next : value.first_use) = UseId{first + k};
        (moved.next.valid() ? here().uses_[moved.next.index].previous : value.last_use) = UseId{first + k};
      }
      here().uses_[record.first_use + k] = {};
    }
    record.first_use = first;
  }
  record.use_count = count;
  for (std::uint32_t k = 0; k < count; ++k) here().uses_[record.first_use + k].user = id_;
  return in_port(i);
}

OutPort Node::add_output_port(std::size_t i) const {
  Graph::NodeRecord& record = here().nodes_[id_.index];
  if (i < record.value_count) return out_port(i);
  const auto count = static_cast<std::uint32_t>(i + 1);
  if (record.value_count > 0 && record.first_value + record.value_count == here().values_.size()) {
    here().values_.grow(count - record.value_count);
  } else {
    const std::uint32_t first = here().values_.grow(count);
    for (std::uint32_t k = 0; k < record.value_count; ++k) {
      const ValueId from{record.first_value + k};
      const ValueId to{first + k};
      here().values_[to.index] = here().values_[from.index];
      for (UseId use = here().values_[to.index].first_use; use.valid(); use = here().uses_[use.index].next)
        here().uses_[use.index].value = to;
      here().values_[from.index] = {};
    }
    record.first_value = first;
  }
  record.value_count = count;
  for (std::uint32_t k = 0; k < count; ++k) here().values_[record.first_value + k].producer = id_;
  return out_port(i);
}

void Node::delete_input_port(std::size_t i) const {
  Graph::NodeRecord& record = here().nodes_[id_.index];
  if (i >= record.use_count) return;
  in_port(i).disconnect();
  if (i + 1 != record.use_count) return;
  while (record.use_count > 0 && in_port(record.use_count - 1).disconnected()) --record.use_count;
}

void Node::delete_output_port(std::size_t i) const {
  Graph::NodeRecord& record = here().nodes_[id_.index];
  if (i >= record.value_count) return;
  const OutPort port = out_port(i);
  port.disconnect();
  port.data().clear_value();
  port.data().clear_tensor_names();
  if (i + 1 == record.value_count) --record.value_count;
}

void Node::misused() { throw Misuse("an empty node was used: a lookup found nothing"); }

const TensorType& Node::input_type(std::size_t i) const {
  static const TensorType unknown;
  const Value source = input(i);
  return source ? source.type() : unknown;
}

const TensorType& Node::output_type(std::size_t i) const { return out_port(i).type(); }

std::vector<Node> Node::control_inputs() const {
  std::vector<Node> found;
  if (const auto it = here().control_inputs_.find(id_); it != here().control_inputs_.end())
    for (const NodeId id : it->second)
      if (const Node node(graph_, id); node.alive()) found.push_back(node);
  return found;
}

void Node::add_control_input(const Node& before) const { here().control_inputs_[id_].push_back(before.id()); }

namespace {

/// One line for each input port, up to the last one of which something is known: its place in the list is its number.
std::vector<std::string> described_inputs(const Node& node) {
  std::vector<std::string> lines;
  std::size_t known = 0;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value source = node.input(i);
    const bool has_type =
        source && (source.type().element_type != ElementType::dynamic || source.type().shape.has_rank());
    if (has_type) known = i + 1;
    if (!source) {
      lines.emplace_back("not connected");
      continue;
    }
    // Constants of passes have no name.
    const std::string_view name = source.node().name();
    const std::string who = name.empty() ? fmt::format("a {}", source.node().type()) : fmt::format("'{}'", name);
    lines.push_back(fmt::format("{}: {}", who, has_type ? source.type().to_string() : "type unknown"));
  }
  lines.resize(known);
  return lines;
}

}  // namespace

Diagnostic Node::describe(Diagnostic diagnostic) const {
  // A node that a pass made is named by what it was made of: that is what the user can find in the model.
  const std::vector<std::string_view> origins = name().empty() ? sources() : std::vector<std::string_view>();
  const std::string_view place = origins.empty() ? name() : origins.front();
  const bool same_place = diagnostic.node.empty() || diagnostic.node == place;
  diagnostic.stamp_node(place, type());
  if (!same_place) return diagnostic;
  if (diagnostic.framework.empty()) diagnostic.framework = framework();
  if (diagnostic.inputs.empty() && in_port_count() <= 16) diagnostic.inputs = described_inputs(*this);
  const std::string& editor = here().editor_of(*this);
  if (!editor.empty() && diagnostic.severity == Severity::error &&
      (diagnostic.plugin_code.empty() || diagnostic.plugin_code == editor)) {
    diagnostic.plugin_code = editor;
    diagnostic.hint_text =
        "the plugin created or changed this node: tell its author, or leave the pass out with --disable-pass";
  }
  return diagnostic;
}

Error Node::describe(Error error) const {
  for (Diagnostic& d : error.items()) d = describe(std::move(d));
  return error;
}

}  // namespace mo
