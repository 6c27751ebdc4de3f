#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/copying.hpp"
#include "extensions/config/config_ops.hpp"

namespace mo::config {
namespace {

/// Builds the body of a match node by node; loops of TensorFlow 1 are cycles, so edges come after nodes.
class BodyBuilder {
 public:
  explicit BodyBuilder(const SubgraphMatch& match) : match_(match), body_(std::make_unique<Graph>()) {}

  Expected<Body> build() {
    std::vector<Node> nodes = match_.matched_nodes();
    for (const Node& node : nodes) inside_.insert(node.id().index);
    MO_TRY(make_parameters());
    MO_ASSIGN(const std::vector<Node> constants, constants_around(nodes));
    nodes.insert(nodes.end(), constants.begin(), constants.end());
    for (const Node& node : nodes) copy(node);
    for (const Node& node : nodes) MO_TRY(connect(node));
    for (const auto& [i, place] : match_.outputs())
      body_->create_result(copies_.at(place.node.id().index).out_port(place.port), fmt::format("output_{}", i));
    return Body(std::move(body_));
  }

 private:
  Expected<void> make_parameters() {
    for (const auto& [i, places] : match_.inputs()) {
      MO_ASSIGN(const Value source, match_.input(i));
      for (const NodePort& place : places) {
        if (place.node.input(place.port) != source)
          return place.node
              .error("MO-CONFIG-0019",
                     "the places of input {} read different tensors: port {} of '{}' reads another one", i, place.port,
                     place.node.name())
              .hint("list the places of each tensor as a separate input");
        parameters_[{place.node.id(), place.port}] = i;
      }
      numbers_.push_back(body_->create_parameter(source.type(), fmt::format("input_{}", i)));
    }
    return {};
  }

  /// Nodes outside of the match that it reads without the descriptor listing them as an input: constants, and what is
  /// computed from them.
  Expected<std::vector<Node>> constants_around(const std::vector<Node>& nodes) {
    std::vector<Node> found;
    std::vector<std::pair<Node, Node>> open;  // a node outside, and the matched one that needs it
    const auto look_at = [&](const Node& node, const Node& reader) {
      for (const InPort& port : node.in_ports()) {
        const Value source = port.get_source();
        if (!source || parameters_.contains({node.id(), port.index()})) continue;
        if (inside_.insert(source.node().id().index).second) open.emplace_back(source.node(), reader);
      }
    };
    for (const Node& node : nodes) look_at(node, node);
    while (!open.empty()) {
      const auto [node, reader] = open.back();
      open.pop_back();
      if (node.is<Parameter>())
        return reader
            .error("MO-CONFIG-0019",
                   "'{}' reads a tensor from outside of the sub-graph that depends on the input '{}' and is none of "
                   "its inputs",
                   reader.name(), node.name())
            .hint("list it in \"inputs\", or remove that key so that all inputs are found");
      found.push_back(node);
      look_at(node, reader);
    }
    std::sort(found.begin(), found.end(), [](const Node& a, const Node& b) { return a.id() < b.id(); });
    return found;
  }

  void copy(const Node& node) {
    const Node twin = copy_unconnected(node, *body_, node.name());
    twin.add_sources_of(node);
    copy_facts(node, twin);
    copies_.emplace(node.id().index, twin);
  }

  Expected<void> connect(const Node& node) {
    const Node twin = copies_.at(node.id().index);
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      const auto parameter = parameters_.find({node.id(), port.index()});
      const Value value = parameter != parameters_.end()
                              ? numbers_[place_of(parameter->second)].output()
                              : copies_.at(source.node().id().index).out_port(source.index());
      MO_TRY(twin.in_port(port.index()).connect(value));
    }
    for (const Node& before : node.control_inputs())
      if (const auto it = copies_.find(before.id().index); it != copies_.end()) twin.add_control_input(it->second);
    return {};
  }

  /// Inputs are numbered without gaps here.
  std::size_t place_of(std::size_t input) const {
    return static_cast<std::size_t>(std::distance(match_.inputs().begin(), match_.inputs().find(input)));
  }

  const SubgraphMatch& match_;
  std::unique_ptr<Graph> body_;
  std::unordered_set<std::uint32_t> inside_;
  std::map<std::pair<NodeId, std::size_t>, std::size_t> parameters_;
  std::vector<Node> numbers_;
  std::unordered_map<std::uint32_t, Node> copies_;
};

}  // namespace

Expected<Body> body_of(const SubgraphMatch& match) { return BodyBuilder(match).build(); }

}  // namespace mo::config
