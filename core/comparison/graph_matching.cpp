#include "core/comparison/graph_matching.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/text/attribute_text.hpp"

namespace mo {
namespace {

using Hash = std::uint64_t;

Hash mixed(Hash a, Hash b) {
  a ^= b + 0x9E3779B97F4A7C15ULL + (a << 12) + (a >> 4);
  return a * 0xBF58476D1CE4E5B9ULL;
}

Hash hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

/// Op and attributes; of tensors their type only.
Hash own_hash(const Node& node) {
  const OpType& type = node.op_type();
  Hash hash = mixed(hash_of(type.name), static_cast<Hash>(type.version));
  const auto add = [&](std::string_view name, const AttributeValue& value) {
    if (value.get_if<Body>()) return;
    const Tensor* tensor = value.get_if<Tensor>();
    hash = mixed(hash, mixed(hash_of(name), hash_of(tensor ? tensor->type().to_string() : attribute_text(value))));
  };
  if (type.dynamic) {
    for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload())) add(item.name, item.value);
  } else {
    for (const AttributeInfo& info : type.attributes)
      if (info.kind != AttributeKind::body) add(info.name, info.get(node.payload()));
  }
  return hash;
}

/// What each node is computed from, and what is computed from it, as numbers.
struct Cones {
  std::vector<Hash> from;
  std::vector<Hash> to;
};

Cones cones_of(const Graph& graph) {
  std::vector<Node> order;
  if (auto sorted = graph.topological_order())
    order = *std::move(sorted);
  else
    // loops as frameworks write them: later nodes are skipped
    for (const Node node : graph.nodes()) order.push_back(node);
  std::vector<Hash> own(graph.node_capacity());
  for (const Node& node : order) own[node.id().index] = own_hash(node);
  Cones cones{own, own};
  for (const Node& node : order)
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      Hash& hash = cones.from[node.id().index];
      hash = mixed(hash, source ? mixed(cones.from[source.node().id().index], source.index()) : 1);
    }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    Hash sum = 0;  // readers have no order
    for (const OutPort& port : node->out_ports())
      for (const InPort& reader : port.get_destinations())
        sum += mixed(cones.to[reader.node().id().index], mixed(port.index(), reader.index()));
    cones.to[node->id().index] = mixed(cones.to[node->id().index], sum);
  }
  return cones;
}

bool same_op(const Node& a, const Node& b) { return a.type() == b.type(); }

class GraphMatcher {
 public:
  GraphMatcher(const Graph& before, const Graph& after) : before_(before), after_(after), matching_(before, after) {}

  GraphMatching match(bool names) {
    if (names) {
      by_key([](const Node& node) { return std::string(node.name()); });
      by_key([](const Node& node) { return first_tensor_name(node); });
    }
    by_structure();
    ends(before_.parameters(), after_.parameters());
    by_neighbours();
    results_by_source();
    ends(before_.results(), after_.results());
    by_neighbours();
    if (names) by_name_alone();
    return std::move(matching_);
  }

 private:
  bool is_free(const Node& before, const Node& after) const {
    return !matching_.after(before) && !matching_.before(after);
  }

  void pair(const Node& before, const Node& after) { matching_.pair(before, after); }

  static std::string first_tensor_name(const Node& node) {
    if (node.is<Result>()) return {};
    for (const OutPort& port : node.out_ports())
      if (const auto names = port.data().tensor_names(); !names.empty()) return std::string(*names.begin());
    return {};
  }

  /// Pairs what has the same key, which only one node of each graph has.
  template <class Key>
  void by_key(Key key) {
    struct Entry {
      Node before, after;
      std::size_t before_count = 0, after_count = 0;
    };
    std::unordered_map<std::string, Entry> entries;
    for (const Node node : before_.nodes())
      if (const std::string k = key(node); !k.empty() && !matching_.after(node))
        ++entries[k].before_count, entries[k].before = node;
    for (const Node node : after_.nodes())
      if (const std::string k = key(node); !k.empty() && !matching_.before(node))
        ++entries[k].after_count, entries[k].after = node;
    for (const auto& [k, entry] : entries)
      if (entry.before_count == 1 && entry.after_count == 1 && same_op(entry.before, entry.after))
        pair(entry.before, entry.after);
  }

  void by_structure() {
    const Cones a = cones_of(before_);
    const Cones b = cones_of(after_);
    by_hash([&](const Node& n) { return mixed(a.from[n.id().index], a.to[n.id().index]); },
            [&](const Node& n) { return mixed(b.from[n.id().index], b.to[n.id().index]); });
    by_hash([&](const Node& n) { return a.from[n.id().index]; }, [&](const Node& n) { return b.from[n.id().index]; });
    by_hash([&](const Node& n) { return a.to[n.id().index]; }, [&](const Node& n) { return b.to[n.id().index]; });
  }

  /// Of several equal ones the first belongs to the first.
  template <class HashBefore, class HashAfter>
  void by_hash(HashBefore hash_before, HashAfter hash_after) {
    std::unordered_map<Hash, std::vector<Node>> free;
    for (const Node node : after_.nodes())
      if (!matching_.before(node) && !is_end(node)) free[hash_after(node)].push_back(node);
    std::unordered_map<Hash, std::size_t> used;
    for (const Node node : before_.nodes()) {
      if (matching_.after(node) || is_end(node)) continue;
      const Hash hash = hash_before(node);
      const auto found = free.find(hash);
      if (found == free.end() || used[hash] >= found->second.size()) continue;
      if (const Node twin = found->second[used[hash]++]; same_op(node, twin)) pair(node, twin);
    }
  }

  static bool is_end(const Node& node) { return node.is<Parameter>() || node.is<Result>(); }

  void results_by_source() {
    for (const Node& result : before_.results()) {
      const Value source = result.input(0);
      const Node twin = source && !matching_.after(result) ? matching_.after(source.node()) : Node();
      if (!twin || source.index() >= twin.out_port_count()) continue;
      for (const InPort& reader : twin.out_port(source.index()).get_destinations())
        if (const Node other = reader.node(); other.is<Result>() && is_free(result, other)) pair(result, other);
    }
  }

  void ends(const std::vector<Node>& before, const std::vector<Node>& after) {
    std::vector<Node> left;
    for (const Node& node : after)
      if (!matching_.before(node)) left.push_back(node);
    std::size_t next = 0;
    for (const Node& node : before)
      if (!matching_.after(node) && next < left.size()) pair(node, left[next++]);
  }

  /// From pair to pair: what a pair reads at one port, and what reads a pair, when there is one choice only.
  void by_neighbours() {
    std::vector<std::pair<Node, Node>> open;
    for (const Node node : before_.nodes())
      if (const Node twin = matching_.after(node)) open.emplace_back(node, twin);
    const auto try_pair = [&](const Node& a, const Node& b) {
      if (!is_free(a, b) || !same_op(a, b) || is_end(a)) return;
      pair(a, b);
      open.emplace_back(a, b);
    };
    while (!open.empty()) {
      const auto [a, b] = open.back();
      open.pop_back();
      for (std::size_t i = 0; i < std::min(a.in_port_count(), b.in_port_count()); ++i)
        if (const Value x = a.input(i), y = b.input(i); x && y) try_pair(x.node(), y.node());
      for (std::size_t i = 0; i < std::min(a.out_port_count(), b.out_port_count()); ++i) {
        const std::vector<Node> left = free_readers(a.out_port(i), true);
        const std::vector<Node> right = free_readers(b.out_port(i), false);
        for (const Node& reader : left) {
          const Node* only = nullptr;
          for (const Node& other : right)
            if (same_op(reader, other)) only = only ? nullptr : &other;
          const auto alike =
              std::count_if(left.begin(), left.end(), [&](const Node& each) { return same_op(each, reader); });
          if (only && alike == 1) try_pair(reader, *only);
        }
      }
    }
  }

  std::vector<Node> free_readers(const OutPort& port, bool of_before) const {
    constexpr std::size_t kMost = 32;
    std::vector<Node> readers;
    for (const InPort& reader : port.get_destinations()) {
      const Node node = reader.node();
      if (!(of_before ? matching_.after(node) : matching_.before(node))) readers.push_back(node);
      if (readers.size() > kMost) return {};
    }
    return readers;
  }

  /// An op that took the place of another one under its name.
  void by_name_alone() {
    std::map<std::string_view, Node> free;
    for (const Node node : after_.nodes())
      if (!matching_.before(node) && !node.name().empty()) free.emplace(node.name(), node);
    for (const Node node : before_.nodes())
      if (const auto found = free.find(node.name());
          !matching_.after(node) && found != free.end() && is_free(node, found->second))
        pair(node, found->second);
  }

  const Graph& before_;
  const Graph& after_;
  GraphMatching matching_;
};

}  // namespace

GraphMatching match_graphs(const Graph& before, const Graph& after, bool names) {
  return GraphMatcher(before, after).match(names);
}

}  // namespace mo
