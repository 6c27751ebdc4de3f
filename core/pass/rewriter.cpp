#include "core/pass/rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_set>

#include "core/diagnostics/misuse.hpp"
#include "core/execution/fold.hpp"
#include "core/graph/copying.hpp"
#include "core/graph/runtime_info.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"

namespace mo {

Node Rewriter::create_node(Op op, std::span<const Value> inputs, std::size_t output_count) {
  if (output_count == 0) output_count = std::max<std::size_t>(op.type().traits.outputs, 1);
  const Node node = graph_->create_node(std::move(op), inputs, output_count);
  created_.push_back(node);
  all_created_.push_back(node);
  changed_ = true;
  if (graph_->has_types()) infer(node);
  return node;
}

Node Rewriter::copy_with_new_inputs(const Node& node, std::span<const Value> inputs) {
  return create_node(copy_op(node), inputs, node.out_port_count());
}

void Rewriter::rename(const Node& node, std::string_view name) {
  if (node.name() == name) return;
  if (graph_->names().find(name).valid())
    if (const Node other = graph_->find_node(name))
      throw Misuse(fmt::format("the name '{}' belongs to another node ({})", name, other.type()),
                   std::string(node.name()));
  node.set_name(name);
  changed_ = true;
}

Value Rewriter::fold_node(const Node& node) {
  if (!graph_->has_types() && !error_) infer(node);
  if (error_ || !can_fold(node) || !has_constant_inputs(node)) return node.output();
  auto tensor = fold_output(node, 0);
  if (!tensor) {
    fail(node.describe(std::move(tensor).error()));
    return node.output();
  }
  if (tensor->empty()) return node.output();
  const Value value = constant(*std::move(tensor));
  // Only this node: the caller may use its inputs again. `replace` removes what is unused in the end.
  graph_->erase(node);
  std::erase(created_, node);
  std::erase(all_created_, node);
  return value;
}

Expected<std::vector<Value>> Rewriter::inline_body(Graph& body, const std::vector<Value>& arguments, BodyFate fate) {
  MO_ASSIGN(InlinedBody inlined, put_inline(body, *graph_, arguments, fate));
  changed_ = true;
  if (graph_->has_types() && bodies_) {
    // Framework nodes become other nodes: a Result at each end, as in the body, follows what takes their place.
    std::vector<Node> ends;
    ends.reserve(inlined.results.size());
    for (const Value& result : inlined.results) ends.push_back(graph_->create_result(result));
    auto inferred = bodies_->infer_inlined(*graph_, inlined.nodes);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      inlined.results[i] = ends[i].input(0);
      graph_->erase(ends[i]);
    }
    MO_TRY(std::move(inferred));
    for (const Value& result : inlined.results)
      if (std::find(arguments.begin(), arguments.end(), result) == arguments.end())
        inlined.nodes.push_back(result.node());
  } else if (graph_->has_types()) {
    for (const Node& node : inlined.nodes) MO_TRY(infer_node(node));
  }
  std::unordered_set<NodeId> known;
  for (const Node& node : inlined.nodes) {
    if (!node.alive() || !known.insert(node.id()).second) continue;
    created_.push_back(node);
    all_created_.push_back(node);
  }
  return std::move(inlined.results);
}

Value Rewriter::constant(Tensor tensor) {
  const Node node = graph_->create_constant(std::move(tensor));
  created_.push_back(node);
  all_created_.push_back(node);
  changed_ = true;
  return node.output();
}

Value Rewriter::scalar_like(const Value& like, double value) {
  const ElementType type = like.type().element_type;
  if (type == ElementType::dynamic) return create(ScalarLike{.value = value}, like);
  auto tensor = from_reals(type, {}, {value});
  if (!tensor) {
    fail(std::move(tensor).error());
    return scalar<float>(static_cast<float>(value));
  }
  return constant(*std::move(tensor));
}

void Rewriter::infer(const Node& node) {
  if (auto result = infer_node(node, bodies_); !result) fail(std::move(result).error());
}

bool Rewriter::is_new(const Node& node) const {
  return std::find(created_.begin(), created_.end(), node) != created_.end();
}

void Rewriter::take_over(const Node& old, const Outputs& replacements, const std::vector<Node>& merged) {
  const std::string name(old.name());
  const Origin origin = old.origin().empty() ? Origin() : old.origin().as_derived();
  std::vector<Node> named;
  for (const Value& value : std::span(replacements).first(std::min(replacements.size(), old.out_port_count())))
    if (value && is_new(value.node()) && std::find(named.begin(), named.end(), value.node()) == named.end())
      named.push_back(value.node());
  for (std::size_t i = 0; i < named.size(); ++i) {
    // Constants that a decomposition ends in keep no name of their own either.
    if (!name.empty()) named[i].set_name(named.size() == 1 ? name : fmt::format("{}.{}", name, i));
    for (const Node& before : old.control_inputs()) named[i].add_control_input(before);
  }
  // What was passed on under a name: the name goes to the node that computes it, unless that has one.
  if (named.empty() && replacements.size() == 1 && replacements.front() && !name.empty())
    if (const Node kept = replacements.front().node();
        kept.name().empty() && !kept.is<Const>() && !kept.is<Parameter>())
      kept.set_name(name);
  std::vector<Node> sources = {old};
  for (const Node& other : merged)
    if (other.alive() && other != old && !other.is<Const>() && !other.is<Parameter>()) sources.push_back(other);
  for (const Node& node : created_) {
    if (!node.alive()) continue;
    if (!node.is<Const>()) copy_runtime_info(sources, node);
    if (node.origin().empty()) node.set_origin(origin);
    for (const Node& source : sources) node.add_sources_of(source);
  }
}

void Rewriter::replace_uses(const Value& old, const Value& by) {
  if (old == by) return;
  changed_ = true;
  const Graph::QuietEdits quiet(*graph_);
  for (const InPort& reader : old.get_destinations()) touched_.push_back(reader.node());
  if (auto moved = old.get_connection().set_source(by); !moved) fail(std::move(moved).error());
}

void Rewriter::replace(const Node& old, const Outputs& replacements, const std::vector<Node>& merged) {
  take_over(old, replacements, merged);
  for (std::size_t i = 0; i < old.out_port_count(); ++i) {
    const Value before = old.out_port(i);
    const Value after = i < replacements.size() ? replacements[i] : Value();
    if (!after) {
      if (!before.disconnected())
        fail(old.error("MO-PASS-0002", "output {} of {} is still read, but its replacement is missing", i, old.type())
                 .hint("return one value for every output that is read, or declined() to leave the node alone"));
      continue;
    }
    const TensorType& was = before.type();
    const TensorType& is = after.type();
    const bool same_type = was.element_type == is.element_type || was.element_type == ElementType::dynamic ||
                           is.element_type == ElementType::dynamic;
    if (graph_->has_types() && !types_may_change_ && (!same_type || !was.shape.compatible(is.shape)))
      fail(old.error("MO-PASS-0003", "the replacement of {} gives {} instead of {}", old.type(), is.to_string(),
                     was.to_string())
               .hint("a replacement must compute the same tensor"));
    replace_uses(before, after);
  }
  changed_ = true;
  let_go(old);
  for (const Node& node : created_) erase_if_dead(node);
  created_.clear();
}

void Rewriter::set_input(const Node& node, std::size_t i, const Value& source) {
  const Graph::QuietEdits quiet(*graph_);
  const InPort port = node.add_input_port(i);
  const Value before = port.get_source();
  if (auto connected = port.connect(source); !connected) return fail(std::move(connected).error());
  if (before && before != source) let_go(before.node());
  changed(node);
}

void Rewriter::changed(const Node& node) {
  changed_ = true;
  touched_.push_back(node);
  if (graph_->has_types()) infer(node);
}

void Rewriter::erase(const Node& node) {
  for (const OutPort& port : node.out_ports())
    if (!port.disconnected())
      throw Misuse(fmt::format("output {} of the {} is still read by '{}', and the node was to be erased", port.index(),
                               node.type(), port.get_destinations().front().node().name()),
                   std::string(node.name()));
  changed_ = true;
  let_go(node);
}

/// Erases what is dead. The last reader of a tensor that had several may match now: patterns ask for one reader.
void Rewriter::let_go(const Node& node) {
  std::vector<Value> left;
  erase_if_dead(node, &left);
  for (const Value& value : left)
    if (value.node().alive() && value.has_one_destination())
      touched_.push_back(value.get_destinations().front().node());
}

std::vector<Node> Rewriter::take_created() {
  std::vector<Node> taken = std::move(all_created_);
  all_created_.clear();
  created_.clear();
  std::erase_if(taken, [](const Node& n) { return !n.alive(); });
  return taken;
}

std::vector<Node> Rewriter::take_touched() {
  std::vector<Node> taken = std::move(touched_);
  touched_.clear();
  std::erase_if(taken, [](const Node& n) { return !n.alive(); });
  return taken;
}

void erase_if_dead(const Node& node, std::vector<Value>* left) {
  std::vector<Node> open = {node};
  while (!open.empty()) {
    const Node candidate = open.back();
    open.pop_back();
    if (!candidate.alive() || candidate.is<Parameter>() || candidate.is<Result>() ||
        candidate.op_type().traits.stateful)
      continue;
    const auto ports = candidate.out_ports();
    if (!std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.disconnected(); })) continue;
    for (const InPort& port : candidate.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      open.push_back(source.node());
      if (left) left->push_back(source);
    }
    candidate.graph().erase(candidate);
  }
}

}  // namespace mo
