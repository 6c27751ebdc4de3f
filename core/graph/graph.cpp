#include "core/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "core/diagnostics/misuse.hpp"
#include "core/graph/body_changes.hpp"

namespace mo {

namespace {

std::atomic<std::uint64_t> change_count{0};

void note_change_of_bodies() { change_count.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

std::uint64_t body_changes() { return change_count.load(std::memory_order_relaxed); }

Graph::Graph() { note_change_of_bodies(); }

Graph::~Graph() {
  note_change_of_bodies();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (NodeRecord& record = nodes_[i]; record.type) record.type->destroy(record.payload);
}

Node Graph::create_node(Op op, std::span<const Value> inputs, std::size_t output_count, std::string_view node_name) {
  for (const Value& value : inputs)
    if (value && &value.graph() != this)
      throw Misuse(fmt::format("a tensor of another graph was given to a new {}; pass it into the body as a Parameter",
                               op.type().name),
                   std::string(value.node().name()));
  const NodeId id{nodes_.grow(1)};
  NodeRecord& record = nodes_[id.index];
  record.type = &op.type();
  record.payload = op.release();
  record.name = names_.intern(node_name);
  record.use_count = static_cast<std::uint32_t>(inputs.size());
  record.first_use = record.use_count > 0 ? uses_.grow(record.use_count) : 0;
  record.value_count = static_cast<std::uint32_t>(output_count);
  record.first_value = record.value_count > 0 ? values_.grow(record.value_count) : 0;
  for (std::uint32_t i = 0; i < record.value_count; ++i) values_[record.first_value + i].producer = id;
  for (std::uint32_t i = 0; i < record.use_count; ++i) {
    uses_[record.first_use + i].user = id;
    if (const Value& value = inputs[i]) link(UseId{record.first_use + i}, value.id());
  }
  ++alive_;
  note_editor(id);
  ops_.add(*record.type, id);
  const Node node(this, id);
  if (node.is<Parameter>()) parameters_.push_back(id);
  if (node.is<Result>()) results_.push_back(id);
  note_bodies(id);
  return node;
}

std::vector<Node> Graph::take_edited() {
  std::vector<NodeId> ids = by_hand_ ? std::exchange(by_hand_->edited, {}) : std::vector<NodeId>();
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<Node> found;
  for (const NodeId id : ids)
    if (const Node edited = node(id); edited.alive()) found.push_back(edited);
  return found;
}

std::vector<std::pair<Node, std::string>> Graph::take_orphans() {
  std::vector<std::pair<Node, std::string>> found;
  for (const Orphan& orphan : by_hand_ ? std::exchange(by_hand_->orphans, {}) : std::vector<Orphan>()) {
    const InPort port(this, orphan.use);
    if (!uses_[orphan.use.index].user.valid() || !port.disconnected() || !port.node().alive()) continue;
    if (port.index() < port.node().in_port_count())
      found.emplace_back(port.node(), std::string(names_[orphan.producer]));
  }
  return found;
}

const std::string& Graph::editor_of(const Node& node) const {
  static const std::string kNone;
  if (!by_hand_) return kNone;
  const auto it = by_hand_->editors.find(node.id());
  return it == by_hand_->editors.end() ? kNone : it->second;
}

void Graph::note_bodies(NodeId id) {
  const NodeRecord& record = nodes_[id.index];
  if (!(record.type->dynamic || record.type->traits.owns_bodies) || node(id).bodies().empty()) return;
  body_owners_.push_back(id);
  note_change_of_bodies();
}

std::vector<Node> Graph::body_owners() const {
  std::vector<NodeId> ids = body_owners_;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<Node> owners;
  for (const NodeId id : ids)
    if (const Node owner = node(id); owner.alive() && !owner.bodies().empty()) owners.push_back(owner);
  return owners;
}

Node Graph::create_parameter(const TensorType& type, std::string_view node_name) {
  const Node node = create_node(Parameter{type.shape, type.element_type}, {}, 1, node_name);
  node.out_port(0).data().set_type(type);
  return node;
}

Node Graph::create_result(const Value& value, std::string_view node_name) {
  return create_node(Result{}, {value}, 0, node_name);
}

Node Graph::create_constant(Tensor tensor, std::string_view node_name) {
  MO_ASSERT(!tensor.empty(), "a constant without a value");
  const Node node = create_node(Const{tensor}, {}, 1, node_name);
  node.out_port(0).data().set_value(std::move(tensor));
  return node;
}

void Graph::erase(const Node& node) {
  NodeRecord& record = nodes_[node.id().index];
  MO_ASSERT(record.type != nullptr, "a node is erased twice");
  if (record.type->dynamic || record.type->traits.owns_bodies) note_change_of_bodies();
  for (std::uint32_t i = 0; i < record.use_count; ++i) unlink(UseId{record.first_use + i});
  for (std::uint32_t i = 0; i < record.value_count; ++i) {
    const OutPort port(this, ValueId{record.first_value + i});
    for (const InPort& reader : port.get_destinations())
      if (reader.node() != node) by_hand().orphans.push_back({reader.id(), record.name});
    port.disconnect();
    port.data().clear_value();
    port.data().clear_tensor_names();
  }
  std::vector<NodeId>* const listed = node.is<Parameter>() ? &parameters_ : node.is<Result>() ? &results_ : nullptr;
  record.type->destroy(record.payload);
  ops_.remove(*record.type);
  record.type = nullptr;
  record.payload = nullptr;
  // Others stay in the list until `compact`: code that removes many from its front must not move the rest each time.
  while (listed && !listed->empty() && !nodes_[listed->back().index].type) listed->pop_back();
  record.use_count = record.value_count = 0;
  record.sources = {};
  rt_info_.erase(node.id());
  if (by_hand_) by_hand_->editors.erase(node.id());
  control_inputs_.erase(node.id());
  --alive_;
}

void Graph::link(UseId use, ValueId value) {
  UseRecord& u = uses_[use.index];
  ValueRecord& v = values_[value.index];
  u.value = value;
  u.previous = v.last_use;
  u.next = UseId{};
  if (v.last_use.valid())
    uses_[v.last_use.index].next = use;
  else
    v.first_use = use;
  v.last_use = use;
}

void Graph::unlink(UseId use) {
  UseRecord& u = uses_[use.index];
  if (!u.value.valid()) return;
  ValueRecord& v = values_[u.value.index];
  (u.previous.valid() ? uses_[u.previous.index].next : v.first_use) = u.next;
  (u.next.valid() ? uses_[u.next.index].previous : v.last_use) = u.previous;
  u.value = ValueId{};
  u.next = u.previous = UseId{};
}

Graph::Known& Graph::known(ValueId value) {
  ValueRecord& record = values_[value.index];
  if (record.known == UseId::kNone) {
    if (free_known_.empty()) {
      record.known = static_cast<std::uint32_t>(known_.size());
      known_.emplace_back();
    } else {
      record.known = free_known_.back();
      free_known_.pop_back();
    }
  }
  return known_[record.known];
}

Node Graph::find_node(std::string_view node_name) const {
  const NameId wanted = names_.find(node_name);
  if (!wanted.valid()) return {};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].type && nodes_[i].name == wanted) return node(NodeId{i});
  return {};
}

std::vector<Node> Graph::living(const std::vector<NodeId>& ids) const {
  std::vector<Node> found;
  found.reserve(ids.size());
  for (const NodeId id : ids)
    if (nodes_[id.index].type) found.push_back(node(id));
  return found;
}

std::vector<Node> Graph::parameters() const { return living(parameters_); }
std::vector<Node> Graph::results() const { return living(results_); }

namespace {

std::vector<NodeId> reordered(const std::vector<Node>& now, const std::vector<Node>& ordered) {
  const auto ids = [](const std::vector<Node>& nodes) {
    std::vector<NodeId> list;
    for (const Node& node : nodes) list.push_back(node.id());
    return list;
  };
  const auto sorted = [](std::vector<NodeId> list) { return std::sort(list.begin(), list.end()), list; };
  MO_ASSERT(sorted(ids(now)) == sorted(ids(ordered)), "reordering changes the set");
  return ids(ordered);
}

}  // namespace

void Graph::reorder_parameters(const std::vector<Node>& ordered) { parameters_ = reordered(parameters(), ordered); }
void Graph::reorder_results(const std::vector<Node>& ordered) { results_ = reordered(results(), ordered); }

Expected<std::vector<Node>> Graph::topological_order() const {
  enum State : std::uint8_t { fresh, open, done };
  std::vector<std::uint8_t> state(nodes_.size(), fresh);
  std::vector<Node> order;
  order.reserve(alive_);
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;  ///< input, then control input, to look at
  };
  std::vector<Frame> stack;
  const auto reads_done_only = [&](const NodeRecord& record) {
    for (std::uint32_t k = 0; k < record.use_count; ++k)
      if (const ValueId value = uses_[record.first_use + k].value;
          value.valid() && state[values_[value.index].producer.index] != done)
        return false;
    return control_inputs_.empty();
  };
  for (std::uint32_t root = 0; root < nodes_.size(); ++root) {
    if (!nodes_[root].type || state[root] != fresh) continue;
    if (reads_done_only(nodes_[root])) {  // nearly all: models list their nodes in order
      state[root] = done;
      order.push_back(node(NodeId{root}));
      continue;
    }
    stack.push_back({root, 0});
    state[root] = open;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const NodeRecord& record = nodes_[frame.node];
      std::uint32_t before = NodeId::kNone;
      if (frame.next < record.use_count) {
        const UseRecord& use = uses_[record.first_use + frame.next++];
        if (!use.value.valid()) continue;
        before = values_[use.value.index].producer.index;
      } else if (!control_inputs_.empty()) {
        const auto it = control_inputs_.find(NodeId{frame.node});
        const std::uint32_t k = frame.next - record.use_count;
        if (it != control_inputs_.end() && k < it->second.size()) {
          ++frame.next;
          before = it->second[k].index;
          if (!nodes_[before].type) continue;
        }
      }
      if (before == NodeId::kNone) {
        state[frame.node] = done;
        order.push_back(node(NodeId{frame.node}));
        stack.pop_back();
      } else if (state[before] == fresh) {
        state[before] = open;
        stack.push_back({before, 0});
      } else if (state[before] == open) {
        std::string path;
        auto it = std::find_if(stack.begin(), stack.end(), [&](const Frame& f) { return f.node == before; });
        // The stack runs from reader to source; print in the direction of the data.
        std::size_t shown = 0;
        for (auto back = stack.end(); back != it + 1 && shown < 8; ++shown)
          path += fmt::format("'{}' -> ", node(NodeId{(--back)->node}).name());
        path += static_cast<std::size_t>(stack.end() - it) > shown + 1 ? "… -> " : "";
        return node(NodeId{before})
            .error("MO-GRAPH-0010", "the graph has a cycle: '{}' -> {}'{}'", node(NodeId{before}).name(), path,
                   node(NodeId{before}).name())
            .hint("a node must not depend on its own output; export the model again");
      }
    }
  }
  return order;
}

std::string Graph::unique_name(std::string_view base) const {
  if (!names_.find(base).valid()) return std::string(base);
  for (std::size_t i = 1;; ++i)
    if (std::string candidate = fmt::format("{}_{}", base, i); !names_.find(candidate).valid()) return candidate;
}

std::vector<std::string_view> Graph::names_of(NameSetId set) const {
  if (const NameId name = NameSets::single(set); name.valid()) return {names_[name]};
  std::vector<std::string_view> texts;
  for (const NameId name : name_sets_.names(set)) texts.push_back(names_[name]);
  return texts;
}

void Graph::adopt(std::unique_ptr<Graph> other) {
  note_change_of_bodies();
  std::swap(name, other->name);
  std::swap(properties, other->properties);
  std::swap(nodes_, other->nodes_);
  std::swap(uses_, other->uses_);
  std::swap(values_, other->values_);
  std::swap(known_, other->known_);
  std::swap(free_known_, other->free_known_);
  std::swap(names_, other->names_);
  std::swap(types_, other->types_);
  std::swap(origins_, other->origins_);
  std::swap(name_sets_, other->name_sets_);
  std::swap(control_inputs_, other->control_inputs_);
  std::swap(rt_info_, other->rt_info_);
  std::swap(by_hand_, other->by_hand_);
  std::swap(parameters_, other->parameters_);
  std::swap(results_, other->results_);
  std::swap(body_owners_, other->body_owners_);
  if (by_hand_) by_hand_->edited.clear(), by_hand_->orphans.clear();
  std::swap(ops_, other->ops_);
  std::swap(alive_, other->alive_);
  std::swap(has_types_, other->has_types_);
  std::swap(symbols_, other->symbols_);
}

std::size_t Graph::store_bytes() const {
  return nodes_.bytes() + uses_.bytes() + values_.bytes() + known_.capacity() * sizeof(Known) + names_.bytes() +
         name_sets_.bytes() + types_.bytes();
}

}  // namespace mo
