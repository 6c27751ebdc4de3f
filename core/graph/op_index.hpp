#pragma once

#include <string_view>
#include <vector>

#include "core/graph/ids.hpp"
#include "core/op/op_type.hpp"
#include "core/support/index_table.hpp"

namespace mo {

/// Which ops the nodes of a graph have: how many nodes of each, always; and which nodes, from the first walk over the
/// nodes of some op (`OpWalk`), so that a graph without walks pays for no list.
class OpIndex {
 public:
  /// A node that has this op from now on.
  void add(const OpType& type, NodeId node);
  /// A node that had this op has it no more.
  void remove(const OpType& type) { --entry(type).count; }
  /// Forgets which nodes have which op, not how many: until the next walk.
  void drop_lists();

  /// Whether some node has an op of this name. O(classes of that name).
  bool has(std::string_view op_name) const;
  /// Whether some node has an op for which `wanted` holds. O(number of different ops).
  template <class Predicate>
  bool any(Predicate wanted) const {
    for (const Entry& one : entries_)
      if (one.count > 0 && wanted(*one.type)) return true;
    return false;
  }
  /// Another number whenever an op comes that no node had: what could not match may match then.
  std::uint32_t arrivals() const { return arrivals_; }

 private:
  friend class Graph;
  friend class OpWalk;

  struct Entry {
    const OpType* type = nullptr;
    std::uint32_t count = 0;
    std::uint32_t next_of_name = IndexTable::kNone;  ///< another class of this name
    bool in_order = true;                            ///< `nodes` is sorted
    /// that had the op when it was noted: some may be erased, or have another one
    std::vector<NodeId> nodes;
  };
  Entry& entry(const OpType& type);
  std::uint32_t add_entry(const OpType& type, std::uint32_t hash);
  std::uint32_t first_of_name(std::string_view op_name, std::uint32_t hash) const;

  std::vector<Entry> entries_;  ///< in the order of arrival; one for each op that some node has or had
  IndexTable by_type_;
  IndexTable by_name_;  ///< of the first entry of each name
  std::uint32_t arrivals_ = 0;
  bool listed_ = false;
  int walks_ = 0;
  std::vector<NodeId> retyped_;  ///< nodes that got another op during a walk
  // Neighbours are often of one op: saves looking it up.
  const OpType* last_type_ = nullptr;
  std::uint32_t last_ = 0;
};

}  // namespace mo
