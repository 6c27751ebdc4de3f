#include "core/comparison/graph_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "core/graph/builtin_ops.hpp"
#include "core/graph/runtime_info.hpp"

namespace mo {
namespace {

std::string title(const Node& node) {
  return fmt::format("{}.v{} '{}'", node.type(), node.op_type().version, node.name());
}

bool are_close(const Tensor& actual, const Tensor& expected, const Closeness& closeness) {
  const auto difference = difference_of(actual, expected, closeness);
  return difference && difference->close();
}

/// Both say the same, known or not; symbols and bounds apart.
bool same_scheme(const PartialShape& a, const PartialShape& b) {
  if (a.has_rank() != b.has_rank()) return false;
  if (!a.has_rank()) return true;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Dimension& x, const Dimension& y) {
    return x.is_known() == y.is_known() && (!x.is_known() || x.value() == y.value());
  });
}

/// The keys of the runtime attributes that IR v11 has, the names of what was fused apart.
std::set<std::string> runtime_keys(const Node& node) {
  std::set<std::string> keys;
  if (const AttributeMap* const info = node.rt_info())
    for (const AttributeMap::Item& item : *info)
      if (runtime_attribute_rule(item.name).serialized) keys.insert(item.name);
  return keys;
}

class Comparison {
 public:
  explicit Comparison(const CompareOptions& options) : options_(options) {}

  std::vector<GraphDifference> compare(const Graph& actual, const Graph& expected) {
    pair_ends("input", inputs(actual), inputs(expected));
    pair_ends("output", actual.results(), expected.results());
    pair_ends("state", states(actual), states(expected));
    while (!open_.empty() && found_.size() < options_.most) {
      const Pair pair = open_.front();
      open_.pop_front();
      compare_nodes(pair);
    }
    return std::move(found_);
  }

 private:
  struct Pair {
    Node actual;
    Node expected;
    std::string path;
  };

  std::vector<Node> inputs(const Graph& graph) const {
    std::vector<Node> found = graph.parameters();
    if (!options_.unread_inputs)
      std::erase_if(found, [](const Node& parameter) { return parameter.output().disconnected(); });
    return found;
  }

  /// Values written into states: they have no readers, so outputs do not lead there.
  static std::vector<Node> states(const Graph& graph) {
    std::vector<Node> found;
    for (const Node node : graph.nodes())
      if (node.is("Assign")) found.push_back(node);
    const auto variable = [](const Node& node) { return node.attr<std::string>("variable_id").value_or(""); };
    std::sort(found.begin(), found.end(), [&](const Node& a, const Node& b) { return variable(a) < variable(b); });
    return found;
  }

  void pair_ends(const char* kind, const std::vector<Node>& actual, const std::vector<Node>& expected) {
    if (actual.size() != expected.size())
      tell({}, fmt::format("{} {}s instead of {}", actual.size(), kind, expected.size()));
    for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
      open(actual[i], expected[i], fmt::format("{} {}", kind, i));
  }

  void open(const Node& actual, const Node& expected, std::string path) {
    if (seen_.insert({actual.id(), expected.id()}).second) open_.push_back({actual, expected, std::move(path)});
  }

  void tell(const std::string& path, std::string what) {
    found_.push_back({path.empty() ? "model" : path, std::move(what)});
  }

  void compare_nodes(const Pair& pair) {
    const Node& a = pair.actual;
    const Node& e = pair.expected;
    if (a.type() != e.type() || a.op_type().version != e.op_type().version)
      return tell(pair.path, fmt::format("{} instead of {}", title(a), title(e)));
    const std::string path = fmt::format("{} <- {} '{}'", pair.path, a.type(), a.name());
    if (a.in_port_count() != e.in_port_count())
      return tell(path, fmt::format("{} inputs instead of {}", a.in_port_count(), e.in_port_count()));
    if (a.out_port_count() != e.out_port_count())
      return tell(path, fmt::format("{} outputs instead of {}", a.out_port_count(), e.out_port_count()));
    compare_types(path, a, e);
    if (options_.runtime_info && !a.is<Const>() && runtime_keys(a) != runtime_keys(e))
      tell(path, fmt::format("runtime attributes {} instead of {}", runtime_keys(a), runtime_keys(e)));
    if (a.is<Const>()) {
      if (options_.constants && !are_close(a.as<Const>()->value, e.as<Const>()->value, options_.closeness))
        tell(path, "other elements");
      return;
    }
    if (options_.attributes) compare_attributes(path, a, e);
    if (options_.names && a.is<Result>() && a.input(0) && e.input(0) &&
        a.input(0).node().name() != e.input(0).node().name())
      tell(path, fmt::format("'{}' computes it instead of '{}'", a.input(0).node().name(), e.input(0).node().name()));
    compare_inputs(path, a, e);
  }

  void compare_inputs(const std::string& path, const Node& a, const Node& e) {
    for (std::size_t i = 0; i < a.in_port_count(); ++i) {
      const Value left = a.input(i);
      const Value right = e.input(i);
      const std::string here = fmt::format("{} <- input {}", path, i);
      if (!left || !right) {
        if (static_cast<bool>(left) != static_cast<bool>(right)) tell(here, left ? "connected" : "not connected");
        continue;
      }
      if (left.index() != right.index())
        tell(here, fmt::format("output {} of its source instead of {}", left.index(), right.index()));
      open(left.node(), right.node(), here);
    }
  }

  void compare_types(const std::string& path, const Node& a, const Node& e) {
    for (std::size_t i = 0; i < a.out_port_count(); ++i) {
      const TensorType left = type_at(a, i);
      const TensorType right = type_at(e, i);
      const std::string which = a.out_port_count() > 1 ? fmt::format("output {}: ", i) : "";
      if (options_.element_types && left.element_type != right.element_type)
        tell(path, fmt::format("{}{} instead of {}", which, mo::to_string(left.element_type),
                               mo::to_string(right.element_type)));
      if (options_.shapes && !same_scheme(left.shape, right.shape))
        tell(path, fmt::format("{}shape {} instead of {}", which, left.shape.to_string(), right.shape.to_string()));
      if (options_.tensor_names && !same_names(a.out_port(i), e.out_port(i))) tell(path, which + "other tensor names");
    }
  }

  static TensorType type_at(const Node& node, std::size_t i) {
    const Const* const constant = node.as<Const>();
    return constant ? constant->value.type() : node.output_type(i);
  }

  static bool same_names(const OutPort& a, const OutPort& e) {
    const auto names = [](const OutPort& port) {
      const std::vector<std::string_view> all = port.data().tensor_names();
      return std::set<std::string_view>(all.begin(), all.end());
    };
    return names(a) == names(e);
  }

  void compare_attributes(const std::string& path, const Node& a, const Node& e) {
    std::map<std::string, AttributeValue> left;
    std::map<std::string, AttributeValue> right;
    for (const AttributeMap::Item& item : a.attributes())
      if (!item.value.get_if<Body>()) left[item.name] = item.value;
    for (const AttributeMap::Item& item : e.attributes())
      if (!item.value.get_if<Body>()) right[item.name] = item.value;
    for (const auto& [name, value] : left)
      if (const auto other = right.find(name); other == right.end() || !(other->second == value))
        tell(path, fmt::format("attribute {} differs", name));
    for (const auto& [name, value] : right)
      if (!left.contains(name)) tell(path, fmt::format("attribute {} is missing", name));
    const std::vector<Graph*> bodies = a.bodies();
    const std::vector<Graph*> expected = e.bodies();
    if (bodies.size() != expected.size()) return tell(path, "other bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (GraphDifference& difference : compare_graphs(*bodies[i], *expected[i], options_)) {
        difference.path = fmt::format("{} <- body {}: {}", path, i, difference.path);
        found_.push_back(std::move(difference));
      }
  }

  const CompareOptions& options_;
  std::set<std::pair<NodeId, NodeId>> seen_;
  std::deque<Pair> open_;
  std::vector<GraphDifference> found_;
};

}  // namespace

std::vector<GraphDifference> compare_graphs(const Graph& actual, const Graph& expected, const CompareOptions& options) {
  return Comparison(options).compare(actual, expected);
}

}  // namespace mo
