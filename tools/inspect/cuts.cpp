#include "tools/inspect/cuts.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/graph/bodies.hpp"
#include "phases/front/way_around.hpp"
#include "tools/inspect/forward.hpp"

namespace mo::tools {
namespace {

/// Longer lists do not help.
constexpr std::size_t kMostEnds = 8;

using Marks = std::vector<bool>;  // by id of the node

class Cutter {
 public:
  Cutter(const Graph& graph, const std::vector<std::string>& refused)
      : graph_(graph), bad_(graph.node_capacity()), live_(graph.node_capacity()), part_(graph.node_capacity(), kNone) {
    after_training_ = reached_from(is_of_training);
    mark_bad(refused);
    live_ = reached_from([this](const Node& node) { return node.is<Parameter>() || is_bad(node); });
  }

  std::vector<Part> parts() {
    std::vector<Part> found = connected_parts();
    for (Part& part : leading_parts()) found.push_back(std::move(part));
    std::erase_if(found, [](const Part& part) {
      return part.ops == 0 || part.outputs.empty() || part.outputs.size() > kMostEnds || part.inputs.size() > kMostEnds;
    });
    std::stable_sort(found.begin(), found.end(), [](const Part& a, const Part& b) { return a.ops > b.ops; });
    return found;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool is_bad(const Node& node) const { return bad_[node.id().index]; }
  /// Computes something of the part that it is in: no end of the model, nothing that only constants lead to, no
  /// gradient and nothing that reads one.
  bool is_work(const Node& node) const {
    return live_[node.id().index] && !is_bad(node) && !after_training_[node.id().index] && !node.is<Result>() &&
           !node.is<Parameter>();
  }

  /// A node inside of a body stands for its owner.
  void mark_bad(const std::vector<std::string>& refused) {
    const std::set<std::string_view> names(refused.begin(), refused.end());
    const std::vector<OwnedGraph> graphs = with_owners(const_cast<Graph&>(graph_));
    for (std::size_t i = 0; i < graphs.size(); ++i)
      for (const Node node : graphs[i].graph->nodes()) {
        if (!names.contains(node.name()) || node.is<Result>() || node.is<Parameter>()) continue;
        Node outermost = node;
        for (std::size_t at = i; graphs[at].owner; at = graphs[at].outer) outermost = graphs[at].owner;
        bad_[outermost.id().index] = true;
      }
  }

  template <class Predicate>
  Marks reached_from(Predicate begins) const {
    Marks marks(graph_.node_capacity());
    std::vector<Node> open;
    for (const Node node : graph_.nodes())
      if (begins(node)) open.push_back(node), marks[node.id().index] = true;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const OutPort& port : node.out_ports())
        for (const InPort& reader : port.get_destinations())
          if (const Node next = reader.node(); !marks[next.id().index])
            marks[next.id().index] = true, open.push_back(next);
    }
    return marks;
  }

  /// What needs a refused op cannot be had: the part before them, by all of its ends, and by the single end that takes
  /// most of it.
  std::vector<Part> leading_parts() const {
    const Marks tainted = reached_from([this](const Node& node) { return is_bad(node); });
    Part all;
    Part single;
    for (const Node node : graph_.nodes()) {
      if (!is_work(node) || tainted[node.id().index]) continue;
      ++all.ops;
      for (const OutPort& port : node.out_ports()) {
        const auto readers = port.get_destinations();
        const bool is_end = std::any_of(readers.begin(), readers.end(), [&](const InPort& reader) {
          return reader.node().is<Result>() || tainted[reader.node().id().index] ||
                 after_training_[reader.node().id().index];
        });
        if (!is_end) continue;
        all.outputs.push_back(phases::name_for_output(port));
        if (all.outputs.size() > kMostEndsTried) continue;
        if (const std::size_t ops = work_before(node); ops > single.ops)
          single.ops = ops, single.outputs = {all.outputs.back()};
      }
    }
    return {std::move(all), std::move(single)};
  }

  std::size_t work_before(const Node& end) const {
    Marks seen(graph_.node_capacity());
    std::vector<Node> open = {end};
    seen[end.id().index] = true;
    std::size_t count = 0;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      count += is_work(node);
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source(); source && !seen[source.node().id().index])
          seen[source.node().id().index] = true, open.push_back(source.node());
    }
    return count;
  }

  std::vector<Part> connected_parts() {
    std::vector<Part> parts;
    for (const Node node : graph_.nodes())
      if (is_work(node) && part_[node.id().index] == kNone) gather(node, parts);
    add_ends(parts);
    return parts;
  }

  /// Numbers all work that hangs together with `first`; inputs of the model connect what reads them.
  void gather(const Node& first, std::vector<Part>& parts) {
    const std::size_t number = parts.size();
    Part& part = parts.emplace_back();
    std::vector<Node> open = {first};
    part_[first.id().index] = number;
    const auto visit = [&](const Node& node) {
      if ((!is_work(node) && !node.is<Parameter>()) || part_[node.id().index] != kNone) return;
      part_[node.id().index] = number;
      open.push_back(node);
    };
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      part.ops += !node.is<Parameter>();
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source()) visit(source.node());
      for (const OutPort& port : node.out_ports())
        for (const InPort& reader : port.get_destinations()) visit(reader.node());
    }
  }

  void add_ends(std::vector<Part>& parts) const {
    for (const Node node : graph_.nodes())
      for (const OutPort& port : node.out_ports()) {
        const auto readers = port.get_destinations();
        if (is_bad(node)) {
          std::set<std::size_t> fed;
          for (const InPort& reader : readers)
            if (const std::size_t number = part_[reader.node().id().index]; number != kNone) fed.insert(number);
          for (const std::size_t number : fed)
            parts[number].inputs.push_back({name_for_input(port), name_of_parameter(port), port.type()});
        } else if (const std::size_t number = part_[node.id().index]; number != kNone) {
          if (node.is<Parameter>()) parts[number].own_inputs.emplace_back(node.name());
          const bool is_end = std::any_of(readers.begin(), readers.end(), [this](const InPort& reader) {
            return reader.node().is<Result>() || is_bad(reader.node()) || after_training_[reader.node().id().index];
          });
          if (is_end && !node.is<Parameter>()) parts[number].outputs.push_back(phases::name_for_output(port));
        }
      }
  }

  /// A tensor: the name of a node alone means what the node reads. Blobs of Caffe are mostly called like their layers.
  static std::string name_for_input(const OutPort& port) {
    const auto names = port.data().tensor_names();
    if (!names.empty() && *names.begin() != port.node().name()) return std::string(*names.begin());
    return std::string(port.node().name()) + ":" + std::to_string(port.index());
  }

  static std::string name_of_parameter(const OutPort& port) {
    return std::string(port.node().name()) + "/placeholder_out_port_" + std::to_string(port.index());
  }

  static constexpr std::size_t kMostEndsTried = 64;

  const Graph& graph_;
  Marks bad_;
  Marks live_;
  Marks after_training_;
  std::vector<std::size_t> part_;
};

}  // namespace

std::vector<Part> parts_without(const Graph& graph, const std::vector<std::string>& refused) {
  return Cutter(graph, refused).parts();
}

}  // namespace mo::tools
