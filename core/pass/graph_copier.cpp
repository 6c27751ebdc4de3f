#include "core/pass/graph_copier.hpp"

#include "core/graph/copying.hpp"

namespace mo {

GraphCopier::GraphCopier(Rewriter& rewriter) : to_(&rewriter.graph()), rewriter_(&rewriter) {}

Expected<Value> GraphCopier::known(const Value& source) {
  if (const auto found = mapped_.find(source.id()); found != mapped_.end()) return found->second;
  if (const auto found = copies_.find(source.node().id()); found != copies_.end())
    return found->second.out_port(source.index());
  if (!boundary_) return Value();
  MO_ASSIGN(const Value stand_in, boundary_(source));
  if (stand_in) map(source, stand_in);
  return stand_in;
}

std::vector<Node> GraphCopier::kept_control_inputs(const Node& node) const {
  std::vector<Node> kept;
  if (!kept_) return kept;
  for (const Node& before : node.control_inputs())
    if (before.out_port_count() > 0 && kept_(before)) kept.push_back(before);
  return kept;
}

Node GraphCopier::make(const Frame& frame) {
  const Node& node = frame.node;
  Node made;
  if (const auto* constant = node.as<Const>(); constant && !constant->value.empty()) {
    made = rewriter_ ? rewriter_->constant(constant->value).node() : to_->create_constant(constant->value);
    made.set_origin(node.origin());
  } else {
    std::vector<Value> inputs(node.in_port_count());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Value source = node.input(i);
      if (!source) continue;
      const auto found = mapped_.find(source.id());
      inputs[i] = found != mapped_.end() ? found->second : copies_.at(source.node().id()).out_port(source.index());
    }
    if (rewriter_) {
      made = rewriter_->create_node(copy_op(node), inputs, node.out_port_count());
      made.set_origin(node.origin());
    } else {
      made = copy_node(node, *to_, inputs, {});
    }
  }
  made.set_name(node.name());
  made.add_sources_of(node);
  copy_tensor_names(node, made);
  for (const Node& before : frame.before)
    if (const auto found = copies_.find(before.id()); found != copies_.end()) made.add_control_input(found->second);
  return made;
}

Expected<Value> GraphCopier::copy(const Value& source) {
  MO_ASSIGN(const Value found, known(source));
  if (found) return found;
  std::vector<Frame> stack;
  std::unordered_set<NodeId> open;
  const auto enter = [&](const Node& node) -> Expected<void> {
    if (node.is<Parameter>())
      return node.error("MO-GRAPH-0012", "'{}' is read from outside of its graph", node.name())
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    if (!open.insert(node.id()).second) {
      if (explain_cycle_) return explain_cycle_(node);
      return node.error("MO-GRAPH-0011", "'{}' depends on itself", node.name())
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    }
    stack.push_back({node, kept_control_inputs(node), 0});
    return {};
  };
  MO_TRY(enter(source.node()));
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::size_t inputs = frame.node.in_port_count();
    if (frame.next >= inputs + frame.before.size()) {
      copies_.emplace(frame.node.id(), make(frame));
      open.erase(frame.node.id());
      stack.pop_back();
      continue;
    }
    const std::size_t at = frame.next++;
    const Value before = at < inputs ? frame.node.input(at) : frame.before[at - inputs].out_port(0);
    if (!before) continue;
    MO_ASSIGN(const Value there, known(before));
    if (!there) MO_TRY(enter(before.node()));
  }
  return copies_.at(source.node().id()).out_port(source.index());
}

}  // namespace mo
