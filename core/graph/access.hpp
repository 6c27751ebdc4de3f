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

inline InPort Node::in_port(std::size_t i) const {
  const Graph::NodeRecord& record = here().nodes_[id_.index];
  return i < record.use_count ? InPort(graph_, UseId{record.first_use + static_cast<std::uint32_t>(i)})
                              : InPort::absent(*this, i);
}

inline OutPort Node::out_port(std::size_t i) const {
  const Graph::NodeRecord& record = here().nodes_[id_.index];
  return i < record.value_count ? OutPort(graph_, ValueId{record.first_value + static_cast<std::uint32_t>(i)})
                                : OutPort::absent(*this, i);
}

inline Value Node::input(std::size_t i) const {
  const Graph::NodeRecord& record = here().nodes_[id_.index];
  if (i >= record.use_count) return {};
  const ValueId source = graph_->uses_[record.first_use + static_cast<std::uint32_t>(i)].value;
  return source.valid() ? Value(graph_, source) : Value();
}

inline const TensorType& PortData::type() const { return graph_->types_[graph_->values_[id_.index].type]; }

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
