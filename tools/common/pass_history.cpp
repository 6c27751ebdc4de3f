#include "tools/common/pass_history.hpp"

#include <algorithm>
#include <functional>

#include "core/text/printer.hpp"

namespace mo::tools {
namespace {

void mix(std::uint64_t& state, std::uint64_t more) { state = (state ^ more) * 0x9E3779B97F4A7C15U + (state >> 29); }
void mix_text(std::uint64_t& state, std::string_view text) { mix(state, std::hash<std::string_view>()(text)); }

void mix_value(std::uint64_t& state, const AttributeValue& value);

void mix_list(std::uint64_t& state, const auto& values) {
  for (const auto& value : values)
    mix(state, static_cast<std::uint64_t>(std::hash<std::decay_t<decltype(value)>>()(value)));
}

void mix_attributes(std::uint64_t& state, const AttributeMap& attributes) {
  for (const AttributeMap::Item& item : attributes) {
    mix_text(state, item.name);
    mix_value(state, item.value);
  }
}

void mix_value(std::uint64_t& state, const AttributeValue& value) {
  if (const bool* flag = value.get_if<bool>()) mix(state, std::uint64_t{*flag});
  if (const std::int64_t* whole = value.get_if<std::int64_t>()) mix(state, static_cast<std::uint64_t>(*whole));
  if (const double* real = value.get_if<double>()) mix(state, std::hash<double>()(*real));
  if (const std::string* text = value.get_if<std::string>()) mix_text(state, *text);
  if (const ElementType* type = value.get_if<ElementType>()) mix(state, static_cast<std::uint64_t>(*type));
  if (const PartialShape* shape = value.get_if<PartialShape>()) mix_text(state, shape->to_string());
  if (const auto* wholes = value.get_if<std::vector<std::int64_t>>()) mix_list(state, *wholes);
  if (const auto* reals = value.get_if<std::vector<double>>()) mix_list(state, *reals);
  if (const auto* texts = value.get_if<std::vector<std::string>>()) mix_list(state, *texts);
  if (const Tensor* tensor = value.get_if<Tensor>()) mix_text(state, tensor->type().to_string());
  if (const Body* body = value.get_if<Body>()) mix_text(state, to_text(body->graph()));
  if (const AttributeList* list = value.get_if<AttributeList>())
    for (const AttributeValue& item : *list) mix_value(state, item);
  if (const AttributeMap* map = value.map()) mix_attributes(state, *map);
}

void sort_and_unite(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

PassHistory::Record PassHistory::record_of(const Node& node) {
  Record record;
  mix_text(record.state, node.type());
  mix(record.state, static_cast<std::uint64_t>(node.op_type().version));
  mix_text(record.state, node.name());
  if (!node.is<Const>()) mix_attributes(record.state, node.attributes());
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value source = node.input(i);
    mix(record.state, source ? std::uint64_t{source.id().index} + 1 : 0);
  }
  for (std::size_t i = 0; i < node.out_port_count(); ++i) mix_text(record.state, node.output_type(i).to_string());
  for (const std::string_view source : node.sources()) record.sources.emplace_back(source);
  if (record.sources.empty() && !node.name().empty()) record.sources.emplace_back(node.name());
  return record;
}

void PassHistory::watch(PassRunner& runner, const Graph& graph) {
  graph_ = &graph;
  for (const Node node : graph.nodes()) records_[node.id()] = record_of(node);
  runner.also_after_pass([this](const PassEvent& event) {
    if (event.changed) look(event.graph, event.pass.name);
  });
}

void PassHistory::look(const Graph& graph, const std::string& pass) {
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.push_back(pass);
  std::map<NodeId, Record> now;
  std::vector<NodeId> made;
  for (const Node node : graph.nodes()) {
    Record record = record_of(node);
    if (const auto before = records_.find(node.id()); before != records_.end()) {
      record.passes = std::move(before->second.passes);
      record.merging = std::move(before->second.merging);
      const bool merged = record.sources.size() > before->second.sources.size();
      if (merged) record.merging.push_back(number);
      if (merged || record.state != before->second.state) record.passes.push_back(number);
      records_.erase(before);
    } else {
      made.push_back(node.id());
    }
    now.emplace(node.id(), std::move(record));
  }
  // What is left has vanished: its history goes on with what stands for the same nodes of the source.
  std::multimap<std::string_view, const Record*> vanished;
  for (const auto& [id, record] : records_)
    for (const std::string& source : record.sources) vanished.emplace(source, &record);
  for (const NodeId id : made) {
    Record& record = now.at(id);
    std::size_t largest = 0;
    for (const std::string& source : record.sources) {
      const auto [first, last] = vanished.equal_range(source);
      for (auto it = first; it != last; ++it) {
        const Record& old = *it->second;
        largest = std::max(largest, old.sources.size());
        record.passes.insert(record.passes.end(), old.passes.begin(), old.passes.end());
        record.merging.insert(record.merging.end(), old.merging.begin(), old.merging.end());
      }
    }
    record.passes.push_back(number);
    if (largest > 0 && record.sources.size() > largest) record.merging.push_back(number);
    sort_and_unite(record.passes);
    sort_and_unite(record.merging);
  }
  records_ = std::move(now);
}

std::vector<std::string> PassHistory::names_of(const std::vector<std::uint32_t>& passes) const {
  std::vector<std::string> names;
  for (const std::uint32_t number : passes) names.push_back(names_[number]);
  return names;
}

std::vector<std::string> PassHistory::of(const Node& node) const {
  const auto it = records_.find(node.id());
  return it == records_.end() || &node.graph() != graph_ ? std::vector<std::string>() : names_of(it->second.passes);
}

std::vector<std::string> PassHistory::merged_by(const Node& node) const {
  const auto it = records_.find(node.id());
  return it == records_.end() || &node.graph() != graph_ ? std::vector<std::string>() : names_of(it->second.merging);
}

}  // namespace mo::tools
