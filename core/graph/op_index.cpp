#include "core/graph/op_index.hpp"

#include <algorithm>

namespace mo {

OpIndex::Entry& OpIndex::entry(const OpType& type) {
  if (&type == last_type_) return *last_;
  const auto [it, is_new] = entries_.try_emplace(&type);
  if (is_new) by_name_[type.name].push_back(&type);
  last_type_ = &type;
  last_ = &it->second;  // an unordered_map moves no elements
  return it->second;
}

void OpIndex::add(const OpType& type, NodeId node) {
  Entry& one = entry(type);
  if (one.count++ == 0) ++arrivals_;
  if (!listed_) return;
  one.in_order = one.in_order && (one.nodes.empty() || one.nodes.back() < node);
  one.nodes.push_back(node);
}

bool OpIndex::has(std::string_view op_name) const {
  const auto it = by_name_.find(op_name);
  return it != by_name_.end() && std::any_of(it->second.begin(), it->second.end(), [&](const OpType* type) { return entries_.at(type).count > 0; });
}

}  // namespace mo
