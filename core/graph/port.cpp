#include "core/graph/port.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/misuse.hpp"
#include "core/graph/graph.hpp"

namespace mo {
namespace {

Expected<void> same_graph(const OutPort& source, const InPort& destination) {
  if (&source.graph() == &destination.graph()) return {};
  return destination.node()
      .error("MO-GRAPH-0003", "a port of another graph cannot be connected here")
      .hint("pass it into the body as a Parameter");
}

Expected<InPort> only(const std::vector<InPort>& destinations, const Node& node) {
  if (destinations.size() == 1) return destinations.front();
  if (destinations.empty())
    return node.error("MO-GRAPH-0002", "the port is not connected").hint("ask `disconnected()` first");
  return node.error("MO-GRAPH-0001", "the port has {} destinations, one was requested", destinations.size())
      .hint("use get_destinations()");
}

}  // namespace

// -- PortData ---------------------------------------------------------------------------------------------------------

const Tensor* PortData::value() const {
  const std::uint32_t known = graph_->values_[id_.index].known;
  return known != UseId::kNone && !graph_->known_[known].value.empty() ? &graph_->known_[known].value : nullptr;
}

const PartialValue* PortData::partial_value() const {
  const std::uint32_t known = graph_->values_[id_.index].known;
  return known != UseId::kNone ? graph_->known_[known].partial.get() : nullptr;
}

TensorFact PortData::fact() const {
  TensorFact fact{type(), {}, {}};
  if (const std::uint32_t known = graph_->values_[id_.index].known; known != UseId::kNone) {
    fact.value = graph_->known_[known].value;
    fact.partial = graph_->known_[known].partial;
  }
  return fact;
}

FactView PortData::view() const {
  FactView view{&type()};
  if (const std::uint32_t known = graph_->values_[id_.index].known; known != UseId::kNone) {
    const Graph::Known& what = graph_->known_[known];
    if (!what.value.empty()) view.value = &what.value;
    if (what.partial) view.partial = &what.partial;
  }
  return view;
}

void PortData::set_type(const TensorType& type) const {
  if (this->type() == type) return;
  graph_->values_[id_.index].type =
      type.element_type == ElementType::dynamic && !type.shape.has_rank() ? TypeId{} : graph_->types_.intern(type);
}

void PortData::set_value(Tensor value) const {
  set_type(value.type());
  Graph::Known& known = graph_->known(id_);
  known.value = std::move(value);
  known.partial = nullptr;
}

void PortData::set_partial_value(PartialValue value) const {
  Graph::Known& known = graph_->known(id_);
  known.value = {};
  known.partial = std::make_shared<const PartialValue>(std::move(value));
}

void PortData::clear_value() const {
  std::uint32_t& known = graph_->values_[id_.index].known;
  if (known == UseId::kNone) return;
  graph_->known_[known] = {};
  graph_->free_known_.push_back(known);
  known = UseId::kNone;
}

std::vector<std::string_view> PortData::tensor_names() const {
  return graph_->names_of(graph_->values_[id_.index].tensor_names);
}

std::string_view PortData::first_tensor_name() const {
  const NameId first = graph_->name_sets_.first(graph_->values_[id_.index].tensor_names);
  return first.valid() ? graph_->names_[first] : std::string_view();
}

std::string PortData::result_name() const {
  if (const std::string_view name = first_tensor_name(); !name.empty()) return fmt::format("{}/sink_port_0", name);
  const OutPort port(graph_, id_);
  return fmt::format("{}/sink_port_{}", port.node().name(), port.index());
}

void PortData::add_tensor_name(std::string_view name) const { add_tensor_name(graph_->names_.intern(name)); }

void PortData::add_tensor_name(NameId id) const {
  NameSetId& own = graph_->values_[id_.index].tensor_names;
  own = graph_->name_sets_.unite(own, NameSets::of(id));
}

void PortData::add_tensor_names_of(const PortData& other) const {
  if (graph_ != other.graph_) {
    for (const std::string_view name : other.tensor_names()) add_tensor_name(name);
    return;
  }
  NameSetId& own = graph_->values_[id_.index].tensor_names;
  own = graph_->name_sets_.unite(own, graph_->values_[other.id_.index].tensor_names);
}

void PortData::clear_tensor_names() const { graph_->values_[id_.index].tensor_names = {}; }

// -- OutPort ----------------------------------------------------------------------------------------------------------

OutPort OutPort::absent(const Node& node, std::size_t port) {
  OutPort handle(&node.graph(), ValueId{node.id().index});
  handle.absent_ = static_cast<std::uint32_t>(port);
  return handle;
}

void OutPort::misused() const {
  if (graph_ == nullptr) throw Misuse("an empty value was used: no tensor, or that of an input that is not connected");
  const Node node = graph_->node(NodeId{id_.index});
  throw Misuse(fmt::format("output port {} was used, but the node has {}", absent_, node.out_port_count()),
               std::string(node.name()));
}

std::size_t OutPort::index() const {
  return id_.index - here().nodes_[here().values_[id_.index].producer.index].first_value;
}

std::vector<InPort> OutPort::get_destinations() const {
  std::vector<InPort> found;
  for (UseId use = here().values_[id_.index].first_use; use.valid(); use = here().uses_[use.index].next)
    found.emplace_back(graph_, use);
  return found;
}

Expected<InPort> OutPort::get_destination() const { return only(get_destinations(), node()); }

std::size_t OutPort::destination_count() const {
  std::size_t count = 0;
  for (UseId use = here().values_[id_.index].first_use; use.valid(); use = here().uses_[use.index].next) ++count;
  return count;
}

Expected<void> OutPort::connect(const InPort& destination) const { return destination.connect(*this); }

void OutPort::disconnect() const {
  while (here().values_[id_.index].first_use.valid()) here().unlink(here().values_[id_.index].first_use);
}

Connection OutPort::get_connection() const { return {*this, get_destinations(), true}; }

// -- InPort -----------------------------------------------------------------------------------------------------------

InPort InPort::absent(const Node& node, std::size_t port) {
  InPort handle(&node.graph(), UseId{node.id().index});
  handle.absent_ = static_cast<std::uint32_t>(port);
  return handle;
}

void InPort::misused() const {
  if (graph_ == nullptr) throw Misuse("an empty input port was used");
  const Node node = graph_->node(NodeId{id_.index});
  throw Misuse(fmt::format("input port {} was used, but the node has {}", absent_, node.in_port_count()),
               std::string(node.name()));
}

std::size_t InPort::index() const { return id_.index - here().nodes_[here().uses_[id_.index].user.index].first_use; }

PortData InPort::data() const {
  const OutPort source = get_source();
  if (!source)
    throw Misuse(fmt::format("input port {} is not connected, and its data were requested", index()),
                 std::string(node().name()));
  return source.data();
}

Expected<void> InPort::connect(const OutPort& source) const {
  MO_TRY(same_graph(source, *this));
  if (get_source() == source) return {};
  here().unlink(id_);
  here().link(id_, source.id());
  here().note_edit(node().id());
  return {};
}

void InPort::disconnect() const {
  here().unlink(id_);
  here().note_edit(node().id());
}

Connection InPort::get_connection() const {
  const OutPort source = get_source();
  return {source, source ? std::vector<InPort>{*this} : std::vector<InPort>{}, false};
}

// -- Connection -------------------------------------------------------------------------------------------------------

Expected<InPort> Connection::get_destination() const {
  if (empty()) return error("MO-GRAPH-0002", "the connection is empty").hint("ask `disconnected()` of the port first");
  return only(destinations_, source_.node());
}

Expected<void> Connection::set_source(const OutPort& source, TensorNames names) {
  for (const InPort& destination : destinations_) MO_TRY(destination.connect(source));
  // Names follow the tensor only when all of its readers do; one reader that looks elsewhere renames nothing.
  if (whole_ && source_ && source_ != source && names != TensorNames::source) {
    if (names == TensorNames::dest) source.data().clear_tensor_names();
    source.data().add_tensor_names_of(source_.data());
    source_.data().clear_tensor_names();
  }
  source_ = source;
  return {};
}

Expected<void> Connection::set_destination(const InPort& destination) {
  if (!source_) return error("MO-GRAPH-0002", "the connection has no source");
  MO_TRY(same_graph(source_, destination));
  remove();
  MO_TRY(destination.connect(source_));
  destinations_ = {destination};
  return {};
}

Expected<void> Connection::add_destination(const InPort& destination) {
  if (!source_) return error("MO-GRAPH-0002", "the connection has no source");
  MO_TRY(destination.connect(source_));
  destinations_.push_back(destination);
  return {};
}

void Connection::remove() {
  for (const InPort& destination : destinations_) destination.disconnect();
  destinations_.clear();
}

}  // namespace mo
