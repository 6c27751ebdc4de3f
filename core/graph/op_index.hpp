#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/ids.hpp"
#include "core/op/op_type.hpp"

namespace mo {

/// Which ops the nodes of a graph have: how many nodes of each, always; and which nodes, from the first time that somebody walks over the nodes
/// of some op (`OpWalk`), so that a graph which nobody walks pays for no list.
class OpIndex {
 public:
  /// A node that has this op from now on.
  void add(const OpType& type, NodeId node);
  /// A node that had this op has it no more.
  void remove(const OpType& type) { --entry(type).count; }

  /// Whether some node has an op of this name. O(classes of that name).
  bool has(std::string_view op_name) const;
  /// Whether some node has an op for which `wanted` holds. O(number of different ops).
  template <class Predicate>
  bool any(Predicate wanted) const {
    for (const auto& [type, one] : entries_)
      if (one.count > 0 && wanted(*type)) return true;
    return false;
  }
  /// Another number whenever an op comes that no node had: what could not match may match then.
  std::uint32_t arrivals() const { return arrivals_; }

 private:
  friend class Graph;
  friend class OpWalk;

  struct Entry {
    std::uint32_t count = 0;
    bool in_order = true;       ///< `nodes` is sorted
    std::vector<NodeId> nodes;  ///< that had the op when it was noted: some may be erased, or have another one
  };
  Entry& entry(const OpType& type);

  std::unordered_map<const OpType*, Entry> entries_;
  std::unordered_map<std::string_view, std::vector<const OpType*>> by_name_;
  std::uint32_t arrivals_ = 0;
  bool listed_ = false;
  int walks_ = 0;
  std::vector<NodeId> retyped_;  ///< nodes that got another op during a walk
  // Neighbours are often of one op: saves hashing.
  const OpType* last_type_ = nullptr;
  Entry* last_ = nullptr;
};

}  // namespace mo
