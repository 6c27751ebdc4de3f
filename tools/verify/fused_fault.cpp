#include "tools/verify/fused_fault.hpp"

#include <map>
#include <set>

namespace mo::tools {
namespace {

constexpr std::size_t kMostRuns = 60;

class FusedFault {
 public:
  FusedFault(Engine& engine, EngineJob job, const Graph& graph, const Truth& right, const Closeness& closeness)
      : engine_(engine), job_(std::move(job)), graph_(graph), closeness_(closeness) {
    for (std::size_t i = 0; i < right.size(); ++i) right_.emplace(right[i].made.id(), right[i].value);
  }

  Expected<std::optional<LayerCheck>> find(const Value& output) {
    MO_ASSIGN(const std::vector<Value> chain, leading_to(output));
    if (chain.empty()) return std::nullopt;
    // Right at `right` values, wrong at the last one.
    std::size_t right = 0;
    std::size_t wrong = chain.size();
    while (wrong > right + 1) {
      const std::size_t middle = right + (wrong - right) / 2;
      MO_ASSIGN(const bool is_bad, is_wrong(chain[middle - 1]));
      (is_bad ? wrong : right) = middle;
    }
    Value found = chain[wrong - 1];
    MO_ASSIGN(const bool is_bad, is_wrong(found));
    if (!is_bad) return std::nullopt;
    // Branches that are right may lie before it in the order: what it reads decides.
    for (bool moved = true; moved;) {
      moved = false;
      for (const InPort& input : found.node().in_ports()) {
        const Value source = input.get_source();
        if (!source) continue;
        MO_ASSIGN(const bool source_is_bad, is_wrong(source));
        if (!source_is_bad) continue;
        found = source;
        moved = true;
        break;
      }
    }
    return layer_of(found);
  }

 private:
  /// In topological order.
  Expected<std::vector<Value>> leading_to(const Value& output) const {
    std::set<ValueId> reached;
    std::vector<Value> open = {output};
    while (!open.empty()) {
      const Value value = open.back();
      open.pop_back();
      if (!reached.insert(value.id()).second) continue;
      for (const InPort& input : value.node().in_ports())
        if (const Value source = input.get_source()) open.push_back(source);
    }
    std::vector<Value> chain;
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (const Node& node : order)
      for (const OutPort& port : node.out_ports())
        if (reached.contains(port.id()) && right_.contains(port.id())) chain.push_back(port);
    return chain;
  }

  /// Constants, inputs, and what the engine does not give are not wrong.
  Expected<bool> is_wrong(const Value& value) {
    const auto expected = right_.find(value.id());
    if (expected == right_.end()) return false;
    if (const auto known = seen_.find(value.id()); known != seen_.end())
      return known->second && !known->second->close();
    if (seen_.size() >= kMostRuns) return false;
    std::optional<TensorDifference>& difference = seen_[value.id()];
    job_.tensors = names_of(value);
    MO_ASSIGN(const EngineRun run, engine_.run(job_));
    const Truth tensors = true_tensors(run, graph_);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].made.id() == value.id()) {
        MO_ASSIGN(difference, difference_of(tensors[i].value, expected->second, closeness_));
      }
    return difference && !difference->close();
  }

  LayerCheck layer_of(const Value& value) const {
    const Node node = value.node();
    const std::string name(node.name());
    LayerCheck layer{
        .layer = name, .type = std::string(node.type()), .tensor = names_of(value).front(), .region = {name}};
    for (const InPort& input : node.in_ports())
      if (const Value source = input.get_source(); source && !source.node().is<Const>())
        layer.right_inputs.emplace_back(source.node().name());
    layer.difference = *seen_.at(value.id());
    return layer;
  }

  Engine& engine_;
  EngineJob job_;
  const Graph& graph_;
  const Closeness& closeness_;
  std::map<ValueId, Tensor> right_;
  std::map<ValueId, std::optional<TensorDifference>> seen_;
};

}  // namespace

Expected<std::optional<LayerCheck>> find_fused_fault(Engine& engine, EngineJob job, const Graph& graph,
                                                     const Truth& right, const Value& output,
                                                     const Closeness& closeness) {
  return FusedFault(engine, std::move(job), graph, right, closeness).find(output);
}

}  // namespace mo::tools
