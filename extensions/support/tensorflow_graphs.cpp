#include "extensions/support/tensorflow_graphs.hpp"

#include <algorithm>

#include "extensions/support/front.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::front {
namespace {

constexpr int kMostIdentities = 64;
constexpr std::uint64_t kComparedBytes = 4096;

bool same(const Value& left, const Value& right, int& budget) {
  const Value a = plain(left);
  const Value b = plain(right);
  if (!a || !b || a == b) return a == b;
  if (--budget <= 0) return false;
  const auto x = known_integer(a);
  const auto y = known_integer(b);
  if (x && y) return *x == *y && known_type(a).shape == known_type(b).shape;
  const Node m = a.node();
  const Node n = b.node();
  if (!m.op_type().same_op(n.op_type()) || a.index() != b.index() || m.in_port_count() != n.in_port_count() || m.is<Parameter>()) return false;
  if (m.op_type().traits.stateful || m.op_type().traits.owns_bodies || (m.op_type().dynamic && m.in_port_count() == 0)) return false;
  if (const auto* c = m.as<Const>(); c && c->value.byte_size() > kComparedBytes) return false;
  if (const auto* c = n.as<Const>(); c && c->value.byte_size() > kComparedBytes) return false;
  if (!same_attributes(m.op_type(), m.payload(), n.payload())) return false;
  for (std::size_t i = 0; i < m.in_port_count(); ++i)
    if (!same(m.input(i), n.input(i), budget)) return false;
  return true;
}

}  // namespace

Value plain(Value value) {
  for (int step = 0; step < kMostIdentities && value; ++step) {
    const Node node = value.node();
    if (!node.is<ops::Identity>() || !node.input(0)) break;
    value = node.input(0);
  }
  return value;
}

bool same_tensor(const Value& a, const Value& b) {
  int budget = 100;
  return same(a, b, budget);
}

std::optional<std::int64_t> known_integer(const Value& value) {
  const auto tensor = known_constant(value);
  if (!tensor || tensor->element_count() != 1) return std::nullopt;
  if (!is_integral(tensor->element_type()) && tensor->element_type() != ElementType::boolean) return std::nullopt;
  const auto numbers = known_integers(value);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

void remove_unreachable(Graph& graph) {
  std::vector<std::uint8_t> needed(graph.node_capacity());
  std::vector<Node> open;
  const auto need = [&](const Node& node) {
    if (needed[node.id().index] != 0) return;
    needed[node.id().index] = 1;
    open.push_back(node);
  };
  for (const Node& result : graph.results()) need(result);
  for (const Node& parameter : graph.parameters()) need(parameter);
  for (const Node node : graph.nodes())
    if (node.op_type().traits.stateful) need(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i)) need(source.node());
    // A branch that is only known by a control edge.
    for (const Node& before : node.control_inputs())
      if (plain(before.out_port(0)) && plain(before.out_port(0)).node().is("TfSwitch")) need(before);
  }
  for (const Node node : graph.nodes())
    if (needed[node.id().index] == 0) graph.erase(node);
}

void bypass_identities(Graph& graph) {
  for (const Node node : graph.nodes()) {
    if (!node.is<ops::Identity>() || !node.input(0)) continue;
    const Value source = plain(node.output());
    for (const InPort& reader : node.output().get_destinations())
      if (auto connected = reader.connect(source); !connected) return;  // the same graph: cannot fail
  }
}

Expected<Value> GraphCopier::known(const Value& source) {
  if (const auto found = mapped_.find(source.id()); found != mapped_.end()) return found->second;
  if (const auto found = copies_.find(source.node().id()); found != copies_.end()) return found->second.out_port(source.index());
  if (!boundary_) return Value();
  MO_ASSIGN(const Value stand_in, boundary_(source));
  if (stand_in) map(source, stand_in);
  return stand_in;
}

/// The control inputs that say in which branch the node is.
std::vector<Node> GraphCopier::pivots_of(const Node& node) {
  std::vector<Node> pivots;
  for (const Node& before : node.control_inputs()) {
    const Value at = plain(before.out_port(0));
    if (!at || !at.node().is("TfSwitch") || mapped_.contains(at.id())) continue;
    pivots.push_back(before);
  }
  return pivots;
}

Node GraphCopier::make(const Frame& frame) {
  const Node& node = frame.node;
  Node made;
  if (const auto* constant = node.as<Const>(); constant && !constant->value.empty()) {
    made = rewriter_ ? rewriter_->constant(constant->value).node() : to_->create_constant(constant->value);
  } else {
    std::vector<Value> inputs(node.in_port_count());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Value source = node.input(i);
      if (!source) continue;
      const auto found = mapped_.find(source.id());
      inputs[i] = found != mapped_.end() ? found->second : copies_.at(source.node().id()).out_port(source.index());
    }
    Op op(node.op_type(), node.op_type().clone(node.payload()));
    made = rewriter_ ? rewriter_->create_node(std::move(op), inputs, node.out_port_count())
                     : to_->create_node(std::move(op), inputs, node.out_port_count());
  }
  made.set_name(node.name());
  made.set_origin(node.origin());
  made.add_sources_of(node);
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    for (const std::string_view name : node.out_port(i).data().tensor_names()) made.out_port(i).data().add_tensor_name(std::string(name));
  for (const Node& pivot : frame.pivots)
    if (const auto found = copies_.find(pivot.id()); found != copies_.end()) made.add_control_input(found->second);
  return made;
}

Expected<Value> GraphCopier::copy(const Value& source) {
  MO_ASSIGN(const Value found, known(source));
  if (found) return found;
  std::vector<Frame> stack;
  std::unordered_set<NodeId> open;
  const auto enter = [&](const Node& node) -> Expected<void> {
    if (node.is<Parameter>())
      return node.error("MO-TF-0755", "'{}' is read from outside of its graph", node.name()).hint("the model is inconsistent; check how it was made");
    if (!open.insert(node.id()).second)
      return node.error("MO-TF-0751", "'{}' depends on itself", node.name())
          .hint("the loop of the model goes around without NextIteration; check how the model was made");
    stack.push_back({node, pivots_of(node), 0});
    return {};
  };
  MO_TRY(enter(source.node()));
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::size_t inputs = frame.node.in_port_count();
    if (frame.next >= inputs + frame.pivots.size()) {
      copies_.emplace(frame.node.id(), make(frame));
      open.erase(frame.node.id());
      stack.pop_back();
      continue;
    }
    const std::size_t at = frame.next++;
    const Value before = at < inputs ? frame.node.input(at) : frame.pivots[at - inputs].out_port(0);
    if (!before) continue;
    MO_ASSIGN(const Value there, known(before));
    if (!there) MO_TRY(enter(before.node()));
  }
  return copies_.at(source.node().id()).out_port(source.index());
}

namespace {

Expected<std::vector<Value>> copy_results(Graph& body, GraphCopier& copier, const std::vector<Value>& arguments) {
  const std::vector<Node> parameters = body.parameters();
  if (parameters.size() != arguments.size())
    return error("MO-TF-0755", "a body takes {} arguments and gets {}", parameters.size(), arguments.size())
        .hint("the model is inconsistent; check how it was made");
  for (std::size_t i = 0; i < arguments.size(); ++i) copier.map(parameters[i].output(), arguments[i]);
  std::vector<Value> results;
  for (const Node& result : body.results()) {
    if (!result.input(0)) return error("MO-TF-0755", "a result of a body is not connected").hint("the model is inconsistent; check how it was made");
    MO_ASSIGN(const Value value, copier.copy(result.input(0)));
    results.push_back(value);
  }
  return results;
}

}  // namespace

Expected<std::vector<Value>> inline_body(Graph& body, Graph& into, const std::vector<Value>& arguments) {
  GraphCopier copier(into);
  return copy_results(body, copier, arguments);
}

Expected<std::vector<Value>> inline_body(Graph& body, Rewriter& into, const std::vector<Value>& arguments) {
  GraphCopier copier(into);
  return copy_results(body, copier, arguments);
}

}  // namespace mo::front
