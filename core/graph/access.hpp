#pragma once

#include "core/graph/graph.hpp"

/// What every walk over a graph asks of each node, without a call. Part of core/graph/graph.hpp.
namespace mo {

inline bool Node::alive() const { return graph_ && graph_->nodes_[id_.index].type != nullptr; }

inline const OpType& Node::op_type() const {
  const OpType* type = here().nodes_[id_.index].type;
  if (type == nullptr) erased();
  return *type;
}

inline void* Node::payload() const { return here().nodes_[id_.index].payload; }
inline NameId Node::name_id() const { return here().nodes_[id_.index].name; }
inline std::size_t Node::in_port_count() const { return here().nodes_[id_.index].use_count; }
inline std::size_t Node::out_port_count() const { return here().nodes_[id_.index].value_count; }

inline Node OutPort::node() const { return {&here(), here().values_[id_.index].producer}; }
inline Node InPort::node() const { return {&here(), here().uses_[id_.index].user}; }

inline bool OutPort::has_one_destination() const {
  const UseId first = here().values_[id_.index].first_use;
  return first.valid() && !here().uses_[first.index].next.valid();
}

inline bool OutPort::disconnected() const { return !here().values_[id_.index].first_use.valid(); }

inline OutPort InPort::get_source() const {
  const ValueId value = here().uses_[id_.index].value;
  return value.valid() ? OutPort(graph_, value) : OutPort();
}

}  // namespace mo
