#include "graph_transforms/engine/editor.hpp"

#include <algorithm>

#include "graph_transforms/engine/names.hpp"

namespace mo::graph_transforms {

namespace {

/// Where the op begins in "onnx::com.microsoft.Gelu": after the framework. What has no framework is an op as a whole.
std::size_t begin_of_op(std::string_view type) {
  const std::size_t colons = type.find("::");
  return colons == std::string_view::npos ? 0 : colons + 2;
}

}  // namespace

std::string_view op_of(const Node& node) { return node.type().substr(begin_of_op(node.type())); }

std::string_view framework_of(const Graph& graph) {
  for (const Node node : graph.nodes()) {
    const std::string_view type = node.type();
    if (const std::size_t colons = type.find("::"); colons != std::string_view::npos) return type.substr(0, colons);
  }
  return {};
}

AttributeMap& attributes_of(const Node& node) {
  MO_ASSERT(node.op_type().dynamic, "a transform changes framework nodes only");
  return *static_cast<AttributeMap*>(node.payload());
}

bool is_op_of(std::string_view op, std::string_view ops) {
  if (ops == "*") return true;
  for (;;) {
    const std::size_t bar = ops.find('|');
    if (ops.substr(0, bar) == op) return true;
    if (bar == std::string_view::npos) return false;
    ops.remove_prefix(bar + 1);
  }
}

GraphEditor::GraphEditor(Graph& graph, const TransformFuncContext& context) : context_(context), rewriter_(graph) {
  if (const std::string_view framework = framework_of(graph); !framework.empty())
    domain_ = fmt::format("{}::", framework);
}

// -- looking ----------------------------------------------------------------------------------------------------------

void GraphEditor::index_names() {
  if (std::exchange(has_names_, true)) return;
  for (const Node node : graph().nodes()) names_[std::string(node.name())] = node.id();
}

Node GraphEditor::find(std::string_view name) {
  index_names();
  const auto found = names_.find(std::string(name));
  if (found == names_.end()) return {};
  const Node node = graph().node(found->second);
  return node.alive() && node.name() == name ? node : Node();
}

void GraphEditor::index_control() {
  if (std::exchange(has_control_, true)) return;
  for (const Node node : graph().nodes())
    for (const Node& before : node.control_inputs()) control_readers_[before.id()].push_back(node);
}

Node GraphEditor::find_referred(std::string_view reference) {
  for (const std::string_view name : nodes_referred_to(reference))
    if (const Node node = find(name)) return node;
  return {};
}

const std::vector<Node>& GraphEditor::control_readers(const Node& node) {
  index_control();
  static const std::vector<Node> kNone;
  const auto found = control_readers_.find(node.id());
  if (found == control_readers_.end()) return kNone;
  std::erase_if(found->second, [](const Node& reader) { return !reader.alive(); });
  return found->second;
}

bool GraphEditor::is_needed_outside(const Node& node, const std::vector<Node>& inside) {
  if (context_.is_output(node.name())) return true;
  const auto is_outside = [&](const Node& reader) {
    return std::find(inside.begin(), inside.end(), reader) == inside.end();
  };
  for (const OutPort& port : node.out_ports())
    for (const InPort& reader : port.get_destinations())
      if (is_outside(reader.node())) return true;
  const std::vector<Node>& waiting = control_readers(node);
  return std::any_of(waiting.begin(), waiting.end(), is_outside);
}

bool GraphEditor::is_only_read_by(const Node& node, const Node& reader) {
  std::size_t count = 0;
  for (const OutPort& port : node.out_ports()) count += port.destination_count();
  return count == 1 && !is_needed_outside(node, {reader}) && control_readers(node).empty();
}

Expected<Tensor> GraphEditor::constant_of(const Node& node) const {
  const std::optional<Tensor> value = op_of(node) == "Const" ? node.attr<Tensor>("value") : std::nullopt;
  if (!value)
    return node.error("MO-GTT-0021", "a constant was expected here")
        .hint("the node must be a Const whose value is a tensor of numbers");
  return *value;
}

Expected<Tensor> GraphEditor::floats_of(const Node& node) const {
  MO_ASSIGN(const Tensor value, constant_of(node));
  if (value.element_type() != ElementType::f32)
    return node
        .error("MO-GTT-0021", "a constant of floats was expected here, this one has {}",
               to_string(value.element_type()))
        .hint("convert the model to float first");
  return value.load();
}

// -- changing ---------------------------------------------------------------------------------------------------------

Node GraphEditor::create(std::string_view op, std::string_view name, const std::vector<Value>& inputs,
                         AttributeMap attributes, std::size_t outputs) {
  const Node node = rewriter_.create_node(Op(domain_ + std::string(op), std::move(attributes)), inputs, outputs);
  rename(node, name);
  return node;
}

Node GraphEditor::create_constant(std::string_view name, const Tensor& value, AttributeValue type) {
  if (type.is_none()) type = value.element_type();
  return create("Const", name, {}, AttributeMap{{"dtype", std::move(type)}, {"value", value}});
}

void GraphEditor::set_constant(const Node& reader, std::size_t port, const Tensor& value) {
  const Node old = reader.input(port).node();
  if (is_only_read_by(old, reader)) {
    attributes_of(old).set("value", value);
    return;
  }
  set_input(reader, port, create_constant(free_name(std::string(old.name())), value, old.attribute("dtype")).output());
}

void GraphEditor::set_op(const Node& node, std::string_view op) {
  AttributeMap attributes = std::move(attributes_of(node));
  node.set_op(Op(domain_ + std::string(op), std::move(attributes)));
}

void GraphEditor::set_input(const Node& node, std::size_t port, const Value& source) {
  const auto connected = node.add_input_port(port).connect(source);
  MO_ASSERT(connected, "both nodes are of one graph");
}

std::string GraphEditor::free_name(const std::string& base) {
  std::string name = base;
  for (int i = 1; find(name); ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

void GraphEditor::rename(const Node& node, std::string_view name) {
  node.set_name(name);
  if (has_names_) names_[std::string(name)] = node.id();
}

void GraphEditor::redirect(const Value& old, const Value& by) {
  for (const InPort& reader : old.get_destinations()) set_input(reader.node(), reader.index(), by);
}

void GraphEditor::redirect_control(const Node& old, const Node& by) {
  const std::vector<Node> waiting = control_readers(old);
  for (const Node& reader : waiting) {
    if (reader == by) continue;
    reader.add_control_input(by);
    control_readers_[by.id()].push_back(reader);
  }
}

void GraphEditor::replace(const Node& old, const Node& by) {
  redirect(old.output(), by.output());
  redirect_control(old, by);
  for (const Node& before : old.control_inputs()) {
    if (before == by) continue;
    by.add_control_input(before);
    if (has_control_) control_readers_[before.id()].push_back(by);
  }
  const std::string name(old.name());
  erase(old);
  rename(by, name);
}

void GraphEditor::erase(const Node& node) { graph().erase(node); }

void GraphEditor::erase_unneeded(const std::vector<Node>& nodes) {
  // A node may come before its readers in the list: again until nothing goes.
  for (bool is_erased = true; is_erased;) {
    is_erased = false;
    for (const Node& node : nodes) {
      if (!node.alive() || context_.is_input(node.name()) || is_needed_outside(node, {})) continue;
      erase(node);
      is_erased = true;
    }
  }
}

}  // namespace mo::graph_transforms
