#include <algorithm>

#include "core/graph/graph.hpp"

namespace mo {

void Graph::compact() {
  std::vector<NodeId> new_node(nodes_.size());
  std::vector<UseId> new_use(uses_.size());
  std::vector<ValueId> new_value(values_.size());
  // One store after the other, so that the graph is not in memory twice. Nodes move down in theirs.
  std::uint32_t node_count = 0;
  std::uint32_t use_count = 0;
  std::uint32_t value_count = 0;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    NodeRecord record = nodes_[i];
    if (!record.type) continue;
    for (std::uint32_t k = 0; k < record.use_count; ++k) new_use[record.first_use + k] = UseId{use_count + k};
    for (std::uint32_t k = 0; k < record.value_count; ++k) new_value[record.first_value + k] = ValueId{value_count + k};
    record.first_use = record.use_count > 0 ? use_count : 0;
    record.first_value = record.value_count > 0 ? value_count : 0;
    use_count += record.use_count;
    value_count += record.value_count;
    new_node[i] = NodeId{node_count};
    nodes_[node_count++] = record;
  }
  nodes_.shrink(node_count);
  const auto use_of = [&](UseId id) { return id.valid() ? new_use[id.index] : id; };
  ChunkedStore<UseRecord> uses;
  if (use_count > 0) uses.grow(use_count);
  for (std::uint32_t i = 0; i < uses_.size(); ++i) {
    if (!new_use[i].valid()) continue;
    const UseRecord& from = uses_[i];
    uses[new_use[i].index] = {from.value.valid() ? new_value[from.value.index] : from.value, new_node[from.user.index],
                              use_of(from.next), use_of(from.previous)};
  }
  uses_ = std::move(uses);
  uses = {};
  ChunkedStore<ValueRecord> values;
  if (value_count > 0) values.grow(value_count);
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    if (!new_value[i].valid()) continue;
    ValueRecord record = values_[i];
    record.producer = new_node[record.producer.index];
    record.first_use = use_of(record.first_use);
    record.last_use = use_of(record.last_use);
    values[new_value[i].index] = record;
  }
  values_ = std::move(values);
  const auto rekey = [](auto& map, const auto& ids) {
    std::decay_t<decltype(map)> moved;
    for (auto& [id, content] : map)
      if (ids[id.index].valid()) moved.emplace(ids[id.index], std::move(content));
    map = std::move(moved);
  };
  rekey(control_inputs_, new_node);
  rekey(rt_info_, new_node);
  if (by_hand_) rekey(by_hand_->editors, new_node);
  for (auto& [id, before] : control_inputs_) {
    std::erase_if(before, [&](NodeId b) { return !new_node[b.index].valid(); });
    for (NodeId& b : before) b = new_node[b.index];
  }
  for (std::vector<NodeId>* list : {&parameters_, &results_, &body_owners_}) {
    for (NodeId& id : *list) id = new_node[id.index];
    std::erase_if(*list, [](NodeId id) { return !id.valid(); });
  }
  if (by_hand_) by_hand_->edited.clear(), by_hand_->orphans.clear();
  ops_.drop_lists();
  std::vector<NameSetId*> sets;
  const auto keep = [&](NameSetId& set) {
    if (NameSets::is_union(set)) sets.push_back(&set);
  };
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) keep(nodes_[i].sources);
  for (std::uint32_t i = 0; i < values_.size(); ++i) keep(values_[i].tensor_names);
  name_sets_.keep_only(sets);
}

}  // namespace mo
