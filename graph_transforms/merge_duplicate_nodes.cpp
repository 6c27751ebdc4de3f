#include <algorithm>
#include <unordered_map>

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/sorting.hpp"
#include "graph_transforms/support/repeatable.hpp"

namespace mo::graph_transforms {
namespace {

void mix(std::size_t& hash, std::size_t more) { hash ^= more + 0x9e3779b97f4a7800ULL + (hash << 10) + (hash >> 4); }

/// Attributes that say how the file writes the node, and nothing about it.
bool is_spelling(std::string_view attribute) { return attribute.starts_with('@') && attribute != "@device"; }

/// Of what two equal nodes have in common, cheap enough for large tensors: those are compared when everything else is
/// equal.
Expected<std::size_t> hash_of(const Node& node) {
  std::size_t hash = std::hash<std::string_view>()(node.type());
  for (const InPort& port : node.in_ports()) mix(hash, port.get_source() ? port.get_source().id().index : 0);
  for (const Node& before : node.control_inputs()) mix(hash, before.id().index);
  std::size_t attributes = 0;  // in any order
  for (const AttributeMap::Item& item : attributes_of(node)) {
    if (is_spelling(item.name)) continue;
    std::size_t own = std::hash<std::string_view>()(item.name);
    if (const auto* text = item.value.get_if<std::string>()) mix(own, std::hash<std::string>()(*text));
    if (const auto* number = item.value.get_if<std::int64_t>()) mix(own, std::hash<std::int64_t>()(*number));
    if (const Tensor* tensor = item.value.get_if<Tensor>()) {
      for (const std::int64_t size : tensor->shape()) mix(own, static_cast<std::size_t>(size));
      constexpr std::uint64_t kSample = 4096;
      const std::uint64_t sampled = std::min(tensor->byte_size(), kSample);
      if (tensor->element_type() != ElementType::string && !tensor->empty() &&
          (tensor->in_memory() || tensor->buffer()->file_range())) {
        MO_ASSIGN(const Tensor head, Tensor::from_buffer(ElementType::u8, {static_cast<std::int64_t>(sampled)},
                                                         tensor->buffer(), tensor->offset()));
        MO_ASSIGN(const Tensor loaded, head.load());
        mix(own, std::hash<std::string_view>()(
                     {reinterpret_cast<const char*>(loaded.bytes().data()), loaded.bytes().size()}));
      }
    }
    attributes += own;
  }
  mix(hash, attributes);
  return hash;
}

bool is_equal(const Node& a, const Node& b) {
  if (a.type() != b.type() || a.in_port_count() != b.in_port_count() || a.control_inputs() != b.control_inputs())
    return false;
  for (std::size_t i = 0; i < a.in_port_count(); ++i)
    if (a.input(i) != b.input(i)) return false;
  const auto has_all_of = [](const AttributeMap& these, const AttributeMap& those, bool with_values) {
    return std::all_of(those.begin(), those.end(), [&](const AttributeMap::Item& item) {
      if (is_spelling(item.name)) return true;
      const AttributeValue* const other = these.find(item.name);
      return other && (!with_values || *other == item.value);
    });
  };
  return has_all_of(attributes_of(a), attributes_of(b), false) && has_all_of(attributes_of(b), attributes_of(a), true);
}

/// Stateful nodes differ even if they look the same; unknown ops count as stateful.
bool may_merge(const Node& node, const TransformFuncContext& context) {
  return is_repeatable(node) && !context.is_input(node.name()) && !context.is_output(node.name());
}

/// All that read `drop` read `keep`.
void merge_into(GraphEditor& editor, const Node& keep, const Node& drop) {
  for (const OutPort& port : drop.out_ports()) {
    if (port.disconnected()) continue;
    if (port.index() >= keep.out_port_count()) keep.add_output_port(port.index());
    editor.redirect(drop.out_port(port.index()), keep.out_port(port.index()));
  }
  editor.redirect_control(drop, keep);
  editor.erase(drop);
}

/// Equal nodes, of which one is left.
struct Twins {
  Node node;
  NodeId first;      ///< of the file, whose name counts
  std::string name;  ///< empty: that of `node`
};

/// Says how many nodes are gone.
Expected<std::size_t> merge_once(GraphEditor& editor) {
  std::size_t merged = 0;
  std::unordered_map<std::size_t, std::vector<Twins>> known;
  // Inputs before readers: most duplicates of duplicates are found at once.
  for (const Node& node : sortable_nodes(editor.graph())) {
    if (!may_merge(node, editor.context())) continue;
    MO_ASSIGN(const std::size_t hash, hash_of(node));
    std::vector<Twins>& same_hash = known[hash];
    const auto twins = std::find_if(same_hash.begin(), same_hash.end(),
                                    [&](const Twins& other) { return is_equal(node, other.node); });
    if (twins == same_hash.end()) {
      same_hash.push_back({node, node.id(), {}});
      continue;
    }
    if (node.id() < twins->first) {
      twins->first = node.id();
      twins->name = node.name();
    }
    merge_into(editor, twins->node, node);
    ++merged;
  }
  for (const auto& [hash, groups] : known)
    for (const Twins& twins : groups)
      if (!twins.name.empty()) editor.rename(twins.node, twins.name);
  return merged;
}

Expected<void> merge_duplicates(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  for (;;) {
    MO_ASSIGN(const std::size_t merged, merge_once(editor));
    if (merged == 0) return {};
  }
}

}  // namespace

/// Nodes without a state that are equal in op, attributes, device and inputs become one.
void register_merge_duplicate_nodes(TransformRegistry& registry) {
  registry.register_transform("merge_duplicate_nodes", Scope::any, Numbers::same, merge_duplicates);
  registry.describe("merge_duplicate_nodes", {"Merges equal nodes that have no state", {}});
}

}  // namespace mo::graph_transforms
