#include "tools/inspect/forward.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/graph/bodies.hpp"
#include "phases/front/way_around.hpp"

namespace mo::tools {
namespace {

using Marks = std::vector<bool>;  // by id of the node

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// tf.gradients calls its scope so; a second call "gradients_1".
bool is_scope_of_gradients(std::string_view scope) {
  return scope == "gradients" ||
         (scope.starts_with("gradients_") && scope.size() > 10 && scope[10] >= '0' && scope[10] <= '9');
}

bool is_variable(const Node& node) {
  constexpr std::array<std::string_view, 4> kVariables = {"VariableV2", "Variable", "VarHandleOp",
                                                          "AutoReloadVariable"};
  return is_one_of(node.origin().op, kVariables);
}

/// Whether the node computes with a variable, read through copies.
bool reads_variable(const Node& node) {
  constexpr std::array<std::string_view, 3> kCopies = {"Identity", "ReadVariableOp", "Enter"};
  for (const InPort& port : node.in_ports()) {
    Value source = port.get_source();
    for (int copies = 0;
         copies < 4 && source && is_one_of(source.node().origin().op, kCopies) && source.node().input(0); ++copies)
      source = source.node().input(0);
    if (source && is_variable(source.node())) return true;
  }
  return false;
}

/// What measures rather than predicts, and what only changes the form of it.
bool is_of_metrics(const Node& node) {
  constexpr std::array<std::string_view, 12> kOps = {"ArgMax", "Cast",   "Reshape",  "Shape",  "Size",  "Rank",
                                                     "Equal",  "InTopK", "InTopKV2", "TopKV2", "Round", "Squeeze"};
  return is_one_of(node.origin().op, kOps);
}

/// What only tells sizes carries nothing of its input.
bool tells_sizes(const Node& node) {
  constexpr std::array<std::string_view, 4> kOps = {"Shape", "ShapeN", "Size", "Rank"};
  return is_one_of(node.origin().op, kOps);
}

/// A name that TensorFlow made of the op's: "Reshape_4", "scope/Reshape".
bool has_made_name(const Node& node) {
  std::string_view name = node.name();
  name.remove_prefix(name.rfind('/') + 1);
  const std::string_view op = node.origin().op;
  if (!name.starts_with(op)) return false;
  name.remove_prefix(op.size());
  return name.empty() || (name.starts_with('_') && name.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph), training_(graph.node_capacity()) {
    for (const Node node : graph.nodes())
      training_[node.id().index] = is_of_training(node) || node.origin().op.starts_with("Assign");
  }

  std::optional<Part> find() {
    if (!any_node([](const Node& node) {
          return node.name().find("gradients") != std::string_view::npos && is_of_training(node);
        }))
      return std::nullopt;
    split_inputs();
    const Marks from_inputs = led_to_by(inputs_, Sizes::stop);
    const Marks from_labels = led_to_by(labels_, Sizes::pass);
    net_.assign(graph_.node_capacity(), false);
    for (const Node node : graph_.nodes())
      net_[node.id().index] = from_inputs[node.id().index] && !from_labels[node.id().index] && !node.is<Parameter>();
    Part part;
    for (const Node& end : ends()) {
      const std::string name = phases::name_for_output(end.out_port(0));
      if (std::ranges::find(part.outputs, name) == part.outputs.end()) part.outputs.push_back(name);
    }
    for (const Node node : graph_.nodes()) part.ops += net_[node.id().index];
    if (part.outputs.empty() || part.outputs.size() > kMostOutputs) return std::nullopt;
    return part;
  }

 private:
  static constexpr std::size_t kMostOutputs = 8;

  template <class Predicate>
  bool any_node(const Predicate& is_wanted) const {
    for (const Node node : graph_.nodes())
      if (is_wanted(node)) return true;
    return false;
  }

  bool is_net(const Node& node) const { return net_[node.id().index]; }

  enum class Sizes : std::uint8_t { stop, pass };

  /// `sizes`: what becomes of what only tells sizes.
  Marks led_to_by(const std::vector<Node>& first, Sizes sizes) const {
    Marks marks(graph_.node_capacity());
    std::vector<Node> open = first;
    for (const Node& node : first) marks[node.id().index] = true;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const OutPort& port : node.out_ports())
        for (const InPort& reader : port.get_destinations())
          if (const Node next = reader.node(); !marks[next.id().index] && !training_[next.id().index] &&
                                               !next.is<Result>() && (sizes == Sizes::pass || !tells_sizes(next)))
            marks[next.id().index] = true, open.push_back(next);
    }
    return marks;
  }

  /// The nodes that lead to one that computes with a variable; not through training, nor through what only tells sizes.
  Marks leading_to_variables() const {
    Marks marks(graph_.node_capacity());
    std::vector<Node> open;
    const auto add = [&](const Node& node) {
      if (marks[node.id().index] || training_[node.id().index] || tells_sizes(node)) return;
      marks[node.id().index] = true;
      open.push_back(node);
    };
    for (const Node node : graph_.nodes())
      if (reads_variable(node)) add(node);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source()) add(source.node());
    }
    return marks;
  }

  /// What meets a variable later on is an input, anything else a label.
  void split_inputs() {
    const Marks leads = leading_to_variables();
    for (const Node& parameter : graph_.parameters())
      (leads[parameter.id().index] ? inputs_ : labels_).push_back(parameter);
  }

  /// What something outside of the net reads, or nothing at all.
  bool is_end(const Node& node) const {
    bool has_reader = false;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) {
        const Node next = reader.node();
        if (training_[next.id().index]) continue;
        if (!is_net(next)) return true;
        has_reader = true;
      }
    return !has_reader;
  }

  /// An end that only measures another tensor of the net stands for that. At most one more than a proposal can have.
  std::vector<Node> ends() const {
    std::vector<Node> found;
    for (const Node node : graph_.nodes()) {
      if (!is_net(node) || node.out_port_count() == 0 || !is_end(node)) continue;
      const Node end = measured_by(node);
      if (std::ranges::find(found, end) == found.end()) found.push_back(end);
      if (found.size() > kMostOutputs) break;
    }
    return found;
  }

  /// What `end` measures; itself, when it measures nothing.
  Node measured_by(Node end) const {
    for (int steps = 0; steps < 16; ++steps) {  // measures are short; hostile chains are not followed again and again
      if (!is_of_metrics(end) || !end.input(0)) break;
      const Node source = end.input(0).node();
      if (!is_net(source) || !measures(end, source)) break;
      end = source;
    }
    return end;
  }

  bool measures(const Node& end, const Node& source) const {
    return branches(source) || (has_made_name(end) && !has_made_name(source));
  }

  /// Whether more than one reader of the node has to do with predictions and losses.
  bool branches(const Node& node) const {
    std::size_t readers = 0;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) readers += !training_[reader.node().id().index];
    return readers > 1;
  }

  const Graph& graph_;
  Marks training_;
  Marks net_;
  std::vector<Node> inputs_;
  std::vector<Node> labels_;
};

}  // namespace

bool is_of_training(const Node& node) {
  std::string_view name = node.name();
  while (!name.empty()) {
    const std::string_view scope = name.substr(0, name.find('/'));
    if (is_scope_of_gradients(scope) || scope == "save") return true;
    name.remove_prefix(std::min(scope.size() + 1, name.size()));
  }
  return node.origin().op.starts_with("Apply") || node.origin().op.starts_with("ResourceApply");
}

std::optional<Part> forward_part(const Graph& graph) { return Finder(graph).find(); }

}  // namespace mo::tools
