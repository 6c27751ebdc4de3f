#include "core/graph/op_walk.hpp"

#include <algorithm>

namespace mo {

OpWalk::OpWalk(Graph& graph, std::function<bool(const OpType&)> wanted)
    : graph_(&graph), wanted_(std::move(wanted)), end_(graph.node_capacity()) {
  OpIndex& index = graph.ops_;
  if (!index.listed_) {
    index.listed_ = true;
    for (const Node node : graph.nodes()) index.entry(node.op_type()).nodes.push_back(node.id());
  }
  if (index.walks_++ == 0) index.retyped_.clear();
  seen_retyped_ = index.retyped_.size();
  std::size_t lists = 0;
  for (OpIndex::Entry& entry : index.entries_) {
    if (entry.nodes.empty() || !wanted_(*entry.type)) continue;
    if (!entry.in_order) std::sort(entry.nodes.begin(), entry.nodes.end());
    entry.in_order = true;
    // Nodes that are gone leave the list now. A node that came back to the op is in it twice.
    if (entry.nodes.size() != entry.count) {
      entry.nodes.erase(std::unique(entry.nodes.begin(), entry.nodes.end()), entry.nodes.end());
      std::erase_if(entry.nodes, [&](NodeId id) { return graph.nodes_[id.index].type != entry.type; });
    }
    nodes_.insert(nodes_.end(), entry.nodes.begin(), entry.nodes.end());
    ++lists;
  }
  if (lists > 1) std::sort(nodes_.begin(), nodes_.end());
}

OpWalk::~OpWalk() { --graph_->ops_.walks_; }

void OpWalk::note_retyped() {
  const std::vector<NodeId>& retyped = graph_->ops_.retyped_;
  for (; seen_retyped_ < retyped.size(); ++seen_retyped_) {
    const NodeId id = retyped[seen_retyped_];
    const OpType* type = graph_->nodes_[id.index].type;
    const bool ahead = id.index < end_ && (!at_.valid() || id > at_);
    if (ahead && type && wanted_(*type) &&
        !std::binary_search(nodes_.begin() + static_cast<std::ptrdiff_t>(place_), nodes_.end(), id))
      late_.insert(id);
  }
}

Node OpWalk::next() {
  note_retyped();
  while (place_ < nodes_.size() || !late_.empty()) {
    if (late_.empty() || (place_ < nodes_.size() && nodes_[place_] < *late_.begin()))
      at_ = nodes_[place_++];
    else
      at_ = late_.extract(late_.begin()).value();
    if (const Node node = graph_->node(at_); node.alive()) return node;
  }
  return {};
}

}  // namespace mo
