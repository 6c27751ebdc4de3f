#include "core/text/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace mo::text {
namespace {

constexpr std::string_view kTyped = "typed";
constexpr std::string_view kProperties = "properties";

std::string_view text_in(const AttributeMap& record, std::string_view field) {
  const AttributeValue* const value = record.find(field);
  const auto* const said = value ? value->get_if<std::string>() : nullptr;
  return said ? std::string_view(*said) : std::string_view();
}

}  // namespace

AttributeMap state_of(const Graph& graph) {
  AttributeMap state;
  if (graph.has_types()) state.set(kTyped, true);
  if (!graph.properties.empty()) state.set(kProperties, graph.properties);
  return state;
}

bool says_typed(const AttributeMap& state) { return state.contains(kTyped); }

void set_properties(Graph& graph, const AttributeMap& state) {
  const AttributeValue* const given = state.find(kProperties);
  if (given && given->map()) graph.properties = *given->map();
}

AttributeMap record_of(const Origin& origin) {
  AttributeMap record;
  const auto set = [&](std::string_view field, std::string_view value) {
    if (!value.empty()) record.set(field, std::string(value));
  };
  set("framework", origin.framework);
  set("op", origin.op);
  if (origin.version != 0) record.set("version", origin.version);
  set("part", origin.part);
  if (origin.derived) record.set("derived", true);
  set("public_name", origin.public_name);
  return record;
}

Origin origin_in(const AttributeMap& record) {
  const AttributeValue* const version = record.find("version");
  const auto* const number = version ? version->get_if<std::int64_t>() : nullptr;
  return {.framework = text_in(record, "framework"),
          .op = text_in(record, "op"),
          .version = number ? *number : 0,
          .part = text_in(record, "part"),
          .derived = record.contains("derived"),
          .public_name = text_in(record, "public_name")};
}

Creation creation_of(const Graph& graph, const std::vector<Node>& shown) {
  std::vector<std::int64_t> place(graph.node_capacity());
  for (std::size_t i = 0; i < shown.size(); ++i) place[shown[i].id().index] = static_cast<std::int64_t>(i);
  const auto comes_before = [](const InPort& a, const InPort& b) {
    return std::pair(a.node().id(), a.index()) < std::pair(b.node().id(), b.index());
  };
  Creation creation;
  for (const Node node : graph.nodes()) {
    creation.made.push_back(place[node.id().index]);
    for (const Node& before : node.control_inputs()) {
      creation.waits.push_back(place[node.id().index]);
      creation.waits.push_back(place[before.id().index]);
    }
    for (const OutPort& port : node.out_ports()) {
      const std::vector<InPort> readers = port.get_destinations();
      if (std::is_sorted(readers.begin(), readers.end(), comes_before)) continue;
      creation.readers.push_back(place[node.id().index]);
      creation.readers.push_back(static_cast<std::int64_t>(port.index()));
      creation.readers.push_back(static_cast<std::int64_t>(readers.size()));
      for (const InPort& reader : readers) {
        creation.readers.push_back(place[reader.node().id().index]);
        creation.readers.push_back(static_cast<std::int64_t>(reader.index()));
      }
    }
  }
  if (std::is_sorted(creation.made.begin(), creation.made.end())) creation.made.clear();
  return creation;
}

namespace {

/// A list of numbers that is read from its beginning.
class Numbers {
 public:
  explicit Numbers(std::span<const std::int64_t> rest) : rest_(rest) {}
  bool at_end() const { return rest_.empty(); }
  /// The next number when it is below `limit`; otherwise nothing.
  std::optional<std::size_t> below(std::size_t limit) {
    if (rest_.empty() || rest_.front() < 0 || static_cast<std::uint64_t>(rest_.front()) >= limit) return std::nullopt;
    const auto number = static_cast<std::size_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return number;
  }
  std::size_t size() const { return rest_.size(); }

 private:
  std::span<const std::int64_t> rest_;
};

/// Puts the readers that `listed` names into its order; `nodes` are those of the text. False when it names none.
bool order_readers(const std::vector<Node>& nodes, Numbers listed) {
  while (!listed.at_end()) {
    const auto place = listed.below(nodes.size());
    const auto output = place ? listed.below(nodes[*place].out_port_count()) : std::nullopt;
    const auto count = output ? listed.below(listed.size()) : std::nullopt;
    if (!count) return false;
    const OutPort source = nodes[*place].out_port(*output);
    for (std::size_t i = 0; i < *count; ++i) {
      const auto reader = listed.below(nodes.size());
      const auto input = reader ? listed.below(nodes[*reader].in_port_count()) : std::nullopt;
      if (!input) return false;
      const InPort port = nodes[*reader].in_port(*input);
      if (port.get_source() != source) return false;
      port.disconnect();
      static_cast<void>(port.connect(source));  // which is the last reader now
    }
  }
  return true;
}

}  // namespace

std::string restore(Graph& graph, const Creation& creation) {
  const auto count = static_cast<std::int64_t>(graph.node_count());
  const auto is_node = [&](std::int64_t place) { return place >= 0 && place < count; };
  const auto node_at = [&](std::int64_t place) { return graph.node(NodeId{static_cast<std::uint32_t>(place)}); };
  if (!std::all_of(creation.waits.begin(), creation.waits.end(), is_node) || creation.waits.size() % 2 != 0)
    return "the list of nodes that wait has no pairs of places";
  for (std::size_t i = 0; i < creation.waits.size(); i += 2)
    node_at(creation.waits[i]).add_control_input(node_at(creation.waits[i + 1]));
  std::vector<std::int64_t> made = creation.made;
  if (made.empty())
    for (std::int64_t i = 0; i < count; ++i) made.push_back(i);
  std::vector<std::int64_t> places = made;
  std::sort(places.begin(), places.end());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(places.size()); ++i)
    if (places[static_cast<std::size_t>(i)] != i) return fmt::format("place {} is not made once", i);
  if (static_cast<std::int64_t>(places.size()) != count)
    return fmt::format("{} nodes are made, but there are {}", places.size(), count);
  std::vector<Node> order;
  for (const std::int64_t place : made) order.push_back(node_at(place));
  graph.adopt(graph.clone(order));
  std::vector<Node> by_place(made.size());
  for (std::size_t id = 0; id < made.size(); ++id)
    by_place[static_cast<std::size_t>(made[id])] = graph.node(NodeId{static_cast<std::uint32_t>(id)});
  return order_readers(by_place, Numbers(creation.readers)) ? "" : "the list of readers does not fit the graph";
}

}  // namespace mo::text
