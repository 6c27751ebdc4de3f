#include "frontends/caffe/net_parameter/blob_names.hpp"

#include <algorithm>

#include "frontends/caffe/net_parameter/keys.hpp"

namespace mo::caffe {

bool is_constant(const Node& node) { return node.type() == "caffe::Const"; }

bool is_skipped(const Node& node) { return node.has_attr(kept_key::kSkipped); }

const AttributeList* kept_list(const AttributeValue* value) { return value ? value->get_if<AttributeList>() : nullptr; }

const std::vector<std::string>& kept_names(const Node& node, std::string_view key) {
  static const std::vector<std::string> kNone;
  const AttributeValue* const value = node.find_attribute(key);
  const auto* const names = value ? value->get_if<std::vector<std::string>>() : nullptr;
  return names ? *names : kNone;
}

BlobNames::BlobNames(const Graph& graph, const std::vector<Node>& order) {
  for (const Node& node : order)
    if (is_skipped(node))
      for (const std::string& top : kept_names(node, kept_key::kTops)) reserved_.insert(top);
  group(order);
  name_blobs(graph);
  for (const Blob& blob : blobs_) {
    for (const Value& value : blob.written) {
      const std::vector<std::string>& tops = kept_names(value.node(), kept_key::kTops);
      if (value.index() < tops.size()) renamed_[tops[value.index()]] = blob.name;
    }
  }
}

/// Which values share a blob.
void BlobNames::group(const std::vector<Node>& order) {
  std::unordered_map<NodeId, std::size_t> position;
  for (std::size_t i = 0; i < order.size(); ++i) position.emplace(order[i].id(), i);
  const auto is_last_reader = [&](const Node& node, const Value& value) {
    const std::vector<InPort> readers = value.get_destinations();
    return std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      return reader.node() == node || position.at(reader.node().id()) < position.at(node.id());
    });
  };
  // The bottom that the layer writes `top` over.
  const auto overwritten = [](const Node& node, std::size_t top) -> Value {
    const AttributeValue* const kept = node.find_attribute(kept_key::kInPlace);
    const auto* const pairs = kept ? kept->get_if<std::vector<std::int64_t>>() : nullptr;
    for (std::size_t i = 0; pairs && i + 1 < pairs->size(); i += 2) {
      const auto bottom = static_cast<std::size_t>((*pairs)[i + 1]);
      if (static_cast<std::size_t>((*pairs)[i]) == top && bottom < node.in_port_count()) return node.input(bottom);
    }
    return {};
  };
  for (const Node& node : order) {
    if (is_constant(node)) continue;
    for (const OutPort& port : node.out_ports()) {
      const std::vector<InPort> readers = port.get_destinations();
      // What only training makes and reads has no say in what blobs are called.
      if (is_skipped(node) &&
          std::all_of(readers.begin(), readers.end(), [](const InPort& reader) { return is_skipped(reader.node()); }))
        continue;
      const Value under = overwritten(node, port.index());
      const auto found = under ? blob_of_.find(under.id()) : blob_of_.end();
      if (found != blob_of_.end() && blobs_[found->second].written.back() == under && is_last_reader(node, under)) {
        blobs_[found->second].written.push_back(port);
        blob_of_.emplace(port.id(), found->second);
      } else {
        blob_of_.emplace(port.id(), blobs_.size());
        blobs_.push_back({{port}, {}});
      }
    }
  }
}

std::string BlobNames::name_of_layer(const Value& value) const {
  return value.index() == 0 ? std::string(value.node().name())
                            : fmt::format("{}_{}", value.node().name(), value.index());
}

std::string BlobNames::free_name(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; by_name_.contains(name) || reserved_.contains(name); ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
}

void BlobNames::name_blobs(const Graph& graph) {
  std::unordered_map<std::string_view, const std::vector<std::string>*> known;
  if (const AttributeList* const list = kept_list(graph.properties.find(kept_key::kBlobNames)))
    for (const AttributeValue& entry : *list) {
      const AttributeList& parts = *entry.get_if<AttributeList>();
      known.emplace(*parts[0].get_if<std::string>(), parts[1].get_if<std::vector<std::string>>());
    }
  // Backwards: where layers are not in place any more, the last one has the name by which others ask for the blob.
  for (std::size_t i = blobs_.size(); i-- > 0;) {
    Blob& blob = blobs_[i];
    for (auto value = blob.written.rbegin(); value != blob.written.rend() && blob.name.empty(); ++value) {
      const auto found = known.find(value->node().name());
      if (found == known.end() || value->index() >= found->second->size()) continue;
      const std::string& name = (*found->second)[value->index()];
      if (by_name_.emplace(name, i).second) blob.name = name;
    }
  }
  for (std::size_t i = 0; i < blobs_.size(); ++i) {
    if (!blobs_[i].name.empty()) continue;
    blobs_[i].name = free_name(name_of_layer(blobs_[i].written.front()));
    by_name_.emplace(blobs_[i].name, i);
  }
}

const std::string& BlobNames::of(const Value& value) const {
  if (const auto found = blob_of_.find(value.id()); found != blob_of_.end()) return blobs_[found->second].name;
  return renamed(kept_names(value.node(), kept_key::kTops).at(value.index()));
}

const std::string& BlobNames::renamed(const std::string& name) const {
  const auto found = renamed_.find(name);
  return found == renamed_.end() ? name : found->second;
}

Value BlobNames::last(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? Value() : blobs_[found->second].written.back();
}

}  // namespace mo::caffe
