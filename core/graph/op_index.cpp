#include "core/graph/op_index.hpp"

#include <functional>
#include <utility>

namespace mo {
namespace {

std::uint32_t hash_of(const OpType& type) {
  const auto address = reinterpret_cast<std::uintptr_t>(&type);
  return static_cast<std::uint32_t>(address ^ (address >> 32));
}

std::uint32_t hash_of_name(std::string_view op_name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(op_name));
}

}  // namespace

OpIndex::Entry& OpIndex::entry(const OpType& type) {
  if (&type == last_type_) return entries_[last_];
  const std::uint32_t hash = hash_of(type);
  const std::uint32_t known = by_type_.find(hash, [&](std::uint32_t i) { return entries_[i].type == &type; });
  last_ = known != IndexTable::kNone ? known : add_entry(type, hash);
  last_type_ = &type;
  return entries_[last_];
}

std::uint32_t OpIndex::add_entry(const OpType& type, std::uint32_t hash) {
  const std::uint32_t name_hash = hash_of_name(type.name);
  const auto added = static_cast<std::uint32_t>(entries_.size());
  by_type_.make_room();
  by_name_.make_room();
  entries_.push_back({.type = &type, .nodes = {}});
  by_type_.put(hash, added);
  if (const std::uint32_t first = first_of_name(type.name, name_hash); first != IndexTable::kNone)
    entries_[added].next_of_name = std::exchange(entries_[first].next_of_name, added);
  else
    by_name_.put(name_hash, added);
  return added;
}

void OpIndex::add(const OpType& type, NodeId node) {
  Entry& one = entry(type);
  if (one.count++ == 0) ++arrivals_;
  if (!listed_) return;
  one.in_order = one.in_order && (one.nodes.empty() || one.nodes.back() < node);
  one.nodes.push_back(node);
}

void OpIndex::drop_lists() {
  listed_ = false;
  for (Entry& one : entries_) one.nodes = {};
}

std::uint32_t OpIndex::first_of_name(std::string_view op_name, std::uint32_t hash) const {
  return by_name_.find(hash, [&](std::uint32_t i) { return entries_[i].type->name == op_name; });
}

bool OpIndex::has(std::string_view op_name) const {
  for (std::uint32_t i = first_of_name(op_name, hash_of_name(op_name)); i != IndexTable::kNone;
       i = entries_[i].next_of_name)
    if (entries_[i].count > 0) return true;
  return false;
}

}  // namespace mo
