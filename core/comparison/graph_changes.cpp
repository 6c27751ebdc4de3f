#include "core/comparison/graph_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/op/carried_op.hpp"
#include "core/text/attribute_text.hpp"

namespace mo {
namespace {

std::string title_of(const Node& node) { return fmt::format("{} '{}'", node.type(), node.name()); }

std::string op_text(const Node& node) {
  return node.op_type().dynamic ? std::string(node.type()) : fmt::format("{}.v{}", node.type(), node.op_type().version);
}

/// What the reader notes beside the model ("@…") says how a file is written, not what it means.
bool is_note(std::string_view name) { return name.starts_with('@') && name != "@opset" && name != "@device"; }

/// Reals that are written alike are the same: files have nine digits of an f32, or the fewest that tell it from others.
bool same_value(const AttributeValue& a, const AttributeValue& b) {
  if (a == b) return true;
  const bool are_reals = (a.get_if<double>() && b.get_if<double>()) ||
                         (a.get_if<std::vector<double>>() && b.get_if<std::vector<double>>());
  return are_reals && attribute_text(a) == attribute_text(b);
}

/// What the net says of itself, without the hashes of its files. An empty `rt_info` counts as none.
AttributeMap without_checksums(AttributeMap properties) {
  const AttributeValue* info = properties.find("rt_info");
  const AttributeMap* entries = info ? info->map() : nullptr;
  if (!entries || (!entries->empty() && !entries->contains("checksums"))) return properties;
  AttributeMap others = *entries;
  others.erase("checksums");
  if (others.empty())
    properties.erase("rt_info");
  else
    properties.set("rt_info", std::move(others));
  return properties;
}

/// By name; of a graph only that it is one. All that a carried op has is in the file. `names`: also those of what was
/// fused into the node.
std::map<std::string, AttributeValue> attributes_of(const Node& node, bool names) {
  std::map<std::string, AttributeValue> found;
  const OpType& type = node.op_type();
  if (type.dynamic) {
    const auto& attributes = *static_cast<const AttributeMap*>(node.payload());
    const bool is_carried = attributes.contains(kCarriedVersion);
    for (const AttributeMap::Item& item : attributes) {
      if (!is_carried && (is_note(item.name) || item.value.get_if<Body>())) continue;
      found.emplace(item.name, item.value.get_if<Body>() ? AttributeValue("graph") : item.value);
    }
  } else if (!node.is<Const>()) {
    for (const AttributeInfo& info : type.attributes)
      if (info.kind != AttributeKind::body)
        if (AttributeValue value = info.get(node.payload()); !value.is_none())
          found.emplace(info.name, std::move(value));
  }
  if (const AttributeMap* info = node.rt_info())
    for (const AttributeMap::Item& item : *info) found.emplace("rt_info." + item.name, item.value);
  if (const std::vector<std::string_view> sources = node.sources(); names && !sources.empty())
    found.emplace("rt_info.fused_names", std::vector<std::string>(sources.begin(), sources.end()));
  return found;
}

TensorType type_of(const Node& node, std::size_t port) {
  const Const* constant = node.as<Const>();
  return constant ? constant->value.type() : node.output_type(port);
}

/// Symbols are numbered per graph.
bool same_type(const TensorType& a, const TensorType& b) {
  if (a.element_type != b.element_type || a.shape.has_rank() != b.shape.has_rank()) return false;
  return !a.shape.has_rank() ||
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
                    [](const Dimension& x, const Dimension& y) { return x.min() == y.min() && x.max() == y.max(); });
}

class Changes {
 public:
  Changes(const ChangeOptions& options, std::vector<GraphChange>& found) : options_(options), found_(found) {}

  Expected<void> compare(const Graph& before, const Graph& after, const std::string& inside) {
    inside_ = inside;
    const GraphMatching matching = match_graphs(before, after, options_.names);
    if (options_.properties && inside.empty())
      compare_maps(without_checksums(before.properties), without_checksums(after.properties));
    compare_order("inputs", before.parameters(), after.parameters(), matching);
    compare_order("outputs", before.results(), after.results(), matching);
    for (const Node node : before.nodes()) {
      if (const Node twin = matching.after(node))
        MO_TRY(compare_nodes(node, twin, matching));
      else
        tell({ChangeKind::removed, node, {}, inside_, "", op_text(node), ""});
    }
    for (const Node node : after.nodes())
      if (!matching.before(node)) tell({ChangeKind::added, {}, node, inside_, "", "", op_text(node)});
    return {};
  }

 private:
  void tell(GraphChange change) { found_.push_back(std::move(change)); }

  void compare_maps(const AttributeMap& before, const AttributeMap& after) {
    std::set<std::string> names;
    for (const AttributeMap::Item& item : before) names.insert(item.name);
    for (const AttributeMap::Item& item : after) names.insert(item.name);
    for (const std::string& name : names) {
      const AttributeValue* a = before.find(name);
      const AttributeValue* b = after.find(name);
      if (is_note(name) || (a && b && *a == *b)) continue;
      tell({ChangeKind::property, {}, {}, inside_, name, a ? attribute_text(*a) : "", b ? attribute_text(*b) : ""});
    }
  }

  void compare_order(const char* what, const std::vector<Node>& before, const std::vector<Node>& after,
                     const GraphMatching& matching) {
    if (!options_.order) return;
    std::vector<Node> wanted;
    for (const Node& node : before)
      if (const Node twin = matching.after(node)) wanted.push_back(twin);
    std::vector<Node> have;
    for (const Node& node : after)
      if (matching.before(node)) have.push_back(node);
    if (wanted == have) return;
    const auto names = [](const std::vector<Node>& nodes) {
      std::vector<std::string_view> list;
      for (const Node& node : nodes) list.push_back(node.name());
      return fmt::format("{}", fmt::join(list, ", "));
    };
    tell({ChangeKind::order, {}, {}, inside_, what, names(wanted), names(have)});
  }

  Expected<void> compare_nodes(const Node& a, const Node& b, const GraphMatching& matching) {
    if (a.type() != b.type() || a.op_type().version != b.op_type().version)
      tell({ChangeKind::op, a, b, inside_, "", op_text(a), op_text(b)});
    if (options_.names) compare_names(a, b);
    MO_TRY(compare_attributes(a, b));
    compare_inputs(a, b, matching);
    compare_types(a, b);
    if (const Const* left = a.as<Const>())
      if (const Const* right = b.as<Const>()) MO_TRY(compare_tensors(a, b, "value", left->value, right->value));
    return compare_bodies(a, b);
  }

  void compare_names(const Node& a, const Node& b) {
    if (a.name() != b.name()) tell({ChangeKind::name, a, b, inside_, "", std::string(a.name()), std::string(b.name())});
    for (std::size_t i = 0; i < std::min(a.out_port_count(), b.out_port_count()); ++i) {
      const auto left = names_of(a.out_port(i));
      const auto right = names_of(b.out_port(i));
      if (left != right)
        tell({ChangeKind::name, a, b, inside_, fmt::format("tensor {}", i), fmt::format("{}", fmt::join(left, ", ")),
              fmt::format("{}", fmt::join(right, ", "))});
    }
  }

  static std::set<std::string_view> names_of(const OutPort& port) {
    const std::vector<std::string_view> all = port.data().tensor_names();
    return {all.begin(), all.end()};
  }

  Expected<void> compare_attributes(const Node& a, const Node& b) {
    const auto left = attributes_of(a, options_.names);
    const auto right = attributes_of(b, options_.names);
    for (const auto& [name, value] : left) {
      const auto other = right.find(name);
      if (other == right.end()) {
        tell({ChangeKind::attribute, a, b, inside_, name, attribute_text(value), ""});
        continue;
      }
      const Tensor* x = value.get_if<Tensor>();
      const Tensor* y = other->second.get_if<Tensor>();
      if (x && y && !x->empty() && !y->empty())
        MO_TRY(compare_tensors(a, b, name, *x, *y));
      else if (!same_value(value, other->second))
        tell({ChangeKind::attribute, a, b, inside_, name, attribute_text(value), attribute_text(other->second)});
    }
    for (const auto& [name, value] : right)
      if (!left.contains(name)) tell({ChangeKind::attribute, a, b, inside_, name, "", attribute_text(value)});
    return {};
  }

  Expected<void> compare_tensors(const Node& a, const Node& b, const std::string& name, const Tensor& x,
                                 const Tensor& y) {
    if (x.element_type() != y.element_type() || x.shape() != y.shape()) {
      // Of a Const its output says so.
      if (!a.is<Const>())
        tell({ChangeKind::attribute, a, b, inside_, name, x.type().to_string(), y.type().to_string()});
      return {};
    }
    if (!options_.constants) return {};
    MO_ASSIGN(const bool same, same_bytes(x, y));
    if (same) return {};
    MO_ASSIGN(const TensorDifference difference, difference_of(y, x, closeness::kSame));
    if (!difference.same())
      tell({ChangeKind::value, a, b, inside_, name, x.type().to_string(), y.type().to_string(), difference});
    return {};
  }

  void compare_inputs(const Node& a, const Node& b, const GraphMatching& matching) {
    const auto source_text = [](const Value& source) {
      return source ? fmt::format("'{}' output {}", source.node().name(), source.index()) : "";
    };
    for (std::size_t i = 0; i < std::max(a.in_port_count(), b.in_port_count()); ++i) {
      const Value x = i < a.in_port_count() ? a.input(i) : Value();
      const Value y = i < b.in_port_count() ? b.input(i) : Value();
      if (!x && !y) continue;
      if (x && y && matching.after(x.node()) == y.node() && x.index() == y.index()) continue;
      tell({ChangeKind::input, a, b, inside_, fmt::format("input {}", i), source_text(x), source_text(y)});
    }
    std::set<std::string_view> left;
    std::set<std::string_view> right;
    for (const Node& node : a.control_inputs())
      left.insert(matching.after(node) ? matching.after(node).name() : node.name());
    for (const Node& node : b.control_inputs()) right.insert(node.name());
    if (left != right)
      tell({ChangeKind::input, a, b, inside_, "control inputs", fmt::format("{}", fmt::join(left, ", ")),
            fmt::format("{}", fmt::join(right, ", "))});
  }

  void compare_types(const Node& a, const Node& b) {
    if (a.out_port_count() != b.out_port_count())
      tell({ChangeKind::type, a, b, inside_, "outputs", std::to_string(a.out_port_count()),
            std::to_string(b.out_port_count())});
    for (std::size_t i = 0; i < std::min(a.out_port_count(), b.out_port_count()); ++i)
      if (const TensorType x = type_of(a, i), y = type_of(b, i); !same_type(x, y))
        tell({ChangeKind::type, a, b, inside_, fmt::format("output {}", i), x.to_string(), y.to_string()});
  }

  Expected<void> compare_bodies(const Node& a, const Node& b) {
    const std::vector<Graph*> left = a.bodies();
    const std::vector<Graph*> right = b.bodies();
    if (left.size() != right.size())
      tell({ChangeKind::attribute, a, b, inside_, "bodies", std::to_string(left.size()), std::to_string(right.size())});
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      const std::string way = fmt::format("{}{}, body {}", inside_.empty() ? "" : inside_ + ", ", title_of(a), i);
      MO_TRY(Changes(options_, found_).compare(*left[i], *right[i], way));
    }
    return {};
  }

  const ChangeOptions& options_;
  std::vector<GraphChange>& found_;
  std::string inside_;
};

}  // namespace

std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::removed: return "removed";
    case ChangeKind::added: return "added";
    case ChangeKind::op: return "op";
    case ChangeKind::name: return "name";
    case ChangeKind::attribute: return "attribute";
    case ChangeKind::input: return "input";
    case ChangeKind::type: return "type";
    case ChangeKind::value: return "value";
    case ChangeKind::order: return "order";
    case ChangeKind::property: return "property";
  }
  return "";
}

std::string GraphChange::to_string() const {
  const Node& node = before ? before : after;
  std::string text = inside.empty() ? "" : inside + ": ";
  if (node) text += title_of(node);
  if (kind == ChangeKind::removed || kind == ChangeKind::added) return text;
  if (node) text += ": ";
  // "input 0", not "input input 0".
  const std::string_view kind_text = mo::to_string(kind);
  text += what.empty() || what.starts_with(kind_text) ? what.empty() ? std::string(kind_text) : what
                                                      : fmt::format("{} {}", kind_text, what);
  if (elements && !elements->kind.empty()) return text + fmt::format(" {}: {}", from, elements->kind);
  if (elements)
    return text + fmt::format(" {}: {} elements differ, most at element {}: {} -> {}", from, elements->differing,
                              elements->place, elements->expected_at_place, elements->actual_at_place);
  return text + fmt::format(": {} -> {}", from.empty() ? "none" : from, to.empty() ? "none" : to);
}

Expected<std::vector<GraphChange>> changes_between(const Graph& before, const Graph& after,
                                                   const ChangeOptions& options) {
  std::vector<GraphChange> found;
  MO_TRY(Changes(options, found).compare(before, after, ""));
  return found;
}

}  // namespace mo
