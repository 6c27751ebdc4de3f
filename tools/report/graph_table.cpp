#include "tools/report/graph_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/text/attribute_text.hpp"

namespace mo::tools {
namespace {

/// Longer texts of attributes end in an ellipsis: lists of thousands of numbers do not help.
constexpr std::size_t kLongestAttribute = 160;
constexpr std::size_t kLongestAttributes = 1000;

std::string op_of(const Node& node, OpNames names) {
  if (names == OpNames::framework)
    if (const Origin origin = node.origin(); !origin.op.empty()) return std::string(origin.op);
  const OpType& type = node.op_type();
  const std::size_t colons = type.name.find("::");
  if (names == OpNames::framework)
    return std::string(colons == std::string_view::npos ? type.name : type.name.substr(colons + 2));
  return type.version > 0 && !type.dynamic ? fmt::format("{}.v{}", type.name, type.version) : std::string(type.name);
}

std::string types_of(const Node& node) {
  std::string text;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    const TensorType& type = node.output_type(i);
    const bool unknown = type.element_type == ElementType::dynamic && !type.shape.has_rank();
    text += fmt::format("{}{}", i == 0 ? "" : ", ", unknown ? "?" : plain_text(type));
  }
  return text == "?" ? std::string() : text;
}

/// Cut at a limit, between characters.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text + "…";
}

std::string attributes_of(const Node& node) {
  if (const auto* constant = node.as<Const>()) return fmt::format("{} bytes", constant->value.byte_size());
  std::string text;
  for (const AttributeMap::Item& item : node.attributes()) {
    if (text.size() > kLongestAttributes) break;
    if (item.name.starts_with('@')) continue;  // of the reader, not of the model
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", item.name,
                        shortened(attribute_text(item.value), kLongestAttribute));
  }
  return shortened(std::move(text), kLongestAttributes);
}

class Builder {
 public:
  Builder(GraphTable& table, OpNames names, TextTable& texts) : table_(table), names_(names), texts_(texts) {}

  void add(const OwnedGraph& owned, std::size_t number) {
    GraphTable::Scope scope;
    scope.first = static_cast<std::uint32_t>(table_.rows());
    if (owned.owner) {
      scope.owner = table_.row_of(owned.owner);
      const std::string op = op_of(owned.owner, names_);
      scope.title = fmt::format("{} '{}', body {}", op.substr(0, op.find(".v")), owned.owner.name(), number);
    }
    const std::vector<Node> order = order_of(*owned.graph);
    scope.count = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t>& rows = table_.rows_by_id[owned.graph];
    rows.assign(owned.graph->node_capacity(), GraphTable::kNone);
    for (std::size_t i = 0; i < order.size(); ++i)
      rows[order[i].id().index] = scope.first + static_cast<std::uint32_t>(i);
    for (const Node& node : order) add_row(node, rows);
    table_.scopes.push_back(std::move(scope));
  }

 private:
  static std::vector<Node> order_of(const Graph& graph) {
    if (auto order = graph.topological_order()) return *std::move(order);
    std::vector<Node> nodes;
    for (const Node node : graph.nodes()) nodes.push_back(node);
    return nodes;
  }

  void add_row(const Node& node, const std::vector<std::uint32_t>& rows) {
    const std::uint32_t name = texts_.intern(node.name());
    table_.name.push_back(name);
    table_.op.push_back(texts_.intern(op_of(node, names_)));
    table_.type.push_back(texts_.intern(types_of(node)));
    table_.tensors.push_back(tensors_of(node, name));
    table_.attributes.push_back(texts_.intern(attributes_of(node)));
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value source = node.input(i);
      table_.inputs.items.push_back(source ? rows[source.node().id().index] : GraphTable::kNone);
      table_.input_port.push_back(source ? static_cast<std::uint32_t>(source.index()) : 0);
    }
    table_.inputs.end_row();
  }

  std::uint32_t tensors_of(const Node& node, std::uint32_t name) {
    std::string text;
    for (std::size_t i = 0; i < node.out_port_count(); ++i)
      for (const std::string_view tensor : node.output(i).data().tensor_names())
        if (tensor != node.name()) text += fmt::format("{}{}", text.empty() ? "" : ", ", tensor);
    return text.empty() ? name : texts_.intern(text);
  }

  GraphTable& table_;
  OpNames names_;
  TextTable& texts_;
};

}  // namespace

std::uint32_t TextTable::intern(std::string_view text) {
  const std::uint32_t number = texts_.intern(text).index;
  size_ = std::max(size_, number + 1);
  return number;
}

std::string plain_text(const TensorType& type) {
  TensorType plain = type;
  for (std::size_t i = 0; plain.shape.has_rank() && i < plain.shape.size(); ++i)
    plain.shape[i] = Dimension(plain.shape[i].min(), plain.shape[i].max());
  return plain.to_string();
}

std::uint32_t GraphTable::row_of(const Node& node) const {
  const auto rows = rows_by_id.find(&node.graph());
  return rows == rows_by_id.end() || node.id().index >= rows->second.size() ? kNone : rows->second[node.id().index];
}

GraphTable table_of(const Graph& graph, OpNames names, std::string title, TextTable& texts) {
  GraphTable table;
  table.title = std::move(title);
  Builder builder(table, names, texts);
  std::size_t number = 0;
  Node owner;
  for (const OwnedGraph& owned : with_owners(const_cast<Graph&>(graph))) {
    number = owned.owner && owned.owner == owner ? number + 1 : 0;
    owner = owned.owner;
    builder.add(owned, number);
  }
  return table;
}

std::vector<Node> nodes_by_row(const GraphTable& table, const Graph& graph) {
  std::vector<Node> nodes(table.rows());
  for (const Graph* each : with_bodies(const_cast<Graph&>(graph)))
    for (const Node node : each->nodes())
      if (const std::uint32_t row = table.row_of(node); row != GraphTable::kNone) nodes[row] = node;
  return nodes;
}

void link_by_sources(GraphTable& table, const Graph& graph, const GraphTable& source, const TextTable& texts) {
  std::vector<std::uint32_t> row_of_name(texts.size(), GraphTable::kNone);
  for (std::uint32_t row = 0; row < source.rows(); ++row)
    if (std::uint32_t& known = row_of_name[source.name[row]];
        known == GraphTable::kNone && !texts[source.name[row]].empty())
      known = row;
  const auto add = [&](std::string_view name) {
    const std::uint32_t text = texts.find(name);
    const std::uint32_t row = text == GraphTable::kNone ? GraphTable::kNone : row_of_name[text];
    if (row != GraphTable::kNone) table.links.items.push_back(row);
    return row != GraphTable::kNone;
  };
  const std::vector<Node> nodes = nodes_by_row(table, graph);
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    bool linked = false;
    for (const std::string_view name : nodes[row].sources()) linked = add(name) || linked;
    if (!linked && !nodes[row].name().empty()) add(nodes[row].name());
    table.links.end_row();
  }
}

}  // namespace mo::tools
