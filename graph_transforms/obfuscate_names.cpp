#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {
namespace {

/// 0 … 9, a … z, A … Z, 10, 11 …: numbers of base 62.
std::string id_of(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string id;
  do {
    id.insert(id.begin(), kDigits[number % kDigits.size()]);
    number /= kDigits.size();
  } while (number > 0);
  return id;
}

Expected<void> obfuscate(Graph& graph, const TransformFuncContext& context) {
  std::uint64_t next = 0;
  const auto is_kept = [&](std::string_view name) { return context.is_input(name) || context.is_output(name); };
  for (const Node node : graph.nodes()) {
    if (is_kept(node.name())) continue;
    std::string id = id_of(next++);
    while (is_kept(id)) id = id_of(next++);
    node.set_name(id);
  }
  return {};
}

}  // namespace

/// All names but those of feeds and fetches become as short as possible, and meaningless. Version 1.0 had the second
/// spelling.
void register_obfuscate_names(TransformRegistry& registry) {
  registry.register_transform("obfuscate_names", Scope::any, Numbers::same, obfuscate);
  registry.register_transform("obsfucate_names", Scope::any, Numbers::same, obfuscate);
  registry.describe("obfuscate_names", {"Gives all nodes but inputs and outputs short names without meaning", {}});
  registry.describe("obsfucate_names", {"The same as obfuscate_names, in the spelling of the original", {}});
}

}  // namespace mo::graph_transforms
