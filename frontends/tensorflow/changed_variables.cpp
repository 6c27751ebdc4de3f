#include "frontends/tensorflow/changed_variables.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {
namespace {

constexpr std::string_view kAssigns = "@assigns";
constexpr std::string_view kChangedBy = "@changed_by";

bool is_assignment(std::string_view op) {
  constexpr std::array<std::string_view, 8> kPrefixes = {"Assign",
                                                         "Apply",
                                                         "ResourceApply",
                                                         "ResourceScatter",
                                                         "StridedSliceAssign",
                                                         "ResourceStridedSliceAssign",
                                                         "CountUpTo",
                                                         "ResourceCountUpTo"};
  if (op.starts_with("Scatter")) return op != "ScatterNd" && op != "ScatterNdNonAliasingAdd";
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [op](std::string_view prefix) { return op.starts_with(prefix); });
}

/// The variable that an alias refers to: aliases are few, and a corrupt model may have a cycle of them.
Value variable_of(Value value) {
  constexpr std::array<std::string_view, 4> kAliases = {"Identity", "RefIdentity", "Enter", "RefEnter"};
  constexpr int kMostAliases = 100;
  const auto is_alias = [&](const Node& node) {
    return std::find(kAliases.begin(), kAliases.end(), op_of(node)) != kAliases.end() && node.input(0);
  };
  for (int i = 0; i < kMostAliases && value && is_alias(value.node()); ++i) value = value.node().input(0);
  return value;
}

/// What a node assigns to.
std::vector<Value> assigned_variables(const Node& node) {
  std::vector<Value> variables;
  const auto add = [&](std::size_t input) {
    if (input >= node.in_port_count()) return;
    if (const Value variable = variable_of(node.input(input))) variables.push_back(variable);
  };
  if (is_assignment(op_of(node))) add(0);
  for (const std::int64_t input : node.attr<std::vector<std::int64_t>>(kAssigns).value_or(std::vector<std::int64_t>{}))
    add(static_cast<std::size_t>(input));
  return variables;
}

/// ReadVariableOp, or the copy that TensorFlow 1 makes of a variable before it is used.
bool reads(const Node& node, const Value& variable) {
  const std::string_view op = op_of(node);
  if (node.in_port_count() == 0 || !node.input(0)) return false;
  if (op == "ReadVariableOp") return variable_of(node.input(0)) == variable;
  return op == "Identity" && op_of(variable.node()).starts_with("Variable") && node.input(0) == variable;
}

void mark(const Node& read, std::string_view changed_by) {
  if (read.has_attr(kChangedBy)) return;
  const auto marked = read.set_attr(kChangedBy, std::string(changed_by));
  MO_ASSERT(marked, "a dynamic op takes any attribute");
}

/// `node` runs when `variable` has been changed.
void mark_if_read(const Node& node, const Value& variable, std::string_view changed_by) {
  if (reads(node, variable)) return mark(node, changed_by);
  const std::vector<Graph*> bodies = node.op_type().dynamic ? node.bodies() : std::vector<Graph*>();
  if (bodies.empty()) return;
  const std::size_t first = first_argument(node);
  for (std::size_t i = first; i < node.in_port_count(); ++i)
    if (node.input(i) && variable_of(node.input(i)) == variable)
      for (const Graph* body : bodies) mark_reads_of_parameter(*body, i - first, changed_by);
}

/// Which nodes run after which, according to control edges.
class ControlReaders {
 public:
  explicit ControlReaders(const Graph& graph) {
    for (const Node node : graph.nodes())
      for (const Node& before : node.control_inputs()) edges_.emplace_back(before.id().index, node.id().index);
    std::sort(edges_.begin(), edges_.end());
  }
  template <class Fn>
  void each(const Node& node, Fn fn) const {
    const std::uint32_t id = node.id().index;
    for (auto it = std::lower_bound(edges_.begin(), edges_.end(), std::pair(id, 0U));
         it != edges_.end() && it->first == id; ++it)
      fn(node.graph().node(NodeId{it->second}));
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

struct Assigned {
  Value variable;
  std::vector<Node> assignments;
};

}  // namespace

std::size_t first_argument(const Node& owner) { return op_of(owner).ends_with("While") ? 0 : 1; }

std::vector<std::int64_t> assigned_parameters(const Graph& graph) {
  const std::vector<Node> parameters = graph.parameters();
  std::vector<std::int64_t> assigned;
  for (const Node node : graph.nodes())
    for (const Value& variable : assigned_variables(node))
      if (const auto at = std::find(parameters.begin(), parameters.end(), variable.node()); at != parameters.end())
        assigned.push_back(at - parameters.begin());
  std::sort(assigned.begin(), assigned.end());
  assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());
  return assigned;
}

void mark_reads_of_parameter(const Graph& graph, std::size_t parameter, std::string_view changed_by) {
  const std::vector<Node> parameters = graph.parameters();
  if (parameter >= parameters.size()) return;
  const Value variable = parameters[parameter].output();
  for (const Node node : graph.nodes()) mark_if_read(node, variable, changed_by);
}

void mark_changed_reads(const Graph& graph) {
  std::map<ValueId, Assigned> assigned;
  for (const Node node : graph.nodes())
    for (const Value& variable : assigned_variables(node)) {
      Assigned& entry = assigned[variable.id()];
      entry.variable = variable;
      entry.assignments.push_back(node);
    }
  if (assigned.empty()) return;
  const ControlReaders control(graph);
  std::vector<std::uint32_t> seen(graph.node_capacity());
  std::uint32_t round = 0;
  std::size_t steps_left = 100'000'000;
  for (const auto& item : assigned) {
    const Assigned& entry = item.second;  // clang's lambdas capture no structured bindings
    ++round;
    std::vector<std::pair<Node, Node>> stack;  // nodes to visit, and the assignment that each comes after
    const auto visit = [&](const Node& node, const Node& assignment) {
      if (seen[node.id().index] == round) return;
      seen[node.id().index] = round;
      mark_if_read(node, entry.variable, assignment.name());
      stack.emplace_back(node, assignment);
    };
    for (const Node& assignment : entry.assignments) stack.emplace_back(assignment, assignment);
    while (!stack.empty() && steps_left > 0) {
      const Node node = stack.back().first;
      const Node assignment = stack.back().second;
      stack.pop_back();
      --steps_left;
      control.each(node, [&](const Node& next) { visit(next, assignment); });
      for (const OutPort& port : node.out_ports())
        for (const InPort& reader : port.get_destinations()) visit(reader.node(), assignment);
    }
    if (steps_left > 0) continue;
    for (const Node node : graph.nodes()) mark_if_read(node, entry.variable, entry.assignments.front().name());
  }
}

}  // namespace mo::tensorflow
